'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FormDialog } from '@/components/forms/form-dialog';
import { ReasonArea } from '@/components/forms/reason-area';
import { useAction } from '@/components/hooks';
import { Checkbox, Field, Select, Textarea } from '@/components/ui/field';
import { memberOf, SEVERITIES } from '@/lib/protocol/closed-sets';
import type { Channel, Route } from '@/lib/protocol/notify';
import { isReason } from '@/lib/protocol/reason';
import { versionToSave } from './route-version';

interface Props {
  /** Null = a new one. */
  route: Route | null;
  routes: readonly Route[];
  routesVersion: number | null;
  channels: readonly Channel[];
  onClose: () => void;
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** An id that no other route has. */
const freeId = (routes: readonly Route[]): string => {
  const numbers = routes.map(({ id }) => Number(id.replace('route-', '')) || 0);
  return `route-${Math.max(0, ...numbers) + 1}`;
};

/** One route; all of them are saved together. */
export function RouteDialog({ route, routes, routesVersion, channels, onClose }: Props) {
  const t = useTranslations('notifications');
  const { run, pending, error, reset } = useAction('notify.save-routes');
  const [opened, setOpened] = useState({ route, version: routesVersion });
  const [least, setLeast] = useState<Route['least']>(route?.least ?? 'warning');
  const [namespaces, setNamespaces] = useState((route?.namespaces ?? []).join('\n'));
  const [chosen, setChosen] = useState<readonly string[]>(route?.channels ?? []);
  const [resolved, setResolved] = useState(route?.resolved ?? true);
  const [reason, setReason] = useState('');
  const save = (version: number | null) => {
    const id = route?.id ?? freeId(routes);
    const saved: Route = {
      ...{ id, least, resolved },
      namespaces: linesOf(namespaces),
      channels: [...chosen],
    };
    const isThere = routes.some((each) => each.id === id);
    const all = isThere
      ? routes.map((each) => (each.id === id ? saved : each))
      : [...routes, saved];
    return run({ routes: all, version, reason: reason.trim() });
  };
  const showTheirs = (): void => {
    const theirs = routes.find(({ id }) => id === route?.id);
    if (!theirs) return onClose();
    setOpened({ route: theirs, version: routesVersion });
    setLeast(theirs.least);
    setNamespaces(theirs.namespaces.join('\n'));
    setChosen(theirs.channels);
    setResolved(theirs.resolved);
    reset();
  };
  return (
    <FormDialog
      title={t(route ? 'route.editTitle' : 'route.addTitle')}
      description={t('route.text')}
      confirm={{ text: t('route.save'), look: 'primary' }}
      isValid={chosen.length > 0 && isReason(reason)}
      pending={pending}
      error={error}
      onSubmit={() => save(versionToSave(opened, { routes, routesVersion }))}
      onConflict={{
        showTheirs,
        hasTheirs: routesVersion !== opened.version,
        saveMine: () => save(routesVersion),
      }}
      onClose={onClose}
    >
      <Field label={t('route.least')}>
        {(ids) => (
          <Select
            {...ids}
            className="h-8!"
            value={least}
            onChange={(event) => setLeast(memberOf(SEVERITIES, event.target.value) ?? least)}
          >
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {t(`leastSeverity.${severity}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t('namespaces')} hint={t('namespacesHint')}>
        {(ids) => (
          <Textarea
            {...ids}
            dir="ltr"
            value={namespaces}
            onChange={(event) => setNamespaces(event.target.value)}
          />
        )}
      </Field>
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-xs font-medium text-ink-2">{t('route.channels')}</legend>
        {channels.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={(event) =>
              setChosen(
                event.target.checked ? [...chosen, id] : chosen.filter((each) => each !== id),
              )
            }
          />
        ))}
      </fieldset>
      <Checkbox
        label={t('route.resolved')}
        checked={resolved}
        onChange={(event) => setResolved(event.target.checked)}
      />
      <ReasonArea
        label={t('form.reason')}
        hint={t('form.reasonHint')}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
