'use client';

import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { useRouter } from 'next/navigation';
import { useCallback, useEffect, useRef, type MouseEvent, type ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { LiveSnapshot } from '@/lib/live/live-entry';
import type { LockPage, LockSort } from '@/lib/protocol/queries';
import { LOCK_COLUMNS } from './columns';
import { CARD_PX, LockCard, LockRow, ROW_PX } from './lock-row';
import { rowAt } from './row-window';
import { SortHeader } from './sort-header';
import { useMediaQuery } from './use-media-query';
import { useRowKeys } from './use-row-keys';

interface Props {
  snapshot: LiveSnapshot<LockPage>;
  /** Changes when other rows are shown: the list starts at its top again. */
  resetKey: string;
  sort: LockSort | undefined;
  onSort: (sort: LockSort | undefined) => void;
  /** Told of the first and last row in sight. */
  onVisible: (first: number, last: number) => void;
}

const OVERSCAN = 6;
const HEADER_PX = 32;

/** All matching locks as one scrolling list, of which only what is in sight exists in the page. */
export function LocksTable({ snapshot, resetKey, sort, onSort, onVisible }: Props) {
  const isWide = useMediaQuery('(min-width: 48rem)');
  const scroller = useRef<HTMLDivElement>(null);
  const page = snapshot.data;
  const total = page?.total ?? 0;
  const headerPx = isWide ? HEADER_PX : 0;
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isWide ? ROW_PX : CARD_PX),
    overscan: OVERSCAN,
    scrollMargin: headerPx,
    scrollPaddingStart: headerPx,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, isWide]);
  useEffect(() => virtualizer.scrollToOffset(0), [virtualizer, resetKey]);

  const rows = virtualizer.getVirtualItems();
  const first = rows[0]?.index ?? 0;
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => onVisible(first, last), [onVisible, first, last]);

  const scrollTo = useCallback((index: number) => virtualizer.scrollToIndex(index), [virtualizer]);
  const active = useRowKeys({ container: scroller, total, scrollTo });
  const openRow = useOpenRow();
  const Row = isWide ? LockRow : LockCard;
  const body = rows.map(({ index }) => (
    <Row key={index} index={index} lock={rowAt(page, index)} active={index === active} />
  ));
  const spaces = spacesAround(rows, virtualizer.getTotalSize(), headerPx);
  const List = isWide ? TableList : CardList;
  return (
    // A click anywhere in a row is a shortcut for its link, which keyboards reach by themselves.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <div
      ref={scroller}
      onClick={openRow}
      className={clsx(
        'relative min-h-0 flex-1 overflow-auto bg-surface',
        snapshot.state === 'stale' && 'stale',
      )}
    >
      <List spaces={spaces} total={total} sort={sort} onSort={onSort}>
        {body}
      </List>
    </div>
  );
}

interface ListProps extends Pick<Props, 'sort' | 'onSort'> {
  spaces: { before: number; after: number };
  total: number;
  children: ReactNode;
}

function TableList({ spaces, total, sort, onSort, children }: ListProps) {
  const t = useTranslations('locks');
  return (
    <table
      aria-label={t('tableLabel')}
      aria-rowcount={total + 1}
      className="w-full table-fixed border-separate border-spacing-0 text-sm [&_td]:border-b [&_td]:border-line"
    >
      <thead className="sticky top-0 z-10">
        <tr>
          {LOCK_COLUMNS.map((column) => (
            <SortHeader key={column.id} column={column} sort={sort} onSort={onSort} />
          ))}
        </tr>
      </thead>
      <tbody>
        <Space height={spaces.before} />
        {children}
        <Space height={spaces.after} />
      </tbody>
    </table>
  );
}

function CardList({ spaces, children }: ListProps) {
  const t = useTranslations('locks');
  return (
    <ul
      aria-label={t('tableLabel')}
      style={{ paddingTop: spaces.before, paddingBottom: spaces.after }}
    >
      {children}
    </ul>
  );
}

/** Stands for the rows that are not drawn. */
function Space({ height }: { height: number }) {
  if (height <= 0) return null;
  return <tr aria-hidden style={{ height }} />;
}

const spacesAround = (rows: VirtualItem[], totalSize: number, headerPx: number) => ({
  before: (rows[0]?.start ?? headerPx) - headerPx,
  after: totalSize - ((rows.at(-1)?.end ?? headerPx) - headerPx),
});

function useOpenRow(): (event: MouseEvent) => void {
  const router = useRouter();
  return (event) => {
    const { target } = event;
    if (!(target instanceof Element) || target.closest('a, button')) return;
    // Somebody who selects text does not want to leave.
    if (window.getSelection()?.type === 'Range') return;
    const href = target.closest<HTMLElement>('[data-href]')?.dataset.href;
    if (href) router.push(href);
  };
}
