'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction } from '@/components/hooks';
import type { Channel, Route } from '@/lib/protocol/notify';
import { isReason } from '@/lib/protocol/reason';
import { againOnConflict, presentRoutes, type PresentRoutes } from './present-routes';
import { draftOf, routesWith, versionToSave, type OpenedRoute } from './route-draft';
import { RouteFields } from './route-fields';

interface Props {
  /** Null = a new one. */
  route: Route | null;
  present: PresentRoutes;
  channels: readonly Channel[];
  onClose: () => void;
}

/** One route; all of them are saved together. */
export function RouteDialog({ route, present, channels, onClose }: Props) {
  const t = useTranslations('notifications');
  const { run, pending, error, reset } = useAction('notify.save-routes');
  const [opened, setOpened] = useState<OpenedRoute>({ route, version: present.routesVersion });
  const [draft, setDraft] = useState(() => draftOf(route));
  const [reason, setReason] = useState('');
  const save = (versionOf: (now: PresentRoutes) => number | null) =>
    run(async () => {
      const now = await presentRoutes();
      const routes = routesWith(draft, route?.id ?? null, now.routes);
      return { routes, version: versionOf(now), reason: reason.trim() };
    });
  const showTheirs = (): void => {
    const theirs = present.routes.find(({ id }) => id === route?.id);
    if (!theirs) return onClose();
    setOpened({ route: theirs, version: present.routesVersion });
    setDraft(draftOf(theirs));
    reset();
  };
  return (
    <FormDialog
      title={t(route ? 'route.editTitle' : 'route.addTitle')}
      description={t('route.text')}
      confirm={{ text: t('route.save'), look: 'primary' }}
      isValid={draft.channels.length > 0 && isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => againOnConflict(() => save((now) => versionToSave(opened, now)))}
      onConflict={{
        showTheirs,
        hasTheirs: present.routesVersion !== opened.version,
        saveMine: (there) => save(() => there),
      }}
      onClose={onClose}
    >
      <RouteFields draft={draft} channels={channels} onChange={setDraft} />
      <ReasonArea
        label={t('form.reason')}
        hint={t('form.reasonHint')}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
