'use client';

import { SlidersHorizontal } from 'lucide-react';
import { useCallback, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Select } from '@/components/ui/field';
import { SegmentedControl } from '@/components/ui/segmented-control';
import { LOCK_SORTS, LOCK_VIEWS, memberOf } from '@/lib/protocol/closed-sets';
import type { Lock } from '@/lib/protocol/lock';
import { withField } from './list-url';
import { FormatSelect, StateSelect } from './filter-selects';
import { MoreFilters } from './more-filters';
import { SearchField } from './search-field';
import type { ListStateHandle } from './use-list-state';

const VIEWS = ['all', ...LOCK_VIEWS] as const;

interface Props extends ListStateHandle {
  rows: readonly Lock[];
}

/** Everything that decides which locks are listed. */
export function FilterBar({ state, show, refine, rows }: Props) {
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
        <StateSelect state={state} show={show} className="max-md:hidden" />
        <FormatSelect state={state} show={show} className="max-md:hidden" />
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
      {showsMore && <MoreFilters state={state} show={show} rows={rows} />}
    </div>
  );
}

type Part = Pick<ListStateHandle, 'state' | 'show'>;

/** On phones, where there are no headers to press. */
function SortSelect({ state, show }: Part) {
  const t = useTranslations('locks');
  return (
    <Select
      aria-label={t('filters.sort')}
      value={state.sort ?? ''}
      onChange={(event) => show({ ...state, sort: memberOf(LOCK_SORTS, event.target.value) })}
      className="w-auto! md:hidden"
    >
      <option value="">{t('sorts.default')}</option>
      {LOCK_SORTS.map((option) => (
        <option key={option} value={option}>
          {t(`sorts.${option}`)}
        </option>
      ))}
    </Select>
  );
}
