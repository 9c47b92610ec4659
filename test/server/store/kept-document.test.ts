import { afterEach, expect, it } from 'vitest';
import { createKeptDocument } from '@/server/store/kept-document';
import { cleanUp, newDir, openStore } from './store-under-test';

afterEach(cleanUp);

/** Something learnt that takes as long to be saved as it is told. */
async function aKept() {
  const store = openStore({ dataDir: await newDir(), databaseUrl: null });
  await store.start();
  const clock = { at: 0, saveTakesMs: 0, saves: 0 };
  const learnt = {
    version: 0,
    save: () => {
      clock.at += clock.saveTakesMs;
      clock.saves += 1;
      return { count: learnt.version };
    },
    restore: () => undefined,
  };
  const elapsedMs = (): number => clock.at;
  const kept = createKeptDocument({ store, target: 't', kind: 'k', learnt, elapsedMs });
  return { clock, learnt, kept, store };
}

it('writes what is dear to write no more than a hundredth of the time, but at the end at once', async () => {
  const { clock, learnt, kept, store } = await aKept();
  const learnAndTurn = async (ms: number): Promise<number> => {
    clock.at += ms;
    learnt.version += 1;
    await kept.saveInTurn();
    return clock.saves;
  };
  expect(await learnAndTurn(5000)).toBe(1);
  expect(await learnAndTurn(5000)).toBe(2);
  clock.saveTakesMs = 1000;
  expect(await learnAndTurn(5000)).toBe(3);
  expect(await learnAndTurn(50_000)).toBe(3);
  expect(await learnAndTurn(49_999)).toBe(3);
  await kept.save();
  expect(clock.saves).toBe(4);
  expect(await learnAndTurn(100_000)).toBe(5);
  expect((await store.documents('k'))[0]?.value).toEqual({ count: 6 });
});
