'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { isReason } from '@/lib/protocol/reason';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';

interface Props {
  target: string;
  /** Printable. */
  pattern: string;
  onClose: () => void;
}

export function UnpinDialog({ target, pattern, onClose }: Props) {
  const t = useTranslations('pin');
  const { run, pending, error } = useAction('format.unpin');
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={
        <bdi dir="ltr" className="break-all">
          {t('unpinTitle', { pattern })}
        </bdi>
      }
      description={t('unpinText')}
      confirm={{ text: t('unpin'), look: 'danger' }}
      isValid={isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => run({ target, pattern, reason: reason.trim() })}
      onClose={onClose}
    >
      <ReasonArea
        label={t('reason')}
        hint={t('unpinReasonHint')}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
