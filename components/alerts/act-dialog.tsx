'use client';

import { useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AlertCodeLabel, ErrorText, useSaid } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, Textarea } from '@/components/ui/field';
import { Notice } from '@/components/ui/notice';
import type { Alert } from '@/lib/protocol/alert';
import { isReason } from '@/lib/protocol/reason';
import { ActResults } from './act-results';
import { PeriodField, DEFAULT_PERIOD_MS } from './period-field';
import { useActOn, type AlertAct } from './use-act-on';

interface Props {
  /** One or several, as they were when the dialog was opened. */
  alerts: readonly Alert[];
  act: AlertAct;
  /** Those of them that resolved meanwhile. */
  over: ReadonlySet<string>;
  onClose: () => void;
}

/** Asks for one reason and acts on all. The list changes by itself when the effect arrives. */
export function ActDialog({ alerts, act, over, onClose }: Props) {
  const t = useTranslations('alerts.dialog');
  const words = useTranslations('alerts');
  const ui = useTranslations('ui');
  const form = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  const [periodMs, setPeriodMs] = useState(DEFAULT_PERIOD_MS);
  const { run, pending, error, results } = useActOn(act);
  const due = alerts.filter(({ id }) => !over.has(id));
  const isDone = results !== null;
  const isValid = due.length > 0 && isReason(reason) && !isDone;
  const submit = async () => {
    const isAllDone = await run(due, { reason: reason.trim(), periodMs });
    if (isAllDone) onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t(`${act}Title`, { count: alerts.length })}
      description={t(`${act}Text`, { count: alerts.length })}
      closeLabel={ui('close')}
      initialFocus={field}
      footer={
        <>
          <Button size="md" look="ghost" onClick={onClose}>
            {ui(due.length === 0 || isDone ? 'close' : 'cancel')}
          </Button>
          {!isDone && (
            <Button
              size="md"
              look="primary"
              type="submit"
              form={form}
              disabled={!isValid}
              pending={pending}
            >
              {words(act)}
            </Button>
          )}
        </>
      }
    >
      <form
        id={form}
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid && !pending) void submit();
        }}
      >
        {due.length === 0 && !isDone && (
          <Notice role="alert" title={t('resolvedTitle')}>
            {t('resolvedText')}
          </Notice>
        )}
        {isDone ? (
          <ActResults results={results} alerts={alerts} />
        ) : (
          <>
            <ActedOn alerts={alerts} />
            <Field label={t('reason')} hint={t('reasonHint')}>
              {(ids) => (
                <Textarea
                  {...ids}
                  ref={field}
                  value={reason}
                  maxLength={500}
                  onChange={(event) => setReason(event.target.value)}
                />
              )}
            </Field>
            {act === 'silence' && <PeriodField value={periodMs} onChange={setPeriodMs} />}
          </>
        )}
        {error && due.length > 0 && !isDone && <Failed error={error} />}
      </form>
    </Dialog>
  );
}

function Failed({ error }: { error: NonNullable<ReturnType<typeof useActOn>['error']> }) {
  const errors = useTranslations('errors');
  return (
    <Notice tone="critical" role="alert" title={errors(error.code)}>
      <ErrorText error={error} />
    </Notice>
  );
}

const LISTED = 6;

function ActedOn({ alerts }: { alerts: readonly Alert[] }) {
  const t = useTranslations('alerts');
  const say = useSaid();
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {alerts.slice(0, LISTED).map((alert) => (
        <li key={alert.id} className="break-words">
          <span className="font-semibold">
            <AlertCodeLabel code={alert.code} />
          </span>{' '}
          <span className="text-ink-2">{say(alert.sentences?.summary, alert.summary)}</span>
        </li>
      ))}
      {alerts.length > LISTED && (
        <li className="text-ink-3">{t('dialog.andMore', { count: alerts.length - LISTED })}</li>
      )}
    </ul>
  );
}
