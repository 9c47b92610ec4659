interface Bucket {
  /** Upper bound in ms, inclusive. */
  le: number;
  count: number;
}

export interface DistributionBar {
  /** Lower bound in ms, exclusive; 0 for the first. */
  over: number;
  le: number;
  waits: number;
  holds: number;
  /** Shares 0…1 of all waits and of all holds, so that the two can stand side by side. */
  waitShare: number;
  holdShare: number;
}

/**
 * Waits and holds over the same logarithmic buckets, cut to where either has something and one empty
 * bucket on each side. Empty when there is nothing at all.
 */
export function distributionSeries(
  waits: readonly Bucket[],
  holds: readonly Bucket[],
): DistributionBar[] {
  const bounds = [...new Set([...waits, ...holds].map(({ le }) => le))].sort((a, b) => a - b);
  const countAt = (buckets: readonly Bucket[]) =>
    new Map(buckets.map(({ le, count }) => [le, count]));
  const waitCounts = countAt(waits);
  const holdCounts = countAt(holds);
  const waitTotal = sum(waits);
  const holdTotal = sum(holds);
  const bars = bounds.map((le, index): DistributionBar => {
    const inWaits = waitCounts.get(le) ?? 0;
    const inHolds = holdCounts.get(le) ?? 0;
    return {
      over: bounds[index - 1] ?? 0,
      le,
      waits: inWaits,
      holds: inHolds,
      waitShare: waitTotal === 0 ? 0 : inWaits / waitTotal,
      holdShare: holdTotal === 0 ? 0 : inHolds / holdTotal,
    };
  });
  const first = bars.findIndex(isFilled);
  if (first < 0) return [];
  const last = bars.findLastIndex(isFilled);
  return bars.slice(Math.max(0, first - 1), last + 2);
}

const isFilled = (bar: DistributionBar) => bar.waits > 0 || bar.holds > 0;
const sum = (buckets: readonly Bucket[]) => buckets.reduce((total, { count }) => total + count, 0);

/** The bar that a duration falls into; null when it lies outside all of them. */
export function barOf(bars: readonly DistributionBar[], ms: number | null): DistributionBar | null {
  if (ms === null) return null;
  return bars.find((bar) => ms > bar.over && ms <= bar.le) ?? null;
}
