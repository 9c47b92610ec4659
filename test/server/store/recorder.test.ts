import { afterEach, describe, expect, it } from 'vitest';
import { readSketch } from '@/lib/analysis/sketch';
import { formatTable } from '@/lib/formats';
import type { HoldNote } from '@/lib/protocol/lock';
import { createLockTable } from '@/server/state/lock-table';
import { createRecorder } from '@/server/store/recorder';
import type { Recorder } from '@/server/store/recorder-contract';
import type { Rollup } from '@/server/store/history-contract';
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

let recorder: Recorder | null = null;
let clock = 0;
let store: Store;

async function start(): Promise<Recorder> {
  store = (await SQLITE.fresh()).open(() => 100_000);
  await store.start();
  return startRecorder(0);
}

function startRecorder(now: number): Recorder {
  clock = now;
  recorder = createRecorder({ store, target: 'main', now: () => clock, find: () => undefined });
  return recorder;
}

afterEach(async () => {
  await recorder?.stop();
  recorder = null;
});

const rollupsOf = (level: 'class' | 'lock'): Promise<Rollup[]> =>
  store.rollups({
    target: 'main',
    level,
    from: 0,
    to: 10_000_000,
    stepMs: 10_000,
    sketches: ['hold', 'handoff', 'fair-queue', 'report', 'token-time'],
  });

/** Everything recorded, from the store, by step. */
async function recorded(): Promise<Map<number, Rollup>> {
  await recorder?.flush();
  const rollups = await rollupsOf('class');
  return new Map(rollups.map((rollup) => [rollup.step, rollup]));
}

async function heldMs(): Promise<number[][]> {
  return [...(await recorded()).values()].map(({ step, heldMs: ms }) => [step, ms]);
}

describe('a console that starts', () => {
  it('writes the holds that it met once it has started, and at once those that it saw begin', async () => {
    await start();
    let isStarting = true;
    const r = createRecorder({
      ...{ store, target: 'main', now: () => clock, find: () => undefined },
      isStarting: () => isStarting,
    });
    recorder = r;
    const met = aHold(1000, { notes: new Set<HoldNote>(['started-before-watch']) });
    r.record([started(aLock(), met), started(aLock({ key: 'order_sync:2' }), aHold(1000))]);
    clock = 2000;
    await r.flush();
    const keys = async () => (await store.openHolds('main')).map(({ key }) => key).sort();
    expect(await keys()).toEqual(['order_sync:2']);
    isStarting = false;
    await r.flush();
    expect(await keys()).toEqual(['order_sync:1', 'order_sync:2']);
  });
});

describe('ends', () => {
  it('count a lease that ended after the work was finished as given back', async () => {
    const r = await start();
    const [lock, hold] = [aLock(), aHold(15_000, { finishedAt: 16_000 })];
    Object.assign(hold, { end: 19_000, endReason: 'lease-ended', endEvidence: 'observed' });
    const [lost, lostHold] = [aLock({ key: 'order_sync:2' }), aHold(15_000)];
    Object.assign(lostHold, { end: 18_000, endReason: 'lease-ended', endEvidence: 'observed' });
    r.record([started(lock, hold), { kind: 'hold-ended', at: 19_000, lock, hold }]);
    r.record([started(lost, lostHold)]);
    r.record([{ kind: 'hold-ended', at: 18_000, lock: lost, hold: lostHold }]);
    r.integrate(EMPTY, 20_000);
    expect((await recorded()).get(10_000)?.ends).toEqual({ released: 1, 'lease-ended': 1 });
  });
});

describe('held time', () => {
  it('is split exactly at the step border', async () => {
    const r = await start();
    const [lock, hold] = [aLock(), aHold(8_000)];
    r.integrate(EMPTY, 7_000);
    r.record([started(lock, hold)]);
    r.integrate(EMPTY, 9_500);
    r.integrate(EMPTY, 10_700);
    r.record([ended(lock, hold, 12_345)]);
    r.integrate(EMPTY, 15_000);
    expect(await heldMs()).toEqual([
      [0, 2_000],
      [10_000, 2_345],
    ]);
  });

  it('counts a hold between two integrations for exactly its length', async () => {
    const r = await start();
    const [lock, hold] = [aLock(), aHold(15_003)];
    r.integrate(EMPTY, 15_000);
    r.record([started(lock, hold), ended(lock, hold, 15_010)]);
    r.integrate(EMPTY, 16_000);
    expect(await heldMs()).toEqual([[10_000, 7]]);
  });

  it('ends where the hold ended, even when that is found out later', async () => {
    const r = await start();
    const [lock, hold] = [aLock(), aHold(15_000)];
    r.record([started(lock, hold)]);
    r.integrate(EMPTY, 23_000);
    await r.flush();
    r.record([ended(lock, hold, 19_500, 23_100)]);
    r.integrate(EMPTY, 24_000);
    const steps = await recorded();
    expect([steps.get(10_000)?.heldMs, steps.get(20_000)?.heldMs]).toEqual([4_500, 0]);
  });

  it('equals the exact sum for random holds and integrations', async () => {
    const r = await start();
    let seed = 11;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const events: { at: number; run: () => void }[] = [];
    const expected = new Map<number, number>();
    for (let i = 0; i < 300; i++) {
      const [lock, hold] = [aLock({ key: `k${i}` }), aHold(random(60_000))];
      const end = hold.since + random(i % 5 ? 50 : 15_000);
      for (let ms = hold.since; ms < end; ms++) {
        const step = Math.floor(ms / 10_000) * 10_000;
        expected.set(step, (expected.get(step) ?? 0) + 1);
      }
      events.push({ at: hold.since, run: () => r.record([started(lock, hold)]) });
      events.push({ at: end, run: () => r.record([ended(lock, hold, end)]) });
    }
    for (let i = 0; i < 80; i++) {
      const at = random(80_000);
      events.push({ at, run: () => r.integrate(EMPTY, at) });
    }
    // The sort is stable: a hold of no length still starts before it ends.
    for (const { run } of events.sort((a, b) => a.at - b.at)) run();
    r.integrate(EMPTY, 90_000);
    const found = new Map([...(await recorded())].map(([step, { heldMs: ms }]) => [step, ms]));
    for (const [step, ms] of expected) expect(found.get(step)).toBe(ms);
    expect([...found.values()].reduce((a, b) => a + b)).toBe(
      [...expected.values()].reduce((a, b) => a + b),
    );
  });

  it('follows a corrected end, its reason and a corrected start', async () => {
    const r = await start();
    const [lock, hold] = [aLock(), aHold(2_000)];
    r.record([started(lock, hold)]);
    hold.since = 1_500;
    r.record([{ kind: 'hold-updated', at: 2_100, lock, hold }]);
    r.record([ended(lock, hold, 5_000)]);
    await r.flush();
    Object.assign(hold, { end: 4_000, endReason: 'lease-ended' });
    r.record([{ kind: 'hold-revised', at: 5_100, lock, hold }]);
    const rollup = (await recorded()).get(0);
    expect(rollup).toMatchObject({ heldMs: 2_500, ends: { 'lease-ended': 1 }, acquisitions: 1 });
    expect(rollup?.ends.released).toBeUndefined();
    const rows = await store.holds({ limit: 9 });
    expect(rows.map(({ past }) => [past.start, past.end, past.endReason])).toEqual([
      [1_500, 4_000, 'lease-ended'],
    ]);
  });

  it('of a hold met at the start of the watch is counted from then, and no acquisition', async () => {
    const r = await start();
    const notes = new Set<HoldNote>(['started-before-watch']);
    const [lock, hold] = [aLock(), aHold(1_000, { notes })];
    r.record([{ ...started(lock, hold), at: 5_000 }]);
    r.record([ended(lock, hold, 6_000)]);
    expect((await recorded()).get(0)).toMatchObject({ heldMs: 1_000, acquisitions: 0 });
  });

  it('moves to the new format when a lock turns out to be of another', async () => {
    const r = await start();
    const [lock, hold] = [aLock(), aHold(1_000)];
    r.record([started(lock, hold)]);
    lock.format = formatTable.byId('redisson-fair');
    r.record([{ kind: 'hold-updated', at: 1_400, lock, hold }, ended(lock, hold, 2_000)]);
    await r.flush();
    const rollups = await rollupsOf('class');
    expect(new Map(rollups.map((one) => [one.formatId, one.heldMs]))).toEqual(
      new Map([
        ['redisson', 400],
        ['redisson-fair', 600],
      ]),
    );
  });
});

describe('waiting and ends', () => {
  it('counts waiter-milliseconds where waiters can be seen', async () => {
    const r = await start();
    const lock = aLock({ formatId: 'redisson-fair' });
    const hold = aHold(1_000);
    r.record([started(lock, hold)]);
    r.integrate(EMPTY, 1_500);
    r.record([{ kind: 'waiting-changed', at: 2_000, lock, before: 0, after: 2 }]);
    r.integrate(EMPTY, 9_000);
    r.record([{ kind: 'waiting-changed', at: 11_000, lock, before: 2, after: 0 }]);
    r.integrate(EMPTY, 12_000);
    const steps = await recorded();
    expect([steps.get(0)?.waiterMs, steps.get(10_000)?.waiterMs]).toEqual([16_000, 2_000]);
  });

  it('says zero for a fair queue without waiters and unknown for a polling library', async () => {
    const r = await start();
    for (const formatId of ['redisson-fair', 'redlock']) {
      const [lock, hold] = [aLock({ formatId, key: formatId }), aHold(1_000)];
      r.record([started(lock, hold), ended(lock, hold, 1_100)]);
    }
    r.integrate(EMPTY, 2_000);
    await r.flush();
    const rollups = await rollupsOf('class');
    expect(new Map(rollups.map((one) => [one.formatId, one.waiterMs]))).toEqual(
      new Map([
        ['redisson-fair', 0],
        ['redlock', null],
      ]),
    );
  });

  it('sums hand-offs and sketches holds and waits, without those that touch a gap', async () => {
    const r = await start();
    const lock = aLock();
    const first = aHold(1_000);
    const second = aHold(1_540, { generation: 2, notes: new Set(['touches-gap']) });
    const wait = {
      kind: 'wait-ended',
      lock,
      owner: 'b',
      source: 'fair-queue',
      outcome: 'granted',
    } as const;
    r.record([started(lock, first), ended(lock, first, 1_500), started(lock, second, 1_500)]);
    r.record([
      { ...wait, at: 1_540, waitedMs: 40, evidence: 'observed', touchesGap: false },
      { ...wait, at: 1_540, waitedMs: 99, evidence: 'observed', touchesGap: true },
      { ...wait, at: 1_540, waitedMs: 99, evidence: 'unknown', touchesGap: false },
      ended(lock, second, 1_600),
    ]);
    const rollup = (await recorded()).get(0);
    expect(rollup).toMatchObject({ handoffMs: 40, handoffs: 1, ends: { released: 2 } });
    const holds = readSketch(rollup?.sketches.hold ?? new Uint8Array());
    expect(holds.count).toBe(1);
    expect(holds.quantile(0.5)).toBeCloseTo(500, -1);
    expect(readSketch(rollup?.sketches['fair-queue'] ?? new Uint8Array()).count).toBe(1);
  });
});

describe('hold rows', () => {
  it('of short holds are written once, of longer ones while open and again at the end', async () => {
    const r = await start();
    const lock = aLock();
    const hold = aHold(1_000);
    r.record([started(lock, hold)]);
    clock = 1_200;
    await r.flush();
    expect(await store.holds({ limit: 9 })).toEqual([]);
    clock = 1_251;
    await r.flush();
    expect((await store.openHolds('main')).map(({ since }) => since)).toEqual([1_000]);
    r.record([ended(lock, hold, 3_000)]);
    await r.flush();
    expect(await store.openHolds('main')).toEqual([]);
    expect((await store.holds({ limit: 9 })).map(({ past }) => past.end)).toEqual([3_000]);
  });

  it('of what lasts are told up to the moment they are asked for', async () => {
    const r = await start();
    r.integrate(EMPTY, 0);
    r.record([started(aLock(), aHold(1000))]);
    clock = 1000;
    r.integrate(EMPTY, 1000);
    clock = 1700;
    expect(r.pending().classRollups.map(({ heldMs: ms }) => ms)).toEqual([700]);
    clock = 1900;
    expect(r.pending().classRollups.map(({ heldMs: ms }) => ms)).toEqual([900]);
  });

  it('wait while the store is broken, are seen as pending, and are written when it is back', async () => {
    const spot = await SQLITE.fresh();
    store = spot.open();
    const r = startRecorder(5_000);
    const [lock, hold] = [aLock(), aHold(1_000)];
    r.record([started(lock, hold), ended(lock, hold, 1_001)]);
    await r.flush();
    expect(r.pending().holds.map(({ past }) => past.end)).toEqual([1_001]);
    expect(r.pending().classRollups.map(({ heldMs: ms }) => ms)).toEqual([1]);
    expect(r.pending().lockRollups.map(({ heldMs: ms }) => ms)).toEqual([1]);
    await store.start();
    await r.flush();
    expect(r.pending()).toEqual({
      ...{ holds: [], leftWaits: [], classRollups: [], lockRollups: [], blame: [], gaps: [] },
    });
    expect(await store.holds({ limit: 9 })).toHaveLength(1);
    expect(await heldMs()).toEqual([[0, 1]]);
    expect(r.lostRows).toBe(0);
  });

  it('count with what others gave up, whose time is a gap', async () => {
    const r = await start();
    r.gaveUp([1_000, 12_000, 3_000]);
    expect(r.lostRows).toBe(3);
    expect(r.pending().gaps).toEqual([{ from: 0, to: 20_000, reason: 'not-written' }]);
  });

  it('of a lock that turns out to be none are closed', async () => {
    const r = await start();
    const hold = aHold(1_000);
    const lock = aLock({ hold });
    r.record([started(lock, hold)]);
    clock = 2_000;
    await r.flush();
    r.record([{ kind: 'lock-forgotten', at: 3_000, lock }]);
    await r.flush();
    expect(await store.openHolds('main')).toEqual([]);
    expect(await heldMs()).toEqual([[0, 2_000]]);
  });

  it('have the store know up to when nothing is missing, should all end at once', async () => {
    const r = await start();
    const lock = aLock();
    r.record([started(lock, aHold(1_000))]);
    clock = 25_500;
    r.integrate(EMPTY, clock);
    await until('it is written', async () => (await store.lastAliveAt('main')) === 20_000);
    expect((await rollupsOf('class')).map(({ step }) => step)).toEqual([0, 10_000]);
  });

  it('and gaps of a restored lock go on where the last console stopped', async () => {
    const r = await start();
    const lock = aLock({ acquisitions: 4 });
    const hold = aHold(1_000);
    r.record([started(lock, hold)]);
    r.record([{ kind: 'gap', at: 1_500, from: 1_100, to: 1_400, reason: 'buffer-cut' }]);
    clock = 2_000;
    await r.stop();
    const table = createLockTable({
      target: 'main',
      formats: formatTable,
      isDeclared: () => false,
      classify: () => ({ class: 'order_sync:*', namespace: 'order_sync' }),
    });
    table.restore(await store.openHolds('main'));
    const next = startRecorder(9_000);
    next.integrate(table, 9_000);
    const again = table.get(0, 'order_sync:1');
    if (again?.hold) next.record([ended(again, again.hold, 9_700)]);
    await next.flush();
    expect(await store.openHolds('main')).toEqual([]);
    const [row] = await store.holds({ limit: 9 });
    expect(row).toMatchObject({ past: { start: 1_000, end: 9_700, generation: 1 } });
    expect(await store.gaps({ from: 0, to: 9_000 })).toMatchObject([{ reason: 'buffer-cut' }]);
  });
});
