import { afterAll, expect, it } from 'vitest';
import { aBlame, aRollup } from './samples';
import { cleanUp, SQLITE } from './store-under-test';

const NOW = 1_790_000_000_000;
const LONG = { target: 'main', from: 0, to: 8_640_000_000_000_000 };

afterAll(cleanUp);

it('is answered of centuries of which little is kept, with what lies far apart in them', async () => {
  const store = (await SQLITE.fresh()).open(() => NOW);
  await store.start();
  for (const step of [NOW - 40_000, NOW]) {
    await store.writeRollups({ rollups: [aRollup({ step })], blame: [aBlame({ step })] });
  }
  const first = NOW - 40_000;
  const rollups = await store.rollups({ ...LONG, level: 'class', stepMs: 10_000, sketches: [] });
  expect(rollups.map(({ step }) => step)).toEqual([first, NOW]);
  const apart = { step: NOW + 5 * 365 * 86_400_000, waiterMs: 7 };
  await store.writeRollups({ rollups: [aRollup(apart)], blame: [aBlame(apart)] });
  const all = await store.rollups({ ...LONG, level: 'class', stepMs: null, sketches: ['hold'] });
  expect(all.map(({ acquisitions }) => acquisitions)).toEqual([3 * aRollup({}).acquisitions]);
  const blame = await store.blame(LONG);
  const waiterMs = blame.reduce((sum, row) => sum + row.waiterMs, 0);
  expect(waiterMs).toBe(2 * aBlame({}).waiterMs + 7);
});
