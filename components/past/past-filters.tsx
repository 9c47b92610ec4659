'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useUrlParams } from '@/components/hooks';
import { SearchInput } from '@/components/ui/search-input';
import type { PastParams } from '@/lib/protocol/queries';

const FIELDS = ['q', 'class', 'namespace', 'owner'] as const;
type Field = (typeof FIELDS)[number];
export type PastFilter = Pick<PastParams, Field>;

/** Conditions of the list of the present by which the past cannot be asked. */
const ONLY_OF_NOW = ['state', 'format', 'db', 'view'] as const;

const LONGEST = 6000;

/** Reads the conditions from the address, where those of the present stand as well. */
export function readPastFilter(get: (name: string) => string | null): PastFilter {
  const filter: PastFilter = {};
  for (const field of FIELDS) {
    const value = get(field);
    if (value === null || value.length > LONGEST) continue;
    if (value !== '' || field === 'namespace') filter[field] = value;
  }
  return filter;
}

export const isFiltered = (filter: PastFilter): boolean => Object.keys(filter).length > 0;

/** What the list of the past is narrowed by. */
export function PastFilters({ filter }: { filter: PastFilter }) {
  const t = useTranslations('past.filters');
  const locks = useTranslations('locks');
  const { get, set } = useUrlParams();
  const ignored = ONLY_OF_NOW.filter((name) => get(name) !== null);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          label={locks('search')}
          placeholder={locks('searchPlaceholder')}
          value={filter.q ?? ''}
          onChange={(q) => set({ q }, 'replace')}
          className="min-w-40 flex-1 sm:max-w-80"
        />
        {FIELDS.filter((field) => field !== 'q').map((field) => (
          <Chip key={field} field={field} value={filter[field]} />
        ))}
      </div>
      {ignored.length > 0 && <p className="text-xs text-ink-3">{t('ignored')}</p>}
    </div>
  );
}

function Chip({ field, value }: { field: Exclude<Field, 'q'>; value: string | undefined }) {
  const filters = useTranslations('locks.filters');
  const { set } = useUrlParams();
  if (value === undefined) return null;
  return (
    <button
      type="button"
      onClick={() => set({ [field]: null })}
      className="inline-flex h-6 max-w-full items-center gap-1 rounded border border-line-strong bg-surface px-1.5 text-xs hover:bg-sunken"
    >
      <span className="text-ink-3">{filters(field)}</span>
      <bdi className="max-w-64 truncate font-mono" title={value.slice(0, 600)}>
        {value.slice(0, 200) || filters('noNamespace')}
      </bdi>
      <span className="sr-only">{filters('remove')}</span>
      <X size={11} aria-hidden className="shrink-0 text-ink-3" />
    </button>
  );
}
