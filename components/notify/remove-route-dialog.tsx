'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction } from '@/components/hooks';
import type { Route } from '@/lib/protocol/notify';
import { isReason } from '@/lib/protocol/reason';
import { againOnConflict, presentRoutes, type PresentRoutes } from './present-routes';
import { versionToSave, type OpenedRoute } from './route-draft';

interface Props {
  route: Route;
  present: PresentRoutes;
  onClose: () => void;
}

export function RemoveRouteDialog({ route, present, onClose }: Props) {
  const t = useTranslations('notifications');
  const { run, pending, error } = useAction('notify.save-routes');
  const [reason, setReason] = useState('');
  const [opened] = useState<OpenedRoute>({ route, version: present.routesVersion });
  const remove = (versionOf: (now: PresentRoutes) => number | null) =>
    run(async () => {
      const now = await presentRoutes();
      const routes = now.routes.filter(({ id }) => id !== route.id);
      return { routes, version: versionOf(now), reason: reason.trim() };
    });
  return (
    <FormDialog
      title={t('route.removeTitle')}
      description={t('route.removeText')}
      confirm={{ text: t('remove'), look: 'danger' }}
      isValid={isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => againOnConflict(() => remove((now) => versionToSave(opened, now)))}
      onConflict={{
        showTheirs: onClose,
        saveMine: (there) => remove(() => there),
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
