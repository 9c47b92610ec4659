/** What the height of a bar is: its share of all of its kind, how many, or how many took at most so long. */
export const DISTRIBUTION_MODES = ['share', 'count', 'cumulative'] as const;
export type DistributionMode = (typeof DISTRIBUTION_MODES)[number];

export interface Bucket {
  /** Upper bound in ms, inclusive. */
  le: number;
  count: number;
}

export interface DistributionBar {
  /** Lower bound in ms, exclusive; 0 for the first. */
  over: number;
  le: number;
  waits: number;
  /** Of `waits`, those that were worked out and those that were seen. */
  inferredWaits: number;
  observedWaits: number;
  holds: number;
  /** Shares 0…1 of all waits and of all holds, so that the two can stand side by side. */
  waitShare: number;
  inferredWaitShare: number;
  observedWaitShare: number;
  holdShare: number;
  /** Share 0…1 that took at most `le`; null where there is none at all. */
  waitsUpTo: number | null;
  holdsUpTo: number | null;
}

/**
 * Waits and holds over the same logarithmic buckets, cut to where either has something and one empty
 * bucket on each side. Empty when there is nothing at all.
 */
export function distributionSeries(
  waits: readonly Bucket[],
  holds: readonly Bucket[],
  inferred: readonly Bucket[] = [],
): DistributionBar[] {
  const bounds = [...new Set([...waits, ...holds].map(({ le }) => le))].sort((a, b) => a - b);
  const counts = { waits: countsOf(waits), holds: countsOf(holds), inferred: countsOf(inferred) };
  const waitTotal = sum(waits);
  const holdTotal = sum(holds);
  const shareOf = (count: number, total: number): number => (total === 0 ? 0 : count / total);
  let waitsSoFar = 0;
  let holdsSoFar = 0;
  const bars = bounds.map((le, index): DistributionBar => {
    const inWaits = counts.waits.get(le) ?? 0;
    const inHolds = counts.holds.get(le) ?? 0;
    const isInferred = Math.min(inWaits, counts.inferred.get(le) ?? 0);
    waitsSoFar += inWaits;
    holdsSoFar += inHolds;
    return {
      over: bounds[index - 1] ?? 0,
      le,
      waits: inWaits,
      inferredWaits: isInferred,
      observedWaits: inWaits - isInferred,
      holds: inHolds,
      waitShare: shareOf(inWaits, waitTotal),
      inferredWaitShare: shareOf(isInferred, waitTotal),
      observedWaitShare: shareOf(inWaits - isInferred, waitTotal),
      holdShare: shareOf(inHolds, holdTotal),
      waitsUpTo: waitTotal === 0 ? null : waitsSoFar / waitTotal,
      holdsUpTo: holdTotal === 0 ? null : holdsSoFar / holdTotal,
    };
  });
  const first = bars.findIndex(isFilled);
  if (first < 0) return [];
  const last = bars.findLastIndex(isFilled);
  return bars.slice(Math.max(0, first - 1), last + 2);
}

const isFilled = (bar: DistributionBar) => bar.waits > 0 || bar.holds > 0;
const sum = (buckets: readonly Bucket[]) => buckets.reduce((total, { count }) => total + count, 0);
const countsOf = (buckets: readonly Bucket[]) =>
  new Map(buckets.map(({ le, count }) => [le, count]));

/** The bar that a duration falls into; null when it lies outside all of them. */
export function barOf(bars: readonly DistributionBar[], ms: number | null): DistributionBar | null {
  if (ms === null) return null;
  return bars.find((bar) => ms > bar.over && ms <= bar.le) ?? null;
}
