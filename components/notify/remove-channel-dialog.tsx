'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction } from '@/components/hooks';
import type { Channel } from '@/lib/protocol/notify';
import { isReason } from '@/lib/protocol/reason';

interface Props {
  channel: Channel;
  onClose: () => void;
}

export function RemoveChannelDialog({ channel: { id, name, version }, onClose }: Props) {
  const t = useTranslations('notifications');
  const { run, pending, error } = useAction('notify.remove-channel');
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={t('removing.title', { name })}
      description={t('removing.text')}
      confirm={{ text: t('remove'), look: 'danger' }}
      isValid={isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => run({ id, version, reason: reason.trim() })}
      onConflict={{
        showTheirs: onClose,
        saveMine: (there) => run({ id, version: there, reason: reason.trim() }),
        isRemoval: true,
      }}
      onClose={onClose}
    >
      <ReasonArea
        label={t('form.reason')}
        hint={t('form.reasonHint')}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
