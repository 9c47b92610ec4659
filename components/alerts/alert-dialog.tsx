'use client';

import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Alert } from '@/lib/protocol/alert';
import { useAction, useNow } from '@/components/hooks';
import { AlertCodeLabel, ErrorText, useSaid } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Select, Textarea } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import { isReason } from '@/lib/protocol/reason';

export type AlertAct = 'acknowledge' | 'silence';

interface Props {
  alert: Alert;
  act: AlertAct;
  /** It resolved while the dialog was open: nothing is left to do. */
  isOver: boolean;
  onClose: () => void;
}

const MINUTES = ['30', '120', '480', '1440'] as const;
const MINUTE_MS = 60_000;

/** Asks for a reason and acts. The list changes by itself when the effect arrives. */
export function AlertDialog({ alert, act, isOver, onClose }: Props) {
  const t = useTranslations('alerts');
  const ui = useTranslations('ui');
  const errors = useTranslations('errors');
  const say = useSaid();
  const form = useId();
  const now = useNow();
  const acknowledge = useAction('alert.acknowledge');
  const silence = useAction('alert.silence');
  const [reason, setReason] = useState('');
  const [minutes, setMinutes] = useState<(typeof MINUTES)[number]>('120');
  const action = act === 'acknowledge' ? acknowledge : silence;
  const isValid = !isOver && isReason(reason);

  const submit = async () => {
    const input = { id: alert.id, reason: reason.trim() };
    try {
      if (act === 'acknowledge') await acknowledge.run(input);
      else await silence.run({ ...input, untilMs: now + Number(minutes) * MINUTE_MS });
      onClose();
    } catch {
      // The action keeps the error, and the dialog shows it.
    }
  };

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(act === 'acknowledge' ? 'dialog.acknowledgeTitle' : 'dialog.silenceTitle')}
      description={t(act === 'acknowledge' ? 'dialog.acknowledgeText' : 'dialog.silenceText')}
      closeLabel={ui('close')}
      footer={
        <>
          <Button size="md" look="ghost" onClick={onClose}>
            {ui(isOver ? 'close' : 'cancel')}
          </Button>
          <Button
            size="md"
            look="primary"
            type="submit"
            form={form}
            disabled={!isValid}
            pending={action.pending}
          >
            {t(act)}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid && !action.pending) void submit();
        }}
      >
        {isOver && (
          <Notice role="alert" title={t('dialog.resolvedTitle')}>
            {t('dialog.resolvedText')}
          </Notice>
        )}
        <p className="text-sm break-words">
          <span className="font-semibold">
            <AlertCodeLabel code={alert.code} />
          </span>{' '}
          <span className="text-ink-2">{say(alert.sentences?.summary, alert.summary)}</span>
        </p>
        <Field label={t('dialog.reason')} hint={t('dialog.reasonHint')}>
          {(ids) => (
            <Textarea
              {...ids}
              value={reason}
              maxLength={500}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {act === 'silence' && (
          <Field label={t('dialog.for')}>
            {(ids) => (
              <Select
                {...ids}
                value={minutes}
                onChange={(event) =>
                  setMinutes(MINUTES.find((each) => each === event.target.value) ?? '120')
                }
              >
                {MINUTES.map((each) => (
                  <option key={each} value={each}>
                    {t(`dialog.hours.${each}`)}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {action.error && !isOver && (
          <Notice tone="critical" role="alert" title={errors(action.error.code)}>
            <ErrorText error={action.error} />
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
