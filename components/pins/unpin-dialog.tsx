'use client';

import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { ErrorText } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Notice } from '@/components/ui/notice';
import { isReason } from '@/lib/protocol/reason';
import { PinReason } from './pin-reason';

interface Props {
  target: string;
  /** Printable. */
  pattern: string;
  onClose: () => void;
}

export function UnpinDialog({ target, pattern, onClose }: Props) {
  const t = useTranslations('pin');
  const ui = useTranslations('ui');
  const errors = useTranslations('errors');
  const form = useId();
  const { run, pending, error } = useAction('format.unpin');
  const [reason, setReason] = useState('');
  const isValid = isReason(reason);
  const submit = async () => {
    try {
      await run({ target, pattern, reason: reason.trim() });
      onClose();
    } catch {
      // The action keeps the error, and the dialog shows it.
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        <bdi dir="ltr" className="break-all">
          {t('unpinTitle', { pattern })}
        </bdi>
      }
      description={t('unpinText')}
      closeLabel={ui('close')}
      footer={
        <>
          <Button size="md" look="ghost" onClick={onClose}>
            {ui('cancel')}
          </Button>
          <Button
            {...{ size: 'md', look: 'danger', type: 'submit', form, pending }}
            disabled={!isValid}
          >
            {t('unpin')}
          </Button>
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
        <PinReason hint={t('unpinReasonHint')} value={reason} onChange={setReason} />
        {error && (
          <Notice tone="critical" role="alert" title={errors(error.code)}>
            <ErrorText error={error} />
          </Notice>
        )}
      </form>
    </Dialog>
  );
}
