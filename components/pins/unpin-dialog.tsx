'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAction } from '@/components/hooks';
import { isReason } from '@/lib/protocol/reason';
import { PinFormDialog } from './pin-form-dialog';
import { PinReason } from './pin-reason';

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
    <PinFormDialog
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
      <PinReason hint={t('unpinReasonHint')} value={reason} onChange={setReason} />
    </PinFormDialog>
  );
}
