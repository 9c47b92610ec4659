'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'use-intl';
import { useFormatName } from '@/components/labels';
import { activeFields, withField, type FilterField, type ListState } from './list-url';

interface Props {
  state: ListState;
  show: (next: ListState) => void;
}

/** The conditions in force, each with a way out. The view and the search have their own controls. */
export function FilterChips({ state, show }: Props) {
  const t = useTranslations('locks.filters');
  const valueText = useValueText(state);
  const fields = activeFields(state.filter).filter((field) => field !== 'view' && field !== 'q');
  if (fields.length === 0) return null;
  return (
    <ul className="flex min-w-0 flex-wrap gap-1.5">
      {fields.map((field) => {
        const value = valueText(field);
        return (
          <li key={field} className="max-w-full min-w-0">
            <button
              type="button"
              onClick={() => show(withField(state, field, undefined))}
              className="inline-flex h-6 max-w-full items-center gap-1 rounded border border-line-strong bg-surface px-1.5 text-xs hover:bg-sunken"
            >
              <span className="text-ink-3">{t(field)}</span>
              <bdi className="max-w-64 truncate font-mono" title={value.slice(0, 600)}>
                {value.slice(0, 200)}
              </bdi>
              <span className="sr-only">{t('remove')}</span>
              <X size={11} aria-hidden className="shrink-0 text-ink-3" />
            </button>
          </li>
        );
      })}
      <li>
        <button
          type="button"
          onClick={() => show({ filter: {}, sort: state.sort })}
          className="h-6 rounded px-1.5 text-xs text-accent-ink hover:underline"
        >
          {t('clear')}
        </button>
      </li>
    </ul>
  );
}

function useValueText({ filter }: ListState): (field: FilterField) => string {
  const t = useTranslations('locks.filters');
  const states = useTranslations('labels.states');
  const formatName = useFormatName();
  return (field) => {
    if (field === 'state' && filter.state) return states(filter.state);
    if (field === 'format' && filter.format) return formatName(filter.format);
    return String(filter[field] ?? '') || t('noNamespace');
  };
}
