import { describe, expect, it } from 'vitest';
import { torture, type TorturePlan } from '@/test/support/lock-fleet/torture';

/** `npm run torture` asks for the full size; another seed is another order of events. */
const isFull = process.env.LOCKSCOPE_TORTURE === 'full';
const seed = Number(process.env.LOCKSCOPE_TORTURE_SEED ?? Date.now() % 100_000);
const size = isFull ? { sections: 200_000, maxMs: 900_000 } : { sections: 20_000, maxMs: 600_000 };

const plan: TorturePlan = {
  program: 'lockscope-child',
  seed,
  processes: 8,
  ...size,
  hasChaos: true,
  client: { ttlMs: 2_000 },
  loop: {
    workers: 8,
    names: Array.from({ length: 24 }, (_, index) => `torture-${index}`),
    longHolds: { share: 0.01, maxMs: 30 },
    shares: { impatient: 0.03, aborted: 0.03, tries: 0.03, barging: 0.03, nested: 0.03 },
    waitMs: 60_000,
  },
};

describe('mutual exclusion', () => {
  it(
    `of 64 workers in 8 processes that are killed and paused at random (seed ${seed})`,
    { timeout: size.maxMs + 90_000 },
    async () => {
      const { record, overlaps, kills, pauses, ...rest } = await torture(plan);
      process.stdout.write(
        `${record.sections} sections in ${rest.tookMs} ms, ${kills} kills, ${pauses} pauses, ${JSON.stringify(record.counts)}\n`,
      );
      expect(record.accusations).toEqual([]);
      expect(overlaps).toEqual([]);
      expect(rest.deaths).toEqual([]);
      expect(rest.immortalKeys).toEqual([]);
      expect(record.sections).toBeGreaterThanOrEqual(size.sections);
      expect(kills).toBeGreaterThan(0);
      expect(pauses).toBeGreaterThan(0);
      expect(record.counts.refused ?? 0).toBeLessThanOrEqual(record.counts.lost ?? 0);
    },
  );
});
