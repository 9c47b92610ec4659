'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction } from '@/components/hooks';
import type { Route } from '@/lib/protocol/notify';
import { isReason } from '@/lib/protocol/reason';
import { versionToSave } from './route-version';

interface Props {
  route: Route;
  routes: readonly Route[];
  routesVersion: number | null;
  onClose: () => void;
}

export function RemoveRouteDialog({ route, routes, routesVersion, onClose }: Props) {
  const t = useTranslations('notifications');
  const { run, pending, error } = useAction('notify.save-routes');
  const [reason, setReason] = useState('');
  const [opened] = useState({ route, version: routesVersion });
  const left = routes.filter(({ id }) => id !== route.id);
  const remove = (version: number | null) => run({ routes: left, version, reason: reason.trim() });
  return (
    <FormDialog
      title={t('route.removeTitle')}
      description={t('route.removeText')}
      confirm={{ text: t('remove'), look: 'danger' }}
      isValid={isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => remove(versionToSave(opened, { routes, routesVersion }))}
      onConflict={{
        showTheirs: onClose,
        saveMine: () => remove(routesVersion),
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
