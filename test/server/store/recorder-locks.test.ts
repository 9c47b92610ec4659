import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Change } from '@/server/state/change';
import type { LockRecord } from '@/server/state/lock-record';
import type { Rollup } from '@/server/store/history-contract';
import { createRecorder } from '@/server/store/recorder';
import type { Recorder } from '@/server/store/recorder-contract';
import type { Store } from '@/server/store/store-contract';
import { aTable } from '@/test/support/records';
import { aHold, aLock, ended, started } from './recorded-changes';
import { SQLITE } from './store-under-test';

const EMPTY = aTable([]);

let r: Recorder;
let store: Store;
/** What is known of whatever key is asked for. */
let known: LockRecord | undefined;

beforeEach(async () => {
  known = undefined;
  store = (await SQLITE.fresh()).open(() => 100_000);
  await store.start();
  r = createRecorder({ store, target: 'main', now: () => 0, find: () => known });
});
afterEach(async () => {
  await r.stop();
});

const rollupsOf = (level: 'class' | 'lock'): Promise<Rollup[]> =>
  store.rollups({
    ...{ target: 'main', level, from: 0, to: 10_000_000, stepMs: 10_000, sketches: [] },
  });

describe('single locks', () => {
  it('are told beside their class, with whom others waited for', async () => {
    const lock = aLock({ formatId: 'redisson-fair' });
    const hold = aHold(1_000);
    r.record([started(lock, hold)]);
    r.integrate(EMPTY, 1_000);
    r.record([{ kind: 'waiting-changed', at: 2_000, lock, before: 0, after: 2 }]);
    r.record([ended(lock, hold, 5_000)]);
    r.record([{ kind: 'waiting-changed', at: 5_500, lock, before: 2, after: 0 }]);
    r.integrate(EMPTY, 6_000);
    await r.flush();
    const [rollup] = await rollupsOf('lock');
    expect(rollup).toMatchObject({ heldMs: 4_000, waiterMs: 7_000, acquisitions: 1 });
    expect(rollup?.lock).toEqual({ db: 0, key: 'order_sync:1' });
    const blame = await store.blame({ target: 'main', from: 0, to: 10_000 });
    expect(new Map(blame.map((row) => [row.cause, [row.owner, row.waiterMs]]))).toEqual(
      new Map([
        ['holder', ['aaaa:1', 6_000]],
        ['nobody', [null, 1_000]],
      ]),
    );
  });

  it('tell the attempts that clients report as refused', async () => {
    known = aLock();
    r.record([
      { kind: 'attempts-refused', at: 1_000, db: 0, key: 'order_sync:1', owner: 'o', count: 7 },
    ]);
    r.integrate(EMPTY, 2_000);
    await r.flush();
    expect((await rollupsOf('class'))[0]?.attempts).toBe(7);
    expect((await rollupsOf('lock'))[0]?.attempts).toBe(7);
  });
});

describe('waits', () => {
  const wait = (lock: LockRecord, outcome: 'granted' | 'left', waitedMs: number): Change => ({
    ...{ kind: 'wait-ended', lock, at: 9_000, owner: 'bbbb:2', waitedMs, outcome },
    ...{ source: 'report', evidence: 'observed', touchesGap: false },
  });

  it('are told by the hold that they led to, even when that was written before', async () => {
    const hold = aHold(8_000);
    const lock = aLock({ ended: [hold] });
    r.record([started(lock, hold), ended(lock, hold, 8_500)]);
    await r.flush();
    hold.waitedMs = { ms: 3_000, source: 'report', evidence: 'observed' };
    r.record([wait(lock, 'granted', 3_000)]);
    await r.flush();
    const [row] = await store.waits({
      ...{ target: 'main', from: 0, to: 10_000, order: 'longest', limit: 9 },
    });
    expect(row).toMatchObject({ start: 5_000, end: 8_000, outcome: 'granted', owner: 'aaaa:1' });
    expect(await store.holds({ limit: 9 })).toHaveLength(1);
  });

  it('that ended without the lock are told by themselves', async () => {
    r.record([wait(aLock(), 'left', 4_000)]);
    expect(r.pending().leftWaits).toHaveLength(1);
    await r.flush();
    const query = { target: 'main', from: 0, to: 10_000, limit: 9 } as const;
    const [row] = await store.waits({ ...query, order: 'newest' });
    expect(row).toMatchObject({ start: 5_000, end: 9_000, outcome: 'left', owner: 'bbbb:2' });
    const [rollup] = await rollupsOf('class');
    expect(rollup).toMatchObject({ waits: 1, timeouts: 1, attempts: 1, waitMs: 4_000 });
  });
});
