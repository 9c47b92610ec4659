import type { UrlParams } from '@/components/hooks';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Spans up to now, by their name in the address. */
export const RANGE_MS = {
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': HOUR_MS,
  '6h': 6 * HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
} as const;
export type RangeName = keyof typeof RANGE_MS;

export interface Span {
  /** Epoch ms. */
  from: number;
  to: number;
}

export interface TimeRange {
  name: RangeName;
  /** Set, the page stands still; without it follows the present. */
  fixed: Span | null;
}

export interface RangeChoice {
  offered: readonly RangeName[];
  /** What the server covers when it is not told. */
  usual: RangeName;
}

export const isRangeName = (text: string | null): text is RangeName =>
  text !== null && Object.hasOwn(RANGE_MS, text);

/**
 * Reads the address; whatever does not make sense falls back to the usual range. A range that this page does not offer
 * comes by a link from one that does.
 */
export function readTimeRange(get: UrlParams['get'], { usual }: RangeChoice): TimeRange {
  const from = Number(get('from'));
  const to = Number(get('to'));
  const range = get('range');
  return {
    name: isRangeName(range) ? range : usual,
    fixed: from > 0 && to > from ? { from: Math.round(from), to: Math.round(to) } : null,
  };
}

/** The names to choose from, the shortest first: what is offered, and what is chosen. */
export const rangeNames = ({ name }: TimeRange, { offered }: RangeChoice): RangeName[] =>
  [...new Set([...offered, name])].toSorted((a, b) => RANGE_MS[a] - RANGE_MS[b]);

/** A moving start would open a new query every second: it moves in steps of this share of the range. */
const START_STEPS = 36;

/** What the range adds to a query at the time `now` (epoch ms). */
export function rangeQuery(
  { name, fixed }: TimeRange,
  { usual }: RangeChoice,
  now: number,
): { from?: number; to?: number } {
  if (fixed) return fixed;
  if (name === usual) return {};
  const step = RANGE_MS[name] / START_STEPS;
  const from = Math.floor((now - RANGE_MS[name]) / step) * step;
  return from > 0 ? { from } : {};
}

/** The range as an address says it: for a link to another page that shows the same time. */
export const rangeChanges = ({ name, fixed }: TimeRange): Record<string, string | number> =>
  fixed ? { from: fixed.from, to: fixed.to } : { range: name };

/** A moment as `datetime-local` takes it: the reader's time without a zone, to the second. */
export function localText(at: number): string {
  const date = new Date(at);
  const two = (n: number): string => String(n).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

/** Reverse of {@link localText}; null for what is no moment. */
export function momentOf(text: string): number | null {
  const at = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(at) ? null : at;
}
