import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HEAT_METRICS } from '@/lib/protocol/closed-sets';
import { unpackHeatCells } from '@/lib/protocol/heat-cells';
import type { Heatmap, HeatMetric } from '@/lib/protocol/measures';
import type { HeatmapParams } from '@/lib/protocol/queries';
import { runQuery } from '@/server/queries';
import type { Rollup } from '@/server/store/history-contract';
import { emptySums } from '@/server/store/sums';
import { ask as askQuery } from './ask';
import {
  aHold,
  aRollup,
  exactly,
  lognormal,
  MINUTE_MS,
  sketchOf,
  STEP_MS,
} from './history-samples';
import { startServer, type TestServer } from './server-under-test';

let server: TestServer;
/** The watch began here; everything is at or after it. */
let base: number;
/** The end of what most maps show. */
let end: number;

beforeAll(async () => {
  server = await startServer();
  base = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS;
  end = base + 30 * MINUTE_MS;
});
afterAll(() => server.stop());

const ask = (params: HeatmapParams): Promise<Heatmap> =>
  askQuery({ ...server.as('viewer'), startedAt: base }, 'heatmap', {
    ...{ from: base, to: end },
    ...params,
  });

const write = (...rollups: Rollup[]): Promise<void> =>
  server.context.store.writeRollups({ rollups, blame: [] });

/** A rollup of a step of the map, of nothing but what is given. */
const at = (step: number, over: Partial<Rollup>): Rollup =>
  aRollup({ ...emptySums(), ...over, step: base + step * STEP_MS });

const key = (name: string) => ({ db: 0, key: name });
const pathsOf = ({ rows }: Heatmap): string[] => rows.map(({ path }) => path.join(' › '));
const valueAt = (map: Heatmap, path: string, column: number): number | null | undefined =>
  map.values[pathsOf(map).indexOf(path)]?.[column];

describe('the metrics of a class', () => {
  const namespace = 'metrics';
  const about = { namespace, class: 'job:*' };
  const waited = lognormal(4000, { seed: 1, median: 80 });
  const reported = lognormal(1000, { seed: 2, median: 900 });
  const handed = lognormal(500, { seed: 3, median: 7 });

  beforeAll(() =>
    write(
      at(0, {
        ...{ ...about, acquisitions: 3, heldMs: 5000, waiterMs: 20_000 },
        ...{ waits: 4000, waitMs: 99, timeouts: 2, attempts: 60, handoffs: 500, handoffMs: 77 },
        ends: { released: 1, 'lease-ended': 2, evicted: 1, moved: 1 },
        sketches: { 'fair-queue': sketchOf(waited), handoff: sketchOf(handed) },
      }),
      // Another library that writes locks of the class.
      at(0, {
        ...{ ...about, formatId: 'qoder', acquisitions: 2, heldMs: 15_000, waiterMs: 0 },
        ...{ waits: 1000, waitMs: 1, timeouts: 0, attempts: 0 },
        sketches: { report: sketchOf(reported) },
      }),
      // Waits that touched a gap: they are counted and not measured.
      at(2, { ...about, waiterMs: 0, waits: 1, waitMs: 500, timeouts: 0, attempts: 0 }),
    ),
  );

  const of = (metric: HeatMetric): Promise<Heatmap> => ask({ metric, namespace });

  it.each([
    ['hold-share', 'share', 2],
    ['acquisitions', 'per minute', 30],
    ['waiters', 'waiters', 2],
    ['attempts', 'per minute', 360],
    ['timeouts', 'count', 2],
    ['lost', 'count', 3],
  ] as const)('%s are sums of all libraries, in %s', async (metric, unit, value) => {
    const map = await of(metric);
    expect(map).toMatchObject({ metric, unit, evidence: 'observed', stepMs: STEP_MS });
    expect(map.rows).toEqual([{ label: 'job:*', path: [namespace, 'job:*'], kind: 'class' }]);
    expect(map.values[0]?.slice(0, 2)).toEqual([value, 0]);
    expect(map.columns).toHaveLength(180);
    expect(map.values[0]).toHaveLength(180);
  });

  it.each([
    ['wait', [...waited, ...reported]],
    ['handoff', handed],
  ] as const)('%s is the 95th percentile of all that was measured', async (metric, samples) => {
    const map = await of(metric);
    const [first, silent] = map.values[0] ?? [];
    const truth = exactly(samples, 0.95);
    expect(Math.abs((first ?? 0) - truth)).toBeLessThanOrEqual(truth * 0.01);
    expect(silent).toBe(0);
    expect(map.unit).toBe('ms');
  });

  it('are those of whole columns, also of one in whose midst the range ends', async () => {
    const map = await ask({ metric: 'waiters', namespace, to: base + 500 });
    expect(map.columns).toEqual([base]);
    expect(map.values).toEqual([[2]]);
  });

  it('are unknown where waits ended and none could be measured', async () => {
    expect((await of('wait')).values[0]?.slice(1, 4)).toEqual([0, null, 0]);
  });
});

describe('what cannot be known', () => {
  const namespace = 'blind';

  beforeAll(async () => {
    await write(
      at(0, { namespace, class: 'polled', formatId: 'redlock', acquisitions: 1, heldMs: 1000 }),
      at(0, { namespace, class: 'seen', acquisitions: 1, waiterMs: 1000 }),
      at(0, { namespace: 'mixed', class: 'both', acquisitions: 1, waiterMs: 1000 }),
      at(0, { namespace: 'mixed', class: 'both', formatId: 'redlock', acquisitions: 1 }),
      // A class whose first keys nobody had read yet.
      at(0, { namespace: 'unread', class: 'one', formatId: 'pattern', acquisitions: 1 }),
      at(0, { namespace: 'unread', class: 'one', acquisitions: 1, waiterMs: 1000 }),
      at(0, {
        ...{ namespace: 'told', class: 'by-token', formatId: 'redis-py', waits: 1, waitMs: 50 },
        sketches: { 'token-time': sketchOf([50]) },
      }),
    );
    const gap = {
      from: base + 5 * STEP_MS,
      to: base + 7 * STEP_MS,
      reason: 'connection-lost' as const,
    };
    await server.context.store.writeGap('main', gap);
  });

  it('is null in every column and never zero', async () => {
    const map = await ask({ metric: 'waiters', namespace });
    expect(new Set(map.values[pathsOf(map).indexOf('blind › polled')])).toEqual(new Set([null]));
    expect(valueAt(map, 'blind › seen', 0)).toBe(0.1);
    expect(valueAt(map, 'blind › seen', 1)).toBe(0);
    expect(map.evidence).toBe('observed');
  });

  it('makes the evidence unknown where nothing else is shown', async () => {
    const { evidence } = await ask({ metric: 'waiters', namespace, class: 'polled' });
    expect(evidence).toBe('unknown');
    expect((await ask({ metric: 'hold-share', namespace })).evidence).toBe('observed');
  });

  it('makes a sum inferred that may be too small, and a wait that a client states', async () => {
    expect((await ask({ metric: 'waiters', namespace: 'mixed' })).evidence).toBe('inferred');
    expect((await ask({ metric: 'wait', namespace: 'told' })).evidence).toBe('inferred');
    expect((await ask({ metric: 'waiters', namespace: 'unread' })).evidence).toBe('observed');
  });

  it('are the columns of a gap', async () => {
    const map = await ask({ metric: 'hold-share', namespace });
    expect(map.gaps).toMatchObject([{ reason: 'connection-lost' }]);
    expect(map.values[0]?.slice(4, 8)).toEqual([0, null, null, 0]);
  });

  it('are the columns before the first watch', async () => {
    const map = await ask({ metric: 'hold-share', namespace, from: base - 5 * MINUTE_MS });
    expect(map.columns[0]).toBe(base - 5 * MINUTE_MS);
    const first = map.columns.indexOf(base);
    expect(map.values[0]?.slice(first - 1, first + 1)).toEqual([null, 0.1]);
  });

  it('is nothing that lies in the future', async () => {
    const soon = Date.now() + 10 * MINUTE_MS;
    const map = await ask({ from: soon - 20 * MINUTE_MS, to: soon });
    expect(map.columns.at(-1)).toBeLessThanOrEqual(Date.now());
    await expect(ask({ from: soon, to: soon + 1000 })).rejects.toMatchObject({
      ...{ code: 'INVALID_INPUT', details: { field: 'from' } },
    });
  });
});

describe('locks of a class', () => {
  const namespace = 'shop';
  const classes = ['cart:*', 'order:*', 'user:*'];
  const heldMs = (lockClass: number, lock: number): number => 10 + lockClass * 100 + lock * 7;

  beforeAll(async () => {
    const rollups: Rollup[] = [];
    for (const [c, name] of classes.entries()) {
      for (let lock = 0; lock < 40; lock++) {
        const about = { namespace, class: name, heldMs: heldMs(c, lock), acquisitions: 1 };
        const kept = lock >= 10 ? [null, key(`${name.slice(0, -1)}${lock}`)] : [null];
        for (const one of kept) rollups.push(at(lock % 5, { ...about, lock: one, waiterMs: 3 }));
      }
    }
    await write(...rollups);
  });

  const totals = (map: Heatmap): (number | null)[] =>
    map.columns.map((_, column) =>
      map.values.reduce<number | null>((sum, row) => (sum ?? 0) + (row[column] ?? 0), null),
    );

  it('keep a row where they are hot; the others are added up, and nothing is lost', async () => {
    const whole = await ask({ namespace });
    expect(whole.rows.map(({ kind }) => kind)).toEqual(['class', 'class', 'class']);
    for (const rows of [4, 12, 60, 200]) {
      const map = await ask({ namespace, group: 'lock', rows });
      expect(map.rows.length).toBeLessThanOrEqual(rows);
      for (const [column, total] of totals(map).entries()) {
        expect(total).toBeCloseTo(totals(whole)[column] ?? 0, 9);
      }
      expect(map.rowsLeftOut).toBe(90 - map.rows.filter(({ kind }) => kind === 'lock').length);
    }
  });

  it('are named by their place, the hottest of all, and stand beside their neighbours', async () => {
    const map = await ask({ namespace, group: 'lock', rows: 9 });
    expect(pathsOf(map)).toEqual([
      ...['shop › cart:* › others', 'shop › order:* › others'],
      ...[34, 35, 36, 37, 38, 39].map((lock) => `shop › user:* › user:${lock}`),
      'shop › user:* › others',
    ]);
    expect(map.rows[2]).toEqual({
      ...{ label: 'user:34', path: [namespace, 'user:*', 'user:34'], kind: 'lock' },
      lock: { db: 0, key: 'user:34', keyB64: 'dXNlcjozNA' },
    });
    expect(map.rows[0]).toEqual({
      ...{ label: 'others', path: [namespace, 'cart:*', 'others'], kind: 'others' },
    });
  });

  it('can be asked for by class and by namespace', async () => {
    const map = await ask({ group: 'lock', namespace, class: 'cart:*' });
    expect(map.rows).toHaveLength(31);
    expect(new Set(map.rows.map(({ path }) => path[1]))).toEqual(new Set(['cart:*']));
    expect((await ask({ namespace: 'nobody' })).rows).toEqual([]);
  });

  it('have no percentile together', async () => {
    await write(
      at(0, {
        ...{ namespace: 'pct', class: 'a', waits: 2, waitMs: 30 },
        sketches: { 'fair-queue': sketchOf([10, 20]) },
      }),
      at(0, {
        ...{ namespace: 'pct', class: 'a', lock: key('a1'), waits: 1, waitMs: 20 },
        sketches: { 'fair-queue': sketchOf([20]) },
      }),
    );
    const map = await ask({ metric: 'wait', group: 'lock', namespace: 'pct' });
    expect(pathsOf(map)).toEqual(['pct › a › a1', 'pct › a › others']);
    expect(map.values[0]?.[0]).toBeCloseTo(20, 0);
    expect(map.values[0]?.[1]).toBe(0);
    expect(new Set(map.values[1])).toEqual(new Set([null]));
  });
});

describe('classes beyond the rows', () => {
  it('are added up within their namespace', async () => {
    const rollups = ['left', 'right'].flatMap((namespace) =>
      Array.from({ length: 8 }, (_, i) =>
        at(i % 3, { namespace, class: `c${i}`, heldMs: 1000 * (i + 1), acquisitions: 1 }),
      ),
    );
    await write(...rollups);
    const only = new Set(['left', 'right']);
    const map = await ask({ rows: 5000 });
    expect(map.rows.filter(({ path }) => only.has(path[0] ?? ''))).toHaveLength(16);
    const few = await ask({ namespace: 'left', rows: 4 });
    expect(pathsOf(few)).toEqual(['left › c5', 'left › c6', 'left › c7', 'left › others']);
    expect(few.rows[3]).toMatchObject({ kind: 'others', merged: 5 });
    expect(few.rowsLeftOut).toBe(5);
    const sum = few.values.reduce((total, row) => total + (row[0] ?? 0), 0);
    expect(sum).toBeCloseTo((1000 + 4000 + 7000) / STEP_MS, 9);
  });
});

describe('owners', () => {
  it('have the rows that their holds tell, and of what these do not tell nothing', async () => {
    const start = base + 3 * STEP_MS;
    const place = { namespace: 'crew', class: 'ship:*', db: 0 };
    await server.context.store.writeHolds([
      aHold({ ...place, key: 'ship:1', owner: 'anna', start, end: start + 4000 }),
      aHold({ ...place, key: 'ship:2', owner: 'bert', start, end: start + 1000 }),
    ]);
    const map = await ask({ group: 'owner', namespace: 'crew' });
    expect(map.rows).toEqual(
      ['anna', 'bert'].map((owner) => ({
        ...{ label: owner, path: ['crew', 'ship:*', owner], kind: 'owner' },
      })),
    );
    expect(map.values.map((row) => row.slice(2, 5))).toEqual([
      [0, 0.4, 0],
      [0, 0.1, 0],
    ]);
    const waiters = await ask({ group: 'owner', namespace: 'crew', metric: 'waiters' });
    expect(waiters).toMatchObject({ evidence: 'unknown', rows: [{}, {}] });
    expect(new Set(waiters.values.flat())).toEqual(new Set([null]));
  });
});

describe('a packed map', () => {
  it.each(HEAT_METRICS)('of %s has the cells of one that is not', async (metric) => {
    for (const group of ['class', 'lock'] as const) {
      const plain = await ask({ metric, group });
      const { values, cells, ...packed } = await ask({ metric, group, packed: true });
      const { values: expected, ...rest } = plain;
      expect({ packed, values }).toEqual({ packed: rest, values: [] });
      expect(cells).toHaveLength(plain.columns.length);
      const unpacked = unpackHeatCells(cells ?? [], packed.rows.length);
      for (const [i, truth] of expected.flat().entries()) {
        const value = unpacked[i] ?? 0;
        if (truth === null) expect(value).toBeNaN();
        else expect(Math.abs(value - truth)).toBeLessThanOrEqual(truth * 2 ** -12);
      }
    }
  });

  it('is asked for in a query string too', async () => {
    const params = { packed: 'true', rows: '3' };
    const map = await runQuery(server.as('viewer'), 'heatmap', params);
    expect(map).toMatchObject({ values: [], cells: expect.any(Array) });
    await expect(runQuery(server.as('viewer'), 'heatmap', { packed: 'yes' })).rejects.toMatchObject(
      {
        ...{ code: 'INVALID_INPUT', details: { field: 'packed' } },
      },
    );
  });
});

// Last, because from here on history is known from long before the other maps.
describe('a map of a long time', () => {
  // Anew: of a store that has added up younger steps already, older ones that come late are no part.
  beforeAll(async () => {
    await server.stop();
    server = await startServer();
  });

  const DAY_MS = 86_400_000;
  const about = { namespace: 'long', class: 'ago:*' };
  const downToStep = (time: number): number => Math.floor(time / STEP_MS) * STEP_MS;

  it.each([
    [80, 6 * 3_600_000],
    [20, 2 * 3_600_000],
    [5, 3_600_000],
  ])('has what was %d days ago, in steps of %d ms', async (days, stepMs) => {
    const now = Date.now();
    const when = now - days * DAY_MS;
    const lock = key('ago:1');
    const first = { ...about, class: 'first', step: downToStep(now - 89 * DAY_MS) };
    await write(aRollup({ ...emptySums(), ...first }));
    const step = downToStep(when);
    const rollup = aRollup({ ...emptySums(), ...about, step, acquisitions: 60 * days });
    await write(rollup, { ...rollup, lock });
    const rangeMs = [7, 30, 90].find((each) => each > days) ?? 90;
    for (const group of ['class', 'lock'] as const) {
      const range = { from: now - rangeMs * DAY_MS, to: now };
      const map = await ask({ metric: 'acquisitions', group, ...about, ...range });
      expect(map.stepMs).toBe(stepMs);
      const at = map.columns.findLastIndex((column) => column <= when);
      expect(map.values[0]?.[at]).toBeCloseTo((60 * days * MINUTE_MS) / stepMs, 9);
      expect(map.values[0]?.[at + 1]).toBe(0);
      expect(map.columns.length).toBeLessThanOrEqual(361);
      expect(map.columns.at(-1)).toBeGreaterThan(now - stepMs - 1);
    }
  });

  it('leaves out a column or two where it begins just before shorter steps are kept', async () => {
    const to = Date.now();
    const map = await ask({ from: to - 7 * DAY_MS - 1000, to });
    expect(map.stepMs).toBe(3_600_000);
    expect(map.columns[0]).toBeLessThan(to - 7 * DAY_MS + 7_200_000);
    const longer = await ask({ from: to - 8 * DAY_MS, to });
    expect(longer.stepMs).toBe(3_600_000);
    expect(longer.columns[0]).toBeLessThanOrEqual(to - 8 * DAY_MS);
    const all = await ask({ from: 0, to });
    expect(all.columns[0]).toBeGreaterThan(to - 91 * DAY_MS);
    const short = { from: to - 7_200_000 - 15_000, to: to - 7_200_000 - 5000 };
    expect((await ask(short)).columns[0]).toBeLessThanOrEqual(short.from);
  });
});
