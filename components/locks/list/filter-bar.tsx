'use client';

import { SlidersHorizontal } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useMessages, useTranslations } from 'use-intl';
import { useFormatName } from '@/components/labels';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/field';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { LockState } from '@/lib/protocol/lock';
import { LockFilter, LockSort } from '@/lib/protocol/queries';
import { withField } from './list-url';
import { MoreFilters } from './more-filters';
import { SearchField } from './search-field';
import type { ListStateHandle } from './use-list-state';

const VIEWS = ['all', ...LockFilter.shape.view.unwrap().options] as const;

/** Everything that decides which locks are listed. */
export function FilterBar({ state, show, refine }: ListStateHandle) {
  const t = useTranslations('locks');
  const [showsMore, setShowsMore] = useState(false);
  const search = useCallback(
    (q: string) => refine(withField(state, 'q', q || undefined)),
    [refine, state],
  );
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SearchField value={state.filter.q ?? ''} onChange={search} />
        <StateSelect state={state} show={show} />
        <FormatSelect state={state} show={show} />
        <SortSelect state={state} show={show} />
        <Button
          look="ghost"
          aria-expanded={showsMore}
          icon={<SlidersHorizontal size={13} aria-hidden />}
          onClick={() => setShowsMore(!showsMore)}
        >
          {t('filters.more')}
        </Button>
        <SegmentedControl
          label={t('views.label')}
          className="xl:ml-auto"
          value={state.filter.view ?? 'all'}
          options={VIEWS.map((view) => ({ value: view, label: t(`views.${view}`) }))}
          onChange={(view) => show(withField(state, 'view', view === 'all' ? undefined : view))}
        />
      </div>
      {showsMore && <MoreFilters state={state} show={show} />}
    </div>
  );
}

type Part = Pick<ListStateHandle, 'state' | 'show'>;

function StateSelect({ state, show }: Part) {
  const t = useTranslations('locks.filters');
  const states = useTranslations('labels.states');
  return (
    <Select
      aria-label={t('state')}
      value={state.filter.state ?? ''}
      onChange={(event) => {
        const chosen = LockState.safeParse(event.target.value);
        show(withField(state, 'state', chosen.success ? chosen.data : undefined));
      }}
      className="w-auto!"
    >
      <option value="">{`${t('state')}: ${t('any')}`}</option>
      {LockState.options.map((option) => (
        <option key={option} value={option}>
          {states(option)}
        </option>
      ))}
    </Select>
  );
}

function FormatSelect({ state, show }: Part) {
  const t = useTranslations('locks.filters');
  const name = useFormatName();
  const known = Object.keys(useMessages().formats ?? {});
  const chosen = state.filter.format;
  const options = chosen && !known.includes(chosen) ? [chosen, ...known] : known;
  return (
    <Select
      aria-label={t('format')}
      value={chosen ?? ''}
      onChange={(event) => show(withField(state, 'format', event.target.value || undefined))}
      className="w-auto!"
    >
      <option value="">{`${t('format')}: ${t('any')}`}</option>
      {options.map((option) => (
        <option key={option} value={option}>
          {name(option)}
        </option>
      ))}
    </Select>
  );
}

/** On phones, where there are no headers to press. */
function SortSelect({ state, show }: Part) {
  const t = useTranslations('locks');
  return (
    <Select
      aria-label={t('filters.sort')}
      value={state.sort ?? ''}
      onChange={(event) => {
        const sort = LockSort.safeParse(event.target.value);
        show({ ...state, sort: sort.success ? sort.data : undefined });
      }}
      className="w-auto! md:hidden"
    >
      <option value="">{t('sorts.default')}</option>
      {LockSort.options.map((option) => (
        <option key={option} value={option}>
          {t(`sorts.${option}`)}
        </option>
      ))}
    </Select>
  );
}
