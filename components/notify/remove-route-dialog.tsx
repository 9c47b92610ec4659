'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction } from '@/components/hooks';
import type { Route } from '@/lib/protocol/notify';
import { isReason } from '@/lib/protocol/reason';

interface Props {
  route: Route;
  routes: readonly Route[];
  onClose: () => void;
}

export function RemoveRouteDialog({ route, routes, onClose }: Props) {
  const t = useTranslations('notifications');
  const { run, pending, error } = useAction('notify.save-routes');
  const [reason, setReason] = useState('');
  const [shown] = useState(routes);
  const left = shown.filter(({ id }) => id !== route.id);
  return (
    <FormDialog
      title={t('route.removeTitle')}
      description={t('route.removeText')}
      confirm={{ text: t('remove'), look: 'danger' }}
      isValid={isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => run({ routes: left, shown: [...shown], reason: reason.trim() })}
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
