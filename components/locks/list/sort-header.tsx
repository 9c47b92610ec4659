'use client';

import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { LockSort } from '@/lib/protocol/queries';
import { cellClass, type LockColumn } from './columns';

interface Props {
  column: LockColumn;
  sort: LockSort | undefined;
  onSort: (sort: LockSort | undefined) => void;
}

/** A column's header; where the column can be sorted by, presses go through its orders and back to none. */
export function SortHeader({ column, sort, onSort }: Props) {
  const t = useTranslations('locks');
  const name = t(`columns.${column.id}`);
  const at = column.sorts.findIndex((each) => each.sort === sort);
  const current = column.sorts[at];
  const Arrow = current?.direction === 'descending' ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={current?.direction}
      className={`${cellClass(column)} h-8 border-b border-line bg-surface text-xs font-medium text-ink-3`}
    >
      {column.sorts.length === 0 ? (
        name
      ) : (
        <button
          type="button"
          title={t('sortBy', { column: name })}
          onClick={() => onSort(column.sorts[at + 1]?.sort)}
          className={`-mx-1 inline-flex items-center gap-1 rounded px-1 hover:text-ink ${current ? 'text-ink' : ''}`}
        >
          {name}
          {current && <Arrow size={11} aria-hidden />}
        </button>
      )}
    </th>
  );
}
