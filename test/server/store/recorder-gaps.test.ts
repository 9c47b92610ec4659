import { afterEach, describe, expect, it } from 'vitest';
import { readSketch } from '@/lib/analysis/sketch';
import { formatTable } from '@/lib/formats';
import { createLockTable } from '@/server/state/lock-table';
import { PendingWrites } from '@/server/store/pending-writes';
import { createRecorder } from '@/server/store/recorder';
import type { Recorder } from '@/server/store/recorder-contract';
import type { Store } from '@/server/store/store-contract';
import { until } from '@/test/support/until';
import { aHold, aLock, ended, started } from './recorded-changes';
import { SQLITE } from './store-under-test';

const EMPTY = createLockTable({
  target: 'main',
  formats: formatTable,
  isDeclared: () => false,
  classify: () => ({ class: 'order_sync:*', namespace: 'order_sync' }),
});
const STEP_MS = 10_000;

let store: Store;
let recorder: Recorder;
let clock = 0;
let blindSince: number | null = null;

async function record(): Promise<Recorder> {
  store = (await SQLITE.fresh()).open(() => 400_000);
  clock = 0;
  recorder = createRecorder({
    ...{ store, target: 'main', now: () => clock, find: () => undefined },
    blindSince: () => blindSince,
  });
  return recorder;
}

afterEach(async () => {
  await recorder.stop();
});

describe('a gap', () => {
  it('is time that passes twice because the clock was set back; figures go on from there', async () => {
    await record();
    await store.start();
    const hour = 3_600_000;
    clock = 2 * hour;
    const [first, second] = [aLock({ key: 'first' }), aLock({ key: 'second' })];
    recorder.integrate(EMPTY, clock);
    const stood = aHold(clock);
    recorder.record([started(first, stood)]);
    for (let i = 0; i < 40; i++) recorder.integrate(EMPTY, (clock += 1000));
    await recorder.flush();
    const before = clock;
    clock = hour;
    recorder.integrate(EMPTY, clock);
    const hold = aHold(clock + 500);
    recorder.record([started(second, hold), ended(second, hold, clock + 1500)]);
    recorder.integrate(EMPTY, (clock += 2000));
    recorder.record([ended(first, stood, clock)]);
    await recorder.flush();
    expect(await store.gaps({ from: 0, to: 3 * hour })).toMatchObject([
      { from: 2 * hour, to: before, reason: 'clock-set-back' },
    ]);
    const query = { target: 'main', from: hour, to: hour + STEP_MS, stepMs: null } as const;
    const ofLocks = await store.rollups({ ...query, level: 'lock', sketches: [] });
    expect(ofLocks.map(({ lock, heldMs }) => [lock?.key, heldMs]).toSorted()).toEqual([
      ['first', 2000],
      ['second', 1000],
    ]);
    const [ofClass] = await store.rollups({ ...query, level: 'class', sketches: ['hold'] });
    expect(ofClass?.heldMs).toBe(3000);
    expect(readSketch(ofClass?.sketches.hold ?? new Uint8Array()).count).toBe(1);
    const all = { ...query, from: 0, to: 3 * hour };
    for (const level of ['class', 'lock'] as const) {
      const rollups = await store.rollups({ ...all, level, stepMs: STEP_MS, sketches: [] });
      expect(rollups.filter(({ heldMs }) => heldMs < 0)).toEqual([]);
    }
    clock = hour + 30_000;
    await until(
      'the mark follows the clock',
      async () => (await store.lastAliveAt('main')) === hour + 20_000,
    );
  });

  it('is not hidden by a mark that was on its way when the clock was set back', async () => {
    await record();
    await store.start();
    const writes = new PendingWrites({ store, target: 'main', now: () => 0 });
    const marking = writes.markWhole(50 * STEP_MS, null);
    writes.setBack();
    await marking;
    await writes.markWhole(STEP_MS, null);
    expect(await store.lastAliveAt('main')).toBe(STEP_MS);
  });

  it('is not hidden by a mark of a time that was read before the clock was set back', async () => {
    await record();
    await store.start();
    const writes = new PendingWrites({ store, target: 'main', now: () => 0 });
    const { setBacks } = writes;
    writes.setBack();
    await writes.markWhole(50 * STEP_MS, null, setBacks);
    await writes.markWhole(STEP_MS, null, writes.setBacks);
    expect(await store.lastAliveAt('main')).toBe(STEP_MS);
  });

  it('that lasts is known to the store: should all end at once, nothing else tells of it', async () => {
    await record();
    await store.start();
    recorder.integrate(EMPTY, clock);
    const alive = (at: number): Promise<boolean> =>
      until(`alive at ${at}`, async () => (await store.lastAliveAt('main')) === at);
    clock = 25_500;
    await alive(20_000);
    blindSince = 17_000;
    clock = 60_000;
    await alive(17_000);
    blindSince = null;
    await alive(50_000);
  });
});
