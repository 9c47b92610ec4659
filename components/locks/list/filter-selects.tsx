'use client';

import { clsx } from 'clsx';
import { useMessages, useTranslations } from 'use-intl';
import { useFormatName } from '@/components/labels';
import { Select } from '@/components/ui/field';
import { LOCK_STATES, memberOf } from '@/lib/protocol/closed-sets';
import { withField, type ListState } from './list-url';

interface Props {
  state: ListState;
  show: (next: ListState) => void;
  className?: string;
}

export function StateSelect({ state, show, className }: Props) {
  const t = useTranslations('locks.filters');
  const states = useTranslations('labels.states');
  return (
    <Select
      aria-label={t('state')}
      value={state.filter.state ?? ''}
      onChange={(event) =>
        show(withField(state, 'state', memberOf(LOCK_STATES, event.target.value)))
      }
      className={clsx('w-auto!', className)}
    >
      <option value="">{`${t('state')}: ${t('any')}`}</option>
      {LOCK_STATES.map((option) => (
        <option key={option} value={option}>
          {states(option)}
        </option>
      ))}
    </Select>
  );
}

export function FormatSelect({ state, show, className }: Props) {
  const t = useTranslations('locks.filters');
  const name = useFormatName();
  const known = Object.keys(useMessages().formatNames);
  const chosen = state.filter.format;
  const options = (chosen && !known.includes(chosen) ? [chosen, ...known] : known).toSorted(
    (a, b) => name(a).localeCompare(name(b)),
  );
  return (
    <Select
      aria-label={t('format')}
      value={chosen ?? ''}
      onChange={(event) => show(withField(state, 'format', event.target.value || undefined))}
      className={clsx('w-auto!', className)}
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
