import { expect, it } from 'vitest';
import type { Store } from '@/server/store/store-contract';
import { until } from '@/test/support/until';
import { aRollup } from './samples';
import { onBoth } from './store-under-test';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The beginning of an hour. */
const NOW = 1_800_000_000_000;
/** Tidying is done in the background, after everything else. */
const TIDIED_WITHIN_MS = 90_000;

const write = (store: Store, step: number): Promise<void> =>
  store.writeRollups({ rollups: [aRollup({ step })], blame: [] });

const acquisitionsIn = async (store: Store, from: number, to: number): Promise<number> => {
  const range = { target: 'main', level: 'class', from, to } as const;
  const rows = await store.rollups({ ...range, stepMs: null, sketches: [] });
  return rows.reduce((sum, row) => sum + row.acquisitions, 0);
};

onBoth('a clock that was ahead and is right again', (place) => {
  it.each([
    ['a year, so that nothing is kept of what is now', 400],
    ['three days, so that longer steps are', 3],
  ])(
    'by %s: nothing that happens is left out or told twice',
    async (_, days) => {
      let now = NOW;
      const { open } = await place.fresh();
      const store = open(() => now);
      await store.start();
      await write(store, NOW);
      const ahead = NOW + days * DAY_MS;
      now = ahead;
      await write(store, ahead);
      await until(
        'the shortest steps are cut by that time',
        async () => {
          const { tiers } = await store.kept();
          if (days > 90 && (await store.firstRollupAt('main')) !== ahead) return false;
          return (tiers[0]?.from ?? 0) >= ahead && (tiers.at(-1)?.built ?? 0) > ahead - DAY_MS;
        },
        TIDIED_WITHIN_MS,
      );
      now = NOW + HOUR_MS + 90_000;
      await store.stop();
      const again = open(() => now);
      await again.start();
      const began = NOW + HOUR_MS;
      const steps = [60_000, 70_000, 80_000, 3_500_000, 4_000_000, 9_000_000];
      for (const step of steps) {
        now = began + step + 12_000;
        await write(again, began + step);
        expect(await acquisitionsIn(again, began, now)).toBe(steps.indexOf(step) + 1);
      }
      now = ahead + DAY_MS;
      await until(
        'all that is built again',
        async () => ((await again.kept()).tiers.at(-1)?.built ?? 0) > ahead,
        TIDIED_WITHIN_MS,
      );
      expect(await acquisitionsIn(again, began, ahead + DAY_MS)).toBe(steps.length);
    },
    240_000,
  );
});
