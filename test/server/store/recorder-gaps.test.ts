import { afterEach, describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import { createLockTable } from '@/server/state/lock-table';
import { PendingWrites } from '@/server/store/pending-writes';
import { createRecorder } from '@/server/store/recorder';
import type { Recorder } from '@/server/store/recorder-contract';
import type { Store } from '@/server/store/store-contract';
import { until } from '@/test/support/until';
import { aRollup } from './samples';
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
  it('are steps that were given up: each is written whole, or nobody can tell what was in it', async () => {
    await record();
    const writes = new PendingWrites({ store, target: 'main', now: () => clock });
    const classes = 5_000;
    for (let step = 0; step < 45; step++) {
      const name = (i: number) => ({ class: `c${i}`, step: step * STEP_MS, sketches: {} });
      const rollups = Array.from({ length: classes }, (_, i) => aRollup(name(i)));
      writes.addSteps({ rollups, blame: [] });
    }
    const gap = { from: 40 * STEP_MS, to: 45 * STEP_MS, reason: 'not-written' };
    expect(writes.gaps).toEqual([gap]);
    expect(writes.lost).toBe(5 * classes);
    await store.start();
    await writes.write();
    expect(await store.gaps({ from: 0, to: 1_000_000 })).toEqual([{ ...gap, target: 'main' }]);
    const query = { target: 'main', from: 0, to: 1_000_000, stepMs: STEP_MS } as const;
    const told = await store.rollups({ ...query, level: 'class', sketches: [] });
    const steps = [...Map.groupBy(told, ({ step }) => step)];
    expect(steps.map(([step, rows]) => [step, rows.length])).toEqual(
      Array.from({ length: 40 }, (_, step) => [step * STEP_MS, classes]),
    );
    expect(writes.gaps).toEqual([]);
  }, 120_000);

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
