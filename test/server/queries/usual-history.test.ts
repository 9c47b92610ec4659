import { afterAll, expect, it } from 'vitest';
import { CodedError } from '@/lib/protocol/errors';
import { createUsualHolds } from '@/server/analysers/usual-holds';
import { createHistoryReader } from '@/server/queries/history-reader';
import { createUsualHistory } from '@/server/queries/usual-history';
import { ROLLUP_STEP_MS } from '@/server/store/history-contract';
import type { Store } from '@/server/store/store-contract';
import { aRollup, sketchOf } from '@/test/server/queries/history-samples';
import { TARGET } from '@/test/server/queries/server-under-test';
import { cleanUp, onBoth } from '@/test/server/store/store-under-test';
import { aLock, anEndedHold } from '@/test/support/records';

const DAY = 86_400_000;
const NOW = 40 * DAY;

afterAll(cleanUp);

/** A console that begins at `at` and learns what is usual of that store. */
function aConsole(store: Store, at: number) {
  let now = at;
  const usual = createUsualHolds();
  const recorder = {
    pending: () => ({
      ...{ classRollups: [], lockRollups: [], blame: [], holds: [], leftWaits: [], gaps: [] },
    }),
    whileSettled: <T>(read: () => Promise<T>) => read(),
  };
  const history = createHistoryReader({ store, recorder, targetId: TARGET });
  const usualHistory = createUsualHistory({ history, usual, now: () => now });
  const lock = { ...aLock('pay:1'), class: 'pay:*', namespace: 'pay' };
  let generation = 0;
  return {
    usual,
    usualHistory,
    at: (to: number) => void (now = to),
    seen: (count: number, heldMs: number, end: number, over: { notes?: ['touches-gap'] } = {}) => {
      for (let i = 0; i < count; i++) {
        generation += 1;
        const hold = anEndedHold(`t${generation}`, {
          ...{ generation, since: end - heldMs, end, endReason: 'released' },
          ...(over.notes && { notes: new Set(over.notes) }),
        });
        usual.observe([{ kind: 'hold-ended', at: end, lock, hold }]);
      }
    },
    of: () => usual.ofClass('pay:*')[0],
  };
}

const holds = (count: number, ms: number) => ({
  hold: sketchOf(Array.from({ length: count }, () => ms)),
});

/** Writes holds of the class that ended in the step before `end`. */
const write = (store: Store, count: number, ms: number, end: number) =>
  store.writeRollups({
    rollups: [
      aRollup({
        ...{ class: 'pay:*', namespace: 'pay', spanMs: ROLLUP_STEP_MS, acquisitions: count },
        ...{ step: end - ROLLUP_STEP_MS, sketches: holds(count, ms) },
      }),
    ],
    blame: [],
  });

const near = (ms: number) => expect.closeTo(ms, -Math.floor(Math.log10(ms / 20)));

onBoth('what is usual of a class', (place) => {
  const open = async (): Promise<Store> => {
    const store = (await place.fresh()).open(() => NOW);
    await store.start();
    return store;
  };

  it('is known at once after a start, of the holds of the last seven days', async () => {
    const store = await open();
    await write(store, 300, 2000, NOW - 60_000);
    await write(store, 900, 90_000, NOW - 8 * DAY);
    const { usual, usualHistory, of } = aConsole(store, NOW);
    expect(of()).toBeUndefined();
    await usualHistory.turn();
    expect(of()).toMatchObject({ holds: 300, p99Ms: near(2000) });
    expect(usual.quantile({ class: 'pay:*', namespace: 'pay' }, 0.99)).toEqual(near(2000));
    expect(usual.quantile({ class: 'pay:*', namespace: 'other' }, 0.99)).toBeNull();
    expect(usual.from).toBe(NOW - 7 * DAY);
  });

  it('counts no hold twice: what is seen here is not taken from history as well', async () => {
    const store = await open();
    await write(store, 150, 2000, NOW);
    const at = aConsole(store, NOW);
    at.seen(50, 2000, NOW + 1);
    await write(store, 50, 2000, NOW + ROLLUP_STEP_MS);
    at.seen(9, 2000, NOW + 2, { notes: ['touches-gap'] });
    await at.usualHistory.turn();
    expect(at.of()?.holds).toBe(200);
    // Once more a minute later, when all that was seen so far is history.
    const later = NOW + 65_000;
    at.at(later);
    await at.usualHistory.turn();
    at.seen(30, 2000, later + 1);
    at.seen(20, 2000, later + ROLLUP_STEP_MS);
    await write(store, 30, 2000, NOW + 70_000);
    at.at(later + ROLLUP_STEP_MS);
    await at.usualHistory.turn();
    expect(at.usual.all()).toMatchObject([{ class: 'pay:*', holds: 250 }]);
  });

  it('rests on what is seen where there is no history, and says since when', async () => {
    const at = aConsole(await open(), NOW);
    await at.usualHistory.known();
    at.seen(99, 500, NOW + 5);
    expect(at.of()).toMatchObject({ p99Ms: null, holds: 99 });
    at.seen(1, 500, NOW + 6);
    expect(at.of()).toMatchObject({ p99Ms: near(500), holds: 100 });
    expect(at.usual.from).toBe(NOW);
  });

  it('rests on what is seen while the store is broken, and on history once it is back', async () => {
    const store = await open();
    await write(store, 300, 2000, NOW - 60_000);
    let isBroken = true;
    const rollups: Store['rollups'] = async (query) => {
      if (isBroken) throw new CodedError('STORE_UNAVAILABLE', 'the disk is full');
      return await store.rollups(query);
    };
    const at = aConsole({ ...store, rollups }, NOW);
    at.seen(120, 100, NOW + 5);
    await at.usualHistory.turn();
    expect(at.of()).toMatchObject({ holds: 120, p99Ms: near(100) });
    expect(at.usual.from).toBe(NOW + 5);
    isBroken = false;
    await at.usualHistory.known();
    expect(at.of()).toMatchObject({ holds: 420, p99Ms: near(2000) });
  });
});
