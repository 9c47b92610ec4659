'use client';

import { clsx } from 'clsx';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAlertCodeOptions } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/field';
import { SearchInput } from '@/components/ui/search-input';
import { SegmentedControl } from '@/components/ui/segmented-control';
import type { AlertPage } from '@/lib/protocol/alert';
import { SEVERITIES } from '@/lib/protocol/closed-sets';
import {
  GROUPINGS,
  isFiltered,
  LABEL_FILTERS,
  NO_FILTERS,
  SHOWS,
  type AlertView,
  type LabelFilter,
} from './alert-view';

interface Props {
  view: AlertView;
  /** What the open alerts are about: what can be chosen. */
  groups: AlertPage['groups'];
  onChange: (changes: Record<string, string | null>, how?: 'push' | 'replace') => void;
}

/** What is listed, and how. All of it stands in the address. */
export function AlertToolbar({ view, groups, onChange }: Props) {
  const t = useTranslations('alerts');
  const labels = useTranslations('labels');
  const codes = useAlertCodeOptions();
  /** On a phone they would fill the screen. */
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SegmentedControl
          label={t('show')}
          value={view.show}
          options={SHOWS.map((show) => ({ value: show, label: t(`shows.${show}`) }))}
          onChange={(show) => onChange({ state: show === 'open' ? null : show })}
        />
        <SearchInput
          label={t('search')}
          placeholder={t('searchPlaceholder')}
          value={view.q ?? ''}
          onChange={(q) => onChange({ q }, 'replace')}
          className="min-w-40 flex-1 sm:max-w-72"
        />
        <label className="flex items-center gap-1.5 text-xs text-ink-2">
          {t('groupBy')}
          <Select
            className="w-auto!"
            value={view.group}
            onChange={({ target }) =>
              onChange({ group: target.value === 'none' ? null : target.value })
            }
          >
            {GROUPINGS.map((grouping) => (
              <option key={grouping} value={grouping}>
                {t(`groupings.${grouping}`)}
              </option>
            ))}
          </Select>
        </label>
        <Button
          className="md:hidden"
          aria-expanded={isOpen}
          icon={<SlidersHorizontal size={13} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          {t(isFiltered(view) ? 'filtersSet' : 'filtersButton')}
        </Button>
      </div>
      <div className={clsx('flex flex-wrap items-center gap-2', !isOpen && 'max-md:hidden')}>
        <Choice
          label={t('severity')}
          any={t('anySeverity')}
          value={view.severity}
          options={SEVERITIES.map((value) => [value, labels(`severities.${value}`)])}
          onChange={(severity) => onChange({ severity })}
        />
        <Choice
          label={t('code')}
          any={t('anyCode')}
          value={view.code}
          options={codes}
          onChange={(code) => onChange({ code })}
        />
        {LABEL_FILTERS.map((name) => (
          <Choice
            key={name}
            label={t(`filters.${name}`)}
            any={t(`anyOf.${name}`)}
            value={view[name]}
            options={optionsOf(groups, name, view[name])}
            onChange={(value) => onChange({ [name]: value })}
          />
        ))}
        {isFiltered(view) && (
          <Button look="ghost" onClick={() => onChange({ ...NO_FILTERS })}>
            {t('clear')}
          </Button>
        )}
      </div>
    </div>
  );
}

type Option = readonly [value: string, label: string];

const LABEL_MAX = 60;
const shortened = (text: string): string =>
  text.length > LABEL_MAX ? `${text.slice(0, LABEL_MAX)}…` : text;

/** What alerts have, the most frequent first; and what is chosen, though none has it now. */
function optionsOf(
  groups: AlertPage['groups'],
  name: LabelFilter,
  chosen: string | null,
): readonly Option[] {
  const known = (groups?.[name] ?? []).flatMap((group): Option[] =>
    group.name === null || group.name === ''
      ? []
      : [[group.name, `${shortened(group.name)} (${group.count})`]],
  );
  const isKnown = chosen === null || known.some(([value]) => value === chosen);
  return isKnown ? known : [[chosen, shortened(chosen)], ...known];
}

interface ChoiceProps {
  label: string;
  any: string;
  value: string | null;
  options: readonly Option[];
  onChange: (value: string | null) => void;
}

function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      className="w-auto! max-w-52"
      disabled={options.length === 0}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    >
      <option value="">{any}</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </Select>
  );
}
