import { createRandom } from '@/server/demo/random';
import type { Rollup } from '@/server/store/history-contract';
import { ROLLUP_STEP_MS } from '@/server/store/history-contract';
import { emptySums } from '@/server/store/sums';

export const FIVE_MINUTES_MS = 300_000;

/** One step of `series` locks of a hundred classes, each with something to tell. */
export function aStep(step: number, series: number): Rollup[] {
  const random = createRandom(step / FIVE_MINUTES_MS);
  return Array.from({ length: series }, (_, i): Rollup => {
    const acquisitions = random.between(1, 200);
    return {
      ...{ target: 'main', class: `orders_${i % 100}:*`, namespace: `team_${i % 10}` },
      ...{ formatId: 'redisson-fair', lock: { db: 0, key: `orders_${i % 100}:${i}` } },
      ...emptySums(),
      ...{ acquisitions, heldMs: acquisitions * random.between(5, 400) },
      ...{ waiterMs: random.between(0, 100_000), waits: random.between(0, 50) },
      ...{ waitMs: random.between(0, 100_000), timeouts: random.between(0, 3) },
      ends: { released: acquisitions },
      step,
      spanMs: ROLLUP_STEP_MS,
      sketches: {},
    };
  });
}
