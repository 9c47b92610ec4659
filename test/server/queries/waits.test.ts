import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import type { Quantiles, Waits } from '@/lib/protocol/measures';
import type { WaitsParams } from '@/lib/protocol/queries';
import type { Rollup } from '@/server/store/history-contract';
import {
  aHold,
  aLeftWait,
  aRollup,
  exactly,
  lognormal,
  MINUTE_MS,
  sketchOf,
  STEP_MS,
} from './history-samples';
import { ask as askQuery } from './ask';
import { until } from '@/test/support/until';
import { startServer, type TestServer } from './server-under-test';

let server: TestServer;
/** The watch begins here; everything is at or after it. */
let base: number;

beforeAll(async () => {
  server = await startServer();
  base = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 30 * MINUTE_MS;
});
afterAll(() => server.stop());

const ask = (params: WaitsParams): Promise<Waits> =>
  askQuery({ ...server.as('viewer'), startedAt: base }, 'waits', params);

const write = (...rollups: Rollup[]): Promise<void> =>
  server.context.store.writeRollups({ rollups, blame: [] });

const QUANTILES = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 } as const;

/** Each percentile is within 1 % of the one of the samples. */
function expectTruth(found: Quantiles | null, samples: readonly number[]): void {
  expect(found?.count).toBe(samples.length);
  for (const name of ['p50', 'p90', 'p95', 'p99', 'p999'] as const) {
    const exact = exactly(samples, QUANTILES[name]);
    expect(Math.abs((found?.[name] ?? Number.NaN) - exact), name).toBeLessThanOrEqual(exact * 0.01);
  }
}

describe('percentiles', () => {
  const steps = 30;
  const classes = ['alpha', 'beta', 'gamma'];
  const waited = classes.map((_, i) => lognormal(30_000, { seed: i + 1, median: 20 * 9 ** i }));
  const held = classes.map((_, i) => lognormal(3000, { seed: i + 50, median: 700 }));
  /** What of the samples fell into a step. */
  const part = (samples: readonly number[] | undefined, step: number): number[] =>
    (samples ?? []).filter((_, i) => i % steps === step);
  let answer: Waits;

  beforeAll(async () => {
    const rollups: Rollup[] = [];
    for (const [i, name] of classes.entries()) {
      for (let step = 0; step < steps; step++) {
        const waits = sketchOf(part(waited[i], step));
        rollups.push(
          aRollup({
            ...{ class: `${name}:*`, namespace: 'truth', step: base + step * STEP_MS },
            sketches: { hold: sketchOf(part(held[i], step)), 'fair-queue': waits },
          }),
        );
      }
    }
    await write(...rollups);
    answer = await ask({ namespace: 'truth', from: base, to: base + steps * STEP_MS });
  });

  it('of waits and holds are within 1 % of the truth, p50 to p99.9', () => {
    expectTruth(answer, waited.flat());
    expectTruth(answer.holds, held.flat());
    expect(answer.evidence).toBe('observed');
  });

  it('are as true for each step of time', () => {
    expect(answer).toMatchObject({ stepMs: STEP_MS, series: { length: steps } });
    for (const [step, { at, waits, holds }] of answer.series.entries()) {
      expect(at).toBe(base + step * STEP_MS);
      expectTruth(
        waits,
        waited.flatMap((samples) => part(samples, step)),
      );
      expectTruth(
        holds,
        held.flatMap((samples) => part(samples, step)),
      );
    }
  });

  it('are told for each class, and for one alone', async () => {
    expect(answer.byClass.map((one) => one.class).toSorted()).toEqual([
      ...['alpha:*', 'beta:*', 'gamma:*'],
    ]);
    for (const [i, name] of classes.entries()) {
      const one = answer.byClass.find((each) => each.class === `${name}:*`);
      const p99 = exactly(waited[i] ?? [], 0.99);
      expect(Math.abs((one?.waitMs.p99 ?? 0) - p99)).toBeLessThanOrEqual(p99 * 0.01);
    }
    const range = { from: base, to: base + steps * STEP_MS };
    expectTruth(await ask({ class: 'beta:*', ...range }), waited[1] ?? []);
  });

  it('count every wait once in their buckets', () => {
    const counted = answer.buckets.reduce((sum, { count }) => sum + count, 0);
    expect(counted).toBe(waited.flat().length);
    const short = waited.flat().filter((ms) => ms <= 64).length;
    const upTo64 = answer.buckets.filter(({ le }) => le <= 64);
    expect(upTo64.reduce((sum, { count }) => sum + count, 0)).toBe(short);
  });

  it('are compared before and after a marker, to the nearest ten seconds', async () => {
    const marker = base + 12 * STEP_MS - 3000;
    const to = base + steps * STEP_MS;
    const { marker: cut } = await ask({ namespace: 'truth', from: base, to, marker });
    expect(cut?.at).toBe(base + 12 * STEP_MS);
    const isBefore = (samples: number[]): number[] => samples.filter((_, i) => i % steps < 12);
    const isAfter = (samples: number[]): number[] => samples.filter((_, i) => i % steps >= 12);
    expectTruth(cut?.before.waits ?? null, waited.flatMap(isBefore));
    expectTruth(cut?.after.waits ?? null, waited.flatMap(isAfter));
    expectTruth(cut?.before.holds ?? null, held.flatMap(isBefore));
    expectTruth(cut?.after.holds ?? null, held.flatMap(isAfter));
  });

  it('know of no marker outside of the range', async () => {
    const range = { from: base, to: base + steps * STEP_MS };
    expect((await ask({ ...range, marker: base + 3_600_000 })).marker).toBeNull();
    expect((await ask(range)).marker).toBeNull();
  });
});

describe('waits', () => {
  it('that are inferred stand apart from those that were seen', async () => {
    await write(
      aRollup({
        ...{ class: 'evident:1', namespace: 'evident', step: base },
        sketches: { report: sketchOf([10, 10, 10]), 'token-time': sketchOf([1000]) },
      }),
      aRollup({
        ...{ class: 'evident:2', namespace: 'evident', step: base },
        sketches: { 'fair-queue': sketchOf([20]) },
      }),
    );
    const answer = await ask({ namespace: 'evident', from: base, to: base + MINUTE_MS });
    expect(answer).toMatchObject({ count: 5, evidence: 'inferred' });
    expect(answer.sources.map(({ source, count }) => [source, count])).toEqual([
      ...[
        ['fair-queue', 1],
        ['report', 3],
        ['token-time', 1],
      ],
    ]);
    expect(answer.byEvidence).toMatchObject([
      { evidence: 'observed', count: 4 },
      { evidence: 'inferred', count: 1 },
    ]);
    const [seen, inferred] = answer.byEvidence;
    expect(seen?.p999).toBeCloseTo(20, 0);
    expect(inferred?.buckets.at(-1)).toEqual({ le: 1024, count: 1 });
  });

  it('of which nobody can tell are not known, at no time, and are no zero', async () => {
    const polled = { class: 'polled:*', namespace: 'polled', formatId: 'redlock', waiterMs: null };
    await write(aRollup({ ...polled, step: base, sketches: { hold: sketchOf([5]) } }));
    const answer = await ask({ class: 'polled:*', from: base, to: base + MINUTE_MS });
    expect(answer).toMatchObject({ count: 0, p99: null, evidence: 'unknown', holds: { count: 1 } });
    expect(answer.notObservable).toEqual([
      { class: 'polled:*', formats: ['redlock'], reason: 'polls' },
    ]);
    expect(answer.series.every(({ waits }) => waits === null)).toBe(true);
    expect(answer.series[0]?.holds?.count).toBe(1);
  });

  it('are of one namespace where that is asked for, and all are named', async () => {
    const sketches = { 'fair-queue': sketchOf([7]) };
    await write(
      aRollup({ class: 'a:*', namespace: 'spring', step: base, sketches }),
      aRollup({ class: 'b:*', namespace: 'autumn', step: base, sketches }),
    );
    const range = { from: base, to: base + MINUTE_MS };
    const answer = await ask({ namespace: 'spring', ...range });
    expect(answer).toMatchObject({ count: 1, byClass: [{ class: 'a:*', namespace: 'spring' }] });
    expect(answer.namespaces).toEqual(expect.arrayContaining(['spring', 'autumn']));
    expect((await ask(range)).namespaces).toEqual(answer.namespaces);
  });

  it('of equal classes in two namespaces stay apart', async () => {
    const sketches = { 'fair-queue': sketchOf([7]) };
    await write(
      aRollup({ class: 'same:*', namespace: 'one', step: base, sketches }),
      aRollup({ class: 'same:*', namespace: 'two', step: base, sketches }),
    );
    const range = { from: base, to: base + MINUTE_MS };
    const answer = await ask({ class: 'same:*', ...range });
    expect(answer.byClass.map(({ namespace }) => namespace).toSorted()).toEqual(['one', 'two']);
    expect((await ask({ class: 'same:*', namespace: 'two', ...range })).count).toBe(1);
  });

  it.each([
    [5, STEP_MS],
    [15, STEP_MS],
    [60, MINUTE_MS],
    [6 * 60, 5 * MINUTE_MS],
    [7 * 24 * 60, 2 * 60 * MINUTE_MS],
    [90 * 24 * 60, 24 * 60 * MINUTE_MS],
  ])('of %i minutes come in at most 120 steps, of %i ms', async (minutes, stepMs) => {
    const to = base + MINUTE_MS;
    const answer = await ask({ from: to - minutes * MINUTE_MS, to });
    expect(answer.stepMs).toBe(stepMs);
    expect(answer.series.length).toBeLessThanOrEqual(120);
    expect(answer.namespaces).toContain('truth');
  });

  it('are unknown before the watch and in gaps, and none where it was watched', async () => {
    await write(
      aRollup({ class: 'gappy:*', step: base, sketches: { 'fair-queue': sketchOf([3]) } }),
    );
    const gap = { from: base + 5 * MINUTE_MS, to: base + 6 * MINUTE_MS };
    await server.context.store.writeGap(server.context.targetId, { ...gap, reason: 'buffer-cut' });
    const range = { from: base - MINUTE_MS, to: base + 10 * MINUTE_MS };
    const answer = await ask({ class: 'gappy:*', ...range });
    const at = (time: number) => answer.series.find((one) => one.at === time);
    expect(at(base - STEP_MS)).toMatchObject({ waits: null, holds: null });
    expect(at(base)).toMatchObject({ waits: { count: 1 }, holds: { count: 0 } });
    expect(at(base + STEP_MS)).toMatchObject({ waits: { count: 0, p99: null } });
    expect(at(gap.from)).toMatchObject({ waits: null, holds: null });
    expect(at(gap.to)).toMatchObject({ waits: { count: 0 } });
    expect(answer.gaps).toEqual([{ ...gap, reason: 'buffer-cut' }]);
    expect(answer.from).toBe(base);
  });
});

describe('the slowest waits', () => {
  const lock = { db: 0, key: 'slow:1' };

  it('are listed with who held the lock meanwhile, and how many more', async () => {
    const start = base + 60_500;
    const owners = ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gil'];
    const holds = owners.map((owner, i) =>
      aHold({
        ...{ ...lock, owner, generation: i + 1 },
        ...{ start: start + i * 1000, end: start + (i + 1) * 1000 - (i === 3 ? 900 : 0) },
      }),
    );
    const waited = { ms: 6500, source: 'fair-queue', evidence: 'observed' } as const;
    const granted = { owner: 'zoe', generation: 8, start: start + 7000, end: start + 8000, waited };
    await server.context.store.writeHolds([...holds, aHold({ ...lock, ...granted })]);
    await server.context.store.writeLeftWaits([
      aLeftWait({ ...lock, start: start + 200, end: start + 900 }),
    ]);
    const { slowest } = await ask({ class: 'slow:1', from: base, to: base + 5 * MINUTE_MS });
    expect(slowest).toMatchObject([
      { owner: 'zoe', start: start + 500, end: start + 7000, outcome: 'granted', heldByMore: 2 },
      { owner: 'wanda', outcome: 'left', heldBy: [{ owner: 'ada' }], heldByMore: 0 },
    ]);
    // The five who held it for longest of that time, in their order.
    expect(slowest[0]?.heldBy.map(({ owner }) => owner)).toEqual([
      ...['bob', 'cyd', 'eve', 'fay', 'gil'],
    ]);
  });

  it('name the places of those who say where they run', async () => {
    const redis = server.redis.client();
    const client = createLockClient({ redis, allowInsecure: true, app: 'order-7' });
    const lock = await client.acquire('slow:placed');
    try {
      await until(
        'its instance is known',
        () => server.context.table.get(0, lock.key)?.hold?.owner?.app,
      );
      const waiter = `${client.instance}:99`;
      await server.context.store.writeLeftWaits([
        aLeftWait({ db: 0, key: lock.key, owner: waiter, start: base, end: base + 1000 }),
        aLeftWait({ db: 0, key: lock.key, owner: 'somebody', start: base, end: base + 900 }),
      ]);
      const { places } = await ask({ key: lock.key, from: base, to: base + MINUTE_MS });
      expect(places).toMatchObject([{ owner: waiter, app: 'order-7', pid: process.pid }]);
    } finally {
      await client.close();
      redis.disconnect();
    }
  });

  it('are twenty at most, the longest first', async () => {
    const name = { db: 0, key: 'slow:many' };
    await server.context.store.writeLeftWaits(
      Array.from({ length: 30 }, (_, i) =>
        aLeftWait({ ...name, owner: `w${i}`, start: base + 1000, end: base + 2000 + i * 100 }),
      ),
    );
    const range = { from: base, to: base + MINUTE_MS };
    const { slowest } = await ask({ class: 'slow:many', ...range });
    expect(slowest.map(({ owner }) => owner)).toEqual(
      Array.from({ length: 20 }, (_, i) => `w${29 - i}`),
    );
  });
});

describe('a single lock', () => {
  const range = () => ({ from: base, to: base + 10 * MINUTE_MS });

  it('that was busy is told from what history adds up of it', async () => {
    const lock = { db: 0, key: 'busy:1' };
    const sketches = { hold: sketchOf([40, 50]), 'fair-queue': sketchOf([400, 500]) };
    const ofLock = { class: 'busy:*', namespace: '', waits: 2, ends: { released: 2 }, sketches };
    await write(
      aRollup({ ...ofLock, lock, step: base }),
      aRollup({ ...ofLock, lock, step: base + STEP_MS }),
      aRollup({ ...ofLock, lock: { db: 0, key: 'busy:2' }, step: base }),
    );
    const answer = await ask({ key: 'busy:1', db: 0, ...range() });
    expect(answer).toMatchObject({ count: 4, evidence: 'observed', holds: { count: 4 } });
    expect(answer.p50).toBeCloseTo(400, -1);
    expect(await ask({ keyB64: btoa('busy:2'), ...range() })).toMatchObject({ count: 2 });
  });

  it('that was cold is told hold by hold and wait by wait', async () => {
    const lock = { db: 0, key: 'cold:1' };
    const of = { ...lock, class: 'cold:*' };
    const at = base + 2 * MINUTE_MS;
    const waited = { ms: 800, source: 'report', evidence: 'observed' } as const;
    await server.context.store.writeHolds([
      aHold({ ...of, generation: 1, start: at, end: at + 1000 }),
      aHold({ ...of, generation: 2, start: at + 1000, end: at + 4000, waited }),
      aHold({ ...of, generation: 3, start: at + 5000, end: at + 95_000, notes: ['touches-gap'] }),
      aHold({ ...of, generation: 4, start: at + 200_000, end: null }),
      aHold({ ...of, db: 1, generation: 1, start: at, end: at + 1 }),
    ]);
    await server.context.store.writeLeftWaits([
      aLeftWait({ ...of, start: at + 61_000, end: at + 61_100 }),
    ]);
    const answer = await ask({ key: 'cold:1', db: 0, ...range() });
    expect(answer).toMatchObject({ count: 2, evidence: 'observed', holds: { count: 2 } });
    expectTruth(answer, [800, 100]);
    expectTruth(answer.holds, [1000, 3000]);
    const counts = answer.series.flatMap(({ at: step, waits }) =>
      waits?.count ? [[step - base, waits.count]] : [],
    );
    expect(counts).toEqual([
      [2 * MINUTE_MS, 1],
      [3 * MINUTE_MS, 1],
    ]);
    expect(answer.slowest.map(({ outcome }) => outcome)).toEqual(['granted', 'left']);
    const { marker } = await ask({ key: 'cold:1', db: 0, ...range(), marker: at + MINUTE_MS });
    expect(marker).toMatchObject({
      before: { waits: { count: 1 } },
      after: { waits: { count: 1 } },
    });
  });

  it('of which nothing is known has no waits that are known to be none', async () => {
    const answer = await ask({ key: 'never:seen', ...range() });
    expect(answer).toMatchObject({ count: 0, p50: null, evidence: 'unknown', byClass: [] });
    expect(answer.series.every(({ waits }) => waits === null)).toBe(true);
  });

  it('leaves waits that touch a gap out of percentiles, but for those that were reported', async () => {
    const lock = { db: 0, key: 'torn:1' };
    const gap = { from: base + 15 * MINUTE_MS, to: base + 15 * MINUTE_MS + 2000 };
    await server.context.store.writeGap(server.context.targetId, { ...gap, reason: 'buffer-cut' });
    const wait = { ...lock, start: gap.from - 1000 };
    await server.context.store.writeLeftWaits([
      aLeftWait({ ...wait, owner: 'torn', end: gap.to + 9000 }),
      aLeftWait({ ...wait, owner: 'told', end: gap.to + 1000, source: 'report' }),
      aLeftWait({ ...lock, owner: 'whole', start: gap.to + 10, end: gap.to + 110 }),
    ]);
    const answer = await ask({ key: 'torn:1', from: base, to: base + 20 * MINUTE_MS });
    expectTruth(answer, [4000, 100]);
    expect(answer.slowest.map(({ owner, evidence }) => [owner, evidence])).toEqual([
      ...[
        ['torn', 'unknown'],
        ['told', 'observed'],
        ['whole', 'observed'],
      ],
    ]);
  });
});

it('a range that ends before it begins is refused', async () => {
  await expect(ask({ from: base + 1000, to: base })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: { field: 'from' },
  });
});
