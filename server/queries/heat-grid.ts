import type { Gap } from '@/lib/protocol/target';
import { gapMsWithin } from './gaps';
import { downTo, type WatchedRange } from './watched-range';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/**
 * Lengths that read well on a time axis. Half an hour is none of them: a week of it would be added up out of
 * five-minute steps, twelve times as many as the hours that are kept.
 */
const NICE_STEPS_MS = [
  ...[10_000, 20_000, 30_000],
  ...[1, 2, 5, 10, 15].map((minutes) => minutes * MINUTE_MS),
  ...[1, 2, 4, 6, 12, 24].map((hours) => hours * HOUR_MS),
];
const MAX_COLUMNS = 360;
/** A column counts as unknown when at least this much of it lies in gaps. */
const UNKNOWN_SHARE = 0.5;
/** A column that has just begun is not divided by almost nothing. */
const MIN_SPAN_MS = 1000;

/**
 * The smallest nice step under which the range has at most `mostSteps` of them and that is made of whole steps of
 * `finestMs`, the shortest that is kept of the range.
 */
export function niceStepMs(rangeMs: number, finestMs: number, mostSteps = MAX_COLUMNS): number {
  const least = Math.max(rangeMs / mostSteps, finestMs);
  const nice = NICE_STEPS_MS.find((stepMs) => stepMs >= least && stepMs % finestMs === 0);
  if (nice !== undefined) return nice;
  const unit = DAY_MS % finestMs === 0 ? DAY_MS : finestMs;
  return Math.ceil(least / unit) * unit;
}

/** The columns of a map: `spans[i]` is how much of column `i` was watched so far, null where it is not known. */
export interface HeatGrid {
  columns: number[];
  spans: (number | null)[];
  stepMs: number;
}

/** How much of [at, end) was watched; null where it is not known: before the first watch, and half in gaps or more. */
export function watchedMs(
  { at, end }: { at: number; end: number },
  { watchedFrom }: Pick<WatchedRange, 'watchedFrom'>,
  gaps: readonly Gap[],
): number | null {
  const ms = end - Math.max(at, watchedFrom);
  const isBlind = gapMsWithin(gaps, at, end) >= (end - at) * UNKNOWN_SHARE;
  return ms <= 0 || isBlind ? null : Math.max(MIN_SPAN_MS, ms);
}

/** Columns from the border of a step at or before `from` on. */
export function gridOf(range: WatchedRange, stepMs: number, gaps: readonly Gap[]): HeatGrid {
  const columns: number[] = [];
  const spans: (number | null)[] = [];
  for (let at = downTo(stepMs, range.from); at < range.to; at += stepMs) {
    columns.push(at);
    spans.push(watchedMs({ at, end: Math.min(range.to, at + stepMs) }, range, gaps));
  }
  return { columns, spans, stepMs };
}
