import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { createHistoryReader, type HistoryReader } from '@/server/queries/history-reader';
import { createRecorder } from '@/server/store/recorder';
import type { Recorder } from '@/server/store/recorder-contract';
import type { Store } from '@/server/store/store-contract';
import { aHold, aLock, aTable } from '@/test/support/records';
import { SQLITE } from '@/test/server/store/store-under-test';

const NOW = 1_700_000_000_000;
const TARGET = 'main';
const RANGE = { from: NOW, to: NOW + 60_000 };

let store: Store;
let recorder: Recorder;
let history: HistoryReader;
let clock = NOW;

beforeEach(async () => {
  clock = NOW;
  store = (await SQLITE.fresh()).open(() => clock);
  await store.start();
  recorder = createRecorder({ store, target: TARGET, now: () => clock, find: () => undefined });
  history = createHistoryReader({ store, recorder, targetId: TARGET });
  recorder.integrate(aTable([]), NOW);
});
afterEach(async () => {
  await recorder.stop();
});

const started = (lock: LockRecord, hold: HoldRecord): Change => ({
  ...{ kind: 'hold-started', at: hold.since, lock, hold, previousEnd: null },
});

function ended(lock: LockRecord, hold: HoldRecord, end: number): Change {
  Object.assign(hold, { end, endReason: 'released', endEvidence: 'observed' });
  return { kind: 'hold-ended', at: end, lock, hold };
}

/** Holds the lock for a second from `since` on. */
function holdOnce(key: string, since: number): void {
  const [lock, hold] = [aLock(key, { formatId: 'redisson-fair' }), aHold('A', { since })];
  recorder.record([started(lock, hold), ended(lock, hold, since + 1000)]);
  recorder.integrate(aTable([]), since + 1000);
}

const acquisitions = async (): Promise<number[]> => {
  const query = { ...RANGE, level: 'class', stepMs: 10_000, sketches: ['hold'] } as const;
  return (await history.rollups(query)).map((rollup) => rollup.acquisitions);
};

describe('history', () => {
  it('tells what is written and what is not yet, each once', async () => {
    holdOnce('a', NOW + 1000);
    expect(await acquisitions()).toEqual([1]);
    clock = NOW + 5000;
    await recorder.flush();
    expect(await acquisitions()).toEqual([1]);
    holdOnce('a', NOW + 6000);
    holdOnce('a', NOW + 12_000);
    expect(await acquisitions()).toEqual([2, 1]);
  });

  it('is the same however a write falls between', async () => {
    for (let i = 0; i < 50; i++) holdOnce('a', NOW + i * 1000);
    const told = await Promise.all([
      acquisitions(),
      recorder.flush(),
      acquisitions(),
      recorder.flush(),
      acquisitions(),
    ]);
    const sums = told.flatMap((each) => (each ? [each.reduce((a, b) => a + b)] : []));
    expect(sums).toEqual([50, 50, 50]);
  });

  it('adds the last seconds to the map, with locks that are in them alone', async () => {
    holdOnce('a', NOW + 1000);
    await recorder.flush();
    holdOnce('a', NOW + 2000);
    holdOnce('b', NOW + 3000);
    const { series, steps, cells } = await history.heat({
      ...{ ...RANGE, level: 'lock', stepMs: 10_000, rows: 10, columns: ['acquisitions', 'waits'] },
    });
    expect([steps, series.map(({ lock }) => lock?.key)]).toEqual([6, ['a', 'b']]);
    expect([cells.acquisitions?.[0], cells.acquisitions?.[6]]).toEqual([2, 1]);
  });

  it('finds waits of holds that are not written yet, by range and by moment', async () => {
    const lock = aLock('a');
    const waited = { ms: 4000, source: 'report', evidence: 'observed' } as const;
    const hold = aHold('B', { since: NOW + 9000, waitedMs: waited });
    recorder.record([started(lock, hold), ended(lock, hold, NOW + 9500)]);
    const query = { ...RANGE, order: 'longest', limit: 5 } as const;
    const [wait] = await history.waits(query);
    expect(wait).toMatchObject({ owner: 'B', start: NOW + 5000, end: NOW + 9000 });
    expect(await history.waits({ ...query, at: NOW + 6000 })).toHaveLength(1);
    expect(await history.waits({ ...query, at: NOW + 9000 })).toEqual([]);
    await recorder.flush();
    expect(await history.waits(query)).toHaveLength(1);
  });

  it('finds each wait once, however a write falls between', async () => {
    const waited = { ms: 400, source: 'report', evidence: 'observed' } as const;
    for (let i = 0; i < 50; i++) {
      const begun = { generation: i + 1, since: NOW + i * 1000, waitedMs: waited };
      const [lock, hold] = [aLock('a'), aHold(`B${i}`, begun)];
      recorder.record([started(lock, hold), ended(lock, hold, NOW + i * 1000 + 500)]);
    }
    const query = { ...RANGE, order: 'longest', limit: 99 } as const;
    // Answers as it was when it was asked, once all has been written.
    const slow: Store = {
      ...store,
      waits: async (asked) => {
        const found = await store.waits(asked);
        await written;
        return found;
      },
    };
    const late = createHistoryReader({ store: slow, recorder, targetId: TARGET });
    const asked = late.waits(query);
    const written = recorder.flush();
    expect(await asked).toHaveLength(50);
    await written;
    expect(await history.waits(query)).toHaveLength(50);
  });

  it('is about one lock, class or namespace where that is asked for', async () => {
    holdOnce('a', NOW + 1000);
    const query = { ...RANGE, level: 'lock', stepMs: null, sketches: [] } as const;
    expect(await history.rollups({ ...query, lock: { db: 0, key: 'a' } })).toHaveLength(1);
    expect(await history.rollups({ ...query, lock: { db: 1, key: 'a' } })).toEqual([]);
    expect(await history.rollups({ ...query, class: 'other:*' })).toEqual([]);
    expect(await history.rollups({ ...query, namespace: 'lock' })).toHaveLength(1);
  });
});
