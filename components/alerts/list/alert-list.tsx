'use client';

import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual';
import {
  useCallback,
  useEffect,
  useRef,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react';
import { useTranslations } from 'use-intl';
import type { AlertLine } from './alert-groups';
import { AlertRow, type RowActs } from './alert-row';
import type { Grouping } from './alert-view';
import { GroupHead } from './group-head';
import type { AlertList as List } from './use-alert-list';

interface Props {
  list: List;
  grouping: Grouping;
  mayAct: boolean | null;
  acts: RowActs;
}

/** More rows than this are not all drawn at once. */
const DRAWN_AT_ONCE = 200;
const ROW_PX = 66;
const OVERSCAN = 8;
/** The bar above the list covers so much of what scrolls under it. */
const COVERED_PX = 48;

/** The alerts and the heads of their groups, one below the other. */
export function AlertList({ list, grouping, mayAct, acts }: Props) {
  const t = useTranslations('alerts');
  const { lines, selection } = list;
  const box = useRef<HTMLUListElement>(null);
  const drawn = useDrawnLines(box, lines, selection.cursor);
  useFocusOnCursor(box, selection.cursor, drawn.scrollTo);
  const item = (line: AlertLine): ReactNode =>
    line.kind === 'group' ? (
      <GroupHead line={line} grouping={grouping} onFold={list.fold} />
    ) : (
      <AlertRow
        alert={line.alert}
        hasLeft={list.left.has(line.id)}
        isChosen={selection.chosen.has(line.id)}
        isActive={selection.cursor === line.id}
        isExpanded={list.expanded.has(line.id)}
        inGroup={grouping !== 'none'}
        mayAct={mayAct}
        acts={acts}
      />
    );
  return (
    // It only hears where the focus is: what is pressed are the controls within.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={box}
      aria-label={t('listLabel')}
      className="overflow-hidden rounded-lg border border-line bg-surface [overflow-anchor:none]"
      style={drawn.height === null ? undefined : { position: 'relative', height: drawn.height }}
      onFocus={({ target }) => {
        list.hold(true);
        const id = target.closest<HTMLElement>('[data-alert]')?.dataset['alert'];
        if (id !== undefined) list.point(id);
      }}
      onBlur={({ currentTarget, relatedTarget }) =>
        // Without a next place the window lost the focus, or a dialog opens: whoever works here comes back.
        relatedTarget && !currentTarget.contains(relatedTarget) && list.hold(false)
      }
    >
      {drawn.lines.map(({ line, index, top }) => (
        <li
          key={line.id}
          ref={drawn.measure}
          data-index={index}
          data-alert={line.kind === 'alert' ? line.id : undefined}
          aria-setsize={drawn.height === null ? undefined : lines.length}
          aria-posinset={drawn.height === null ? undefined : index + 1}
          className="[&:last-child>div]:border-b-0"
          style={{ scrollMarginTop: COVERED_PX, ...(top !== null && placedAt(top)) }}
        >
          {item(line)}
        </li>
      ))}
    </ul>
  );
}

const placedAt = (top: number): CSSProperties => ({
  position: 'absolute',
  top: 0,
  insetInline: 0,
  transform: `translateY(${top}px)`,
});

interface Drawn {
  lines: { line: AlertLine; index: number; top: number | null }[];
  /** Of the whole list, where only a part of it is drawn. */
  height: number | null;
  measure: ((element: HTMLElement | null) => void) | undefined;
  scrollTo: (id: string) => void;
}

/** All lines of a short list; of a long one those in sight, and the one that has the focus. */
function useDrawnLines(
  box: RefObject<HTMLElement | null>,
  lines: readonly AlertLine[],
  cursor: string | null,
): Drawn {
  const isLong = lines.length > DRAWN_AT_ONCE;
  const held = cursor === null ? -1 : lines.findIndex(({ id }) => id === cursor);
  const virtualizer = useVirtualizer({
    enabled: isLong,
    count: lines.length,
    getScrollElement: () => box.current?.closest<HTMLElement>('main') ?? null,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: OVERSCAN,
    scrollPaddingStart: COVERED_PX,
    scrollMargin: box.current?.offsetTop ?? 0,
    rangeExtractor: useCallback(
      (range: Range) => {
        const indexes = defaultRangeExtractor(range);
        // What has the focus stays drawn, or the focus would be lost by scrolling.
        return held < 0 || indexes.includes(held)
          ? indexes
          : [...indexes, held].sort((a, b) => a - b);
      },
      [held],
    ),
  });
  const scrollTo = (id: string): void => {
    const index = lines.findIndex((line) => line.id === id);
    if (isLong && index >= 0) virtualizer.scrollToIndex(index);
  };
  if (!isLong) {
    const whole = lines.map((line, index) => ({ line, index, top: null }));
    return { lines: whole, height: null, measure: undefined, scrollTo };
  }
  const margin = virtualizer.options.scrollMargin;
  return {
    lines: virtualizer.getVirtualItems().flatMap(({ index, start }) => {
      const line = lines[index];
      return line ? [{ line, index, top: start - margin }] : [];
    }),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    scrollTo,
  };
}

/** The link of the row under the cursor takes the focus, so that Enter and everything else is the browser's own. */
function useFocusOnCursor(
  box: RefObject<HTMLElement | null>,
  cursor: string | null,
  scrollTo: (id: string) => void,
): void {
  const scroll = useRef(scrollTo);
  useEffect(() => {
    scroll.current = scrollTo;
  });
  useEffect(() => {
    if (cursor === null) return undefined;
    const row = () =>
      box.current?.querySelector<HTMLElement>(`[data-alert="${CSS.escape(cursor)}"]`);
    if (row()?.contains(document.activeElement)) return undefined;
    scroll.current(cursor);
    // The row may be drawn only after the scroll took effect.
    const frame = requestAnimationFrame(() => {
      const link = row()?.querySelector<HTMLElement>('a');
      link?.focus({ preventScroll: true });
      link?.closest('li')?.scrollIntoView({ block: 'nearest' });
    });
    return () => cancelAnimationFrame(frame);
  }, [cursor, box]);
}
