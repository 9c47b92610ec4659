'use client';

import { useTranslations } from 'use-intl';
import { FittingAlerts } from '@/components/forms/fitting-alerts';
import { fittingNames } from '@/components/forms/fitting-names';
import { useKnownNames } from '@/components/forms/known-names';
import { useOpenAlerts } from '@/components/hooks/use-open-alerts';
import { Checkbox, Field, Select, Textarea } from '@/components/ui/field';
import { compileRoute } from '@/lib/analysis/route-matcher';
import { memberOf, SEVERITIES } from '@/lib/protocol/closed-sets';
import type { Channel } from '@/lib/protocol/notify';
import { namespacesOf, type RouteDraft } from './route-draft';

interface Props {
  draft: RouteDraft;
  channels: readonly Channel[];
  onChange: (draft: RouteDraft) => void;
}

/** Which alerts a route leads where, and which of the open ones those are now. */
export function RouteFields({ draft, channels, onChange }: Props) {
  const t = useTranslations('notifications');
  const { items } = useOpenAlerts();
  const { least, names, patterns, channels: chosen, resolved } = draft;
  const change = (changes: Partial<RouteDraft>) => onChange({ ...draft, ...changes });
  const namespaces = namespacesOf(draft);
  return (
    <>
      <Field label={t('route.least')}>
        {(ids) => (
          <Select
            {...ids}
            className="h-8!"
            value={least}
            onChange={({ target }) =>
              change({ least: memberOf(SEVERITIES, target.value) ?? least })
            }
          >
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {t(`leastSeverity.${severity}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid gap-3 sm:grid-cols-2">
        <Lines
          label={t('namespaces')}
          hint={t('namespacesHint')}
          value={names}
          onChange={(text) => change({ names: text })}
        />
        <Lines
          label={t('patterns')}
          hint={t('patternsHint')}
          value={patterns}
          onChange={(text) => change({ patterns: text })}
        />
      </div>
      {namespaces.length > 0 && <FittingNamespaces namespaces={namespaces} />}
      <FittingAlerts
        label={t('route.fitting')}
        alerts={items}
        fits={compileRoute({ least, namespaces })}
      />
      <fieldset className="flex flex-col gap-1">
        <legend className="mb-1 text-xs font-medium text-ink-2">{t('route.channels')}</legend>
        {channels.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={({ target }) =>
              change({
                channels: target.checked ? [...chosen, id] : chosen.filter((each) => each !== id),
              })
            }
          />
        ))}
      </fieldset>
      <Checkbox
        label={t('route.resolved')}
        checked={resolved}
        onChange={({ target }) => change({ resolved: target.checked })}
      />
    </>
  );
}

interface LinesProps {
  label: string;
  hint: string;
  value: string;
  onChange: (text: string) => void;
}

const Lines = ({ label, hint, value, onChange }: LinesProps) => (
  <Field label={label} hint={hint}>
    {(ids) => (
      <Textarea
        {...ids}
        dir="ltr"
        className="font-mono"
        spellCheck={false}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    )}
  </Field>
);

/** Which namespaces of those that are there now the route is for. */
function FittingNamespaces({ namespaces }: { namespaces: ReturnType<typeof namespacesOf> }) {
  const ui = useTranslations('ui.fitting');
  const known = useKnownNames().namespace;
  return (
    <p aria-live="polite" className="text-xs text-ink-2">
      {ui('names', { ...fittingNames(namespaces, known) })}
    </p>
  );
}
