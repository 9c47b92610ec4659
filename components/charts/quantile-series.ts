import type { Quantiles } from '@/lib/protocol/measures';
import type { Span } from './time-range';

export const QUANTILES = ['p50', 'p90', 'p95', 'p99', 'p999'] as const;
export type QuantileName = (typeof QUANTILES)[number];

/** What is drawn of one step. Percentiles below a millisecond are drawn at it: the scale is logarithmic. */
export interface QuantilePoint extends Record<QuantileName, number | null> {
  /** Middle of the step, where it is drawn. */
  middle: number;
  from: number;
  to: number;
  /** As they are; null = nothing is known of the step. */
  known: Quantiles | null;
}

export interface QuantileStep {
  at: number;
  quantiles: Quantiles | null;
}

/** The smallest duration that is told apart; ms. */
const LEAST_MS = 1;

const drawn = (ms: number | null | undefined): number | null =>
  ms === null || ms === undefined ? null : Math.max(LEAST_MS, ms);

export function quantilePoints(steps: readonly QuantileStep[], stepMs: number): QuantilePoint[] {
  return steps.map(({ at, quantiles }) => ({
    middle: at + stepMs / 2,
    from: at,
    to: at + stepMs,
    known: quantiles,
    p50: drawn(quantiles?.p50),
    p90: drawn(quantiles?.p90),
    p95: drawn(quantiles?.p95),
    p99: drawn(quantiles?.p99),
    p999: drawn(quantiles?.p999),
  }));
}

/** From the first step to the end of the last one; null without steps. */
export function spanOfSteps(steps: readonly { at: number }[], stepMs: number): Span | null {
  const first = steps[0];
  const last = steps.at(-1);
  return first && last ? { from: first.at, to: last.at + stepMs } : null;
}

/** A line has no length where both neighbours are missing: such points need a dot to be seen at all. */
export function isAlone(
  points: readonly QuantilePoint[],
  index: number,
  name: QuantileName,
): boolean {
  const has = (at: number): boolean => (points[at]?.[name] ?? null) !== null;
  return has(index) && !has(index - 1) && !has(index + 1);
}

/** Steps of which nothing is known and gaps within `range`, each moment once, oldest first. */
export function unknownSpans(
  points: readonly QuantilePoint[],
  gaps: readonly { from: number; to: number | null }[],
  range: Span,
): Span[] {
  const steps = points.filter(({ known }) => known === null).map(({ from, to }) => ({ from, to }));
  const all = [...steps, ...gaps.map(({ from, to }) => ({ from, to: to ?? range.to }))]
    .map(({ from, to }) => ({ from: Math.max(from, range.from), to: Math.min(to, range.to) }))
    .filter(({ from, to }) => to > from)
    .toSorted((a, b) => a.from - b.from);
  const joined: Span[] = [];
  for (const span of all) {
    const last = joined.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Durations that read well, each about three times the one before. */
const LADDER = [
  ...[1, 3, 10, 30, 100, 300],
  ...[1, 3, 10, 30].map((n) => n * SECOND),
  ...[1, 3, 10, 30].map((n) => n * MINUTE),
  ...[1, 3, 12].map((n) => n * HOUR),
  ...[1, 3, 10, 30].map((n) => n * DAY),
];
const MOST_TICKS = 7;

export interface DurationScale {
  /** Bounds of a logarithmic axis, ms. */
  from: number;
  to: number;
  ticks: number[];
}

/** A logarithmic axis that holds all of the points' shown percentiles; null when there are none. */
export function durationScale(
  points: readonly QuantilePoint[],
  shown: readonly QuantileName[],
): DurationScale | null {
  let least = Number.POSITIVE_INFINITY;
  let greatest = 0;
  for (const point of points) {
    for (const name of shown) {
      const ms = point[name];
      if (ms === null) continue;
      least = Math.min(least, ms);
      greatest = Math.max(greatest, ms);
    }
  }
  if (greatest === 0) return null;
  const top = LADDER.find((step) => step > greatest) ?? greatest * 2;
  const from = LADDER.findLast((step) => step < least) ?? LEAST_MS;
  const within = LADDER.filter((step) => step >= from && step <= top);
  const every = Math.ceil(within.length / MOST_TICKS);
  return { from, to: top, ticks: within.filter((_, index) => index % every === 0) };
}
