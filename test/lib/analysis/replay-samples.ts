import type { Arrival } from '@/lib/analysis/replay';
import type { RecordedHold } from '@/lib/analysis/replay-record';
import { createSeededRandom } from '@/lib/analysis/replay-random';

/** A hold of 'stock' by nobody in particular that did not wait. */
export const aRecordedHold = (
  start: number,
  end: number,
  overrides: Partial<RecordedHold> = {},
): RecordedHold => ({
  lock: 'stock',
  owner: null,
  start,
  end,
  waitedMs: 0,
  businessId: null,
  ...overrides,
});

/** Arrivals without memory, `perMs` in the mean. */
export function poisson(
  count: number,
  perMs: number,
  { seed = 1, holdMs }: { seed?: number; holdMs: (random: () => number) => number },
): Arrival[] {
  const random = createSeededRandom(seed);
  let at = 0;
  return Array.from({ length: count }, () => {
    at -= Math.log(1 - random()) / perMs;
    return { at, holdMs: holdMs(random) };
  });
}

export const exponential =
  (meanMs: number) =>
  (random: () => number): number =>
    -Math.log(1 - random()) * meanMs;
