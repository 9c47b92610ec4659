import { afterAll, describe, expect, it } from 'vitest';
import { queuedHold } from '@/server/store/history-rows';
import { PendingWrites } from '@/server/store/pending-writes';
import { rollupBytes } from '@/server/store/waiting-bytes';
import type { Store } from '@/server/store/store-contract';
import { aHold, aLock } from './recorded-changes';
import { aBlame, aLeftWait, aRollup } from './samples';
import { cleanUp, SQLITE } from './store-under-test';

const STEP_MS = 10_000;
const RANGE = { from: 0, to: 1_000_000 };

afterAll(cleanUp);

/** A store that is broken until it is started, and what waits for it. */
async function waitFor(roomBytes: number): Promise<{ store: Store; writes: PendingWrites }> {
  const store = (await SQLITE.fresh()).open(() => 400_000);
  return { store, writes: new PendingWrites({ store, target: 'main', now: () => 0, roomBytes }) };
}

const aQueued = (key: string, since: number, isOpen = false) =>
  queuedHold(aLock({ key }), aHold(since, isOpen ? {} : { end: since + 1 }), true);

describe('what waits for a broken store', () => {
  it('takes no more than its room; the oldest stays, and the time of the rest is a gap', async () => {
    const classes = 100;
    const rowsOf = (step: number) =>
      Array.from({ length: classes }, (_, i) =>
        aRollup({ class: `c${i}`, step: step * STEP_MS, sketches: { hold: new Uint8Array(i) } }),
      );
    const stepBytes = rowsOf(0).reduce((sum, rollup) => sum + rollupBytes(rollup), 0);
    const { store, writes } = await waitFor(5 * stepBytes);
    for (let step = 0; step < 8; step++) writes.addSteps({ rollups: rowsOf(step), blame: [] });
    const gap = { from: 5 * STEP_MS, to: 8 * STEP_MS, reason: 'not-written' };
    expect([writes.bytes, writes.lost, writes.gaps]).toEqual([5 * stepBytes, 3 * classes, [gap]]);
    await store.start();
    await writes.write();
    expect([writes.bytes, writes.size, writes.gaps]).toEqual([0, 0, []]);
    expect(await store.gaps(RANGE)).toEqual([{ ...gap, target: 'main' }]);
    const query = { target: 'main', ...RANGE, stepMs: STEP_MS, level: 'class' } as const;
    const told = [...Map.groupBy(await store.rollups({ ...query, sketches: [] }), (r) => r.step)];
    expect(told.map(([step, rows]) => [step, rows.length])).toEqual(
      Array.from({ length: 5 }, (_, step) => [step * STEP_MS, classes]),
    );
  });

  it('loses single holds and waits first, then figures of locks, and those of classes last', async () => {
    const { writes } = await waitFor(400_000);
    for (let i = 0; i < 1000; i++) writes.addHold(aQueued(`k${i}`, i));
    const holds = writes.holds.length;
    expect(holds).toBe(1000 - writes.lost);
    expect(writes.holds.map(({ key }) => key)).toEqual(
      Array.from({ length: holds }, (_, i) => `k${i}`),
    );
    for (let i = 0; i < 1000; i++) writes.addLeftWait(aLeftWait());
    const single = writes.bytes;
    expect(single).toBeLessThanOrEqual(200_000);
    for (let i = 0; i < 1000; i++) {
      writes.addSteps({ rollups: [aRollup({ lock: { db: 0, key: 'k' } })], blame: [aBlame()] });
    }
    const withLocks = writes.bytes;
    expect(withLocks).toBeGreaterThan(single);
    expect(withLocks).toBeLessThanOrEqual(300_000);
    for (let i = 0; i < 1000; i++) writes.addSteps({ rollups: [aRollup()], blame: [] });
    expect(writes.bytes).toBeGreaterThan(withLocks);
    expect(writes.bytes).toBeLessThanOrEqual(400_000);
    expect(writes.size + writes.lost).toBe(5000 + writes.gaps.length);
  });

  it('keeps what is newer of a hold that waits in the room that it has', async () => {
    const { writes } = await waitFor(1_000_000);
    const queued = aQueued('k', 1_000);
    writes.addHold(queued);
    const { bytes } = writes;
    writes.addHold(queuedHold(aLock({ key: 'k' }), queued.hold, false));
    expect([writes.size, writes.bytes]).toEqual([1, bytes]);
  });

  it('always takes the end of a hold that was written while it was open', async () => {
    const { store, writes } = await waitFor(10_000);
    await store.start();
    const open = aQueued('open', 1_000, true);
    writes.addHold(open);
    await writes.write();
    expect(await store.openHolds('main')).toHaveLength(1);
    for (let i = 0; i < 100; i++) writes.addHold(aQueued(`k${i}`, 2_000));
    expect(writes.lost).toBeGreaterThan(0);
    Object.assign(open.hold, { end: 3_000, endReason: 'released', endEvidence: 'observed' });
    writes.addHold(queuedHold(aLock({ key: 'open' }), open.hold, false));
    await writes.write();
    expect(await store.openHolds('main')).toEqual([]);
  });

  it('does not hold on to what was read of a lock that is gone', async () => {
    const { writes } = await waitFor(1_000_000);
    const lock = aLock({ key: 'k' });
    const queued = queuedHold(lock, aHold(1_000), true);
    writes.addHold(queued);
    expect(Object.values(queued)).not.toContain(lock);
  });
});
