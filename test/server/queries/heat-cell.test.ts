import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toBase64Url } from '@/lib/protocol/bytes';
import type { HeatCell, HeatMetric } from '@/lib/protocol/measures';
import type { HeatCellParams } from '@/lib/protocol/queries';
import type { Rollup } from '@/server/store/history-contract';
import { emptySums } from '@/server/store/sums';
import { ask as askQuery } from './ask';
import { aBlame, aHold, aRollup, MINUTE_MS, sketchOf, STEP_MS } from './history-samples';
import { startServer, type TestServer } from './server-under-test';

let server: TestServer;
let base: number;

const ORDER = { db: 0, key: 'order:7' };

const at = (step: number, over: Partial<Rollup>): Rollup =>
  aRollup({ ...emptySums(), ...over, step: base + step * STEP_MS });

beforeAll(async () => {
  server = await startServer();
  base = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 60 * MINUTE_MS;
  const busy = {
    ...{ acquisitions: 6, heldMs: 8000, waiterMs: 25_000, waits: 3, waitMs: 60, timeouts: 1 },
    ...{ attempts: 12, handoffs: 2, handoffMs: 8 },
    ends: { released: 3, 'lease-ended': 2 } as const,
    sketches: { 'fair-queue': sketchOf([10, 20, 30]), handoff: sketchOf([3, 5]) },
  };
  await server.context.store.writeRollups({
    rollups: [
      at(0, busy),
      at(0, { ...busy, lock: ORDER, acquisitions: 4, heldMs: 6000 }),
      at(0, { class: 'both', namespace: '', acquisitions: 1, waiterMs: 500 }),
      at(2, { class: 'both', namespace: '', formatId: 'redlock', acquisitions: 1 }),
      at(0, { class: 'polled', namespace: '', formatId: 'redlock', acquisitions: 1, heldMs: 500 }),
    ],
    blame: [
      ...['anna', 'bert', 'carl', 'dora', 'emil', 'fred'].map((owner, i) =>
        aBlame({ step: base, owner, waiterMs: 1000 * (i + 1) }),
      ),
      aBlame({ step: base, lock: { db: 0, key: 'order:8' }, owner: 'anna', waiterMs: 500 }),
      aBlame({ step: base + STEP_MS, owner: 'anna', waiterMs: 90_000 }),
    ],
  });
  const gap = {
    from: base + 4 * STEP_MS,
    to: base + 6 * STEP_MS,
    reason: 'connection-lost' as const,
  };
  await server.context.store.writeGap('main', gap);
});
afterAll(() => server.stop());

const ask = (params: Partial<HeatCellParams>): Promise<HeatCell> =>
  askQuery({ ...server.as('viewer'), startedAt: base }, 'heat-cell', {
    ...{ from: base, to: base + STEP_MS },
    ...params,
  });

const valuesOf = ({ values }: HeatCell): Partial<Record<HeatMetric, number | null>> =>
  Object.fromEntries(values.map(({ metric, value }) => [metric, value]));

describe('a cell of a heatmap', () => {
  it('has all metrics of a class side by side', async () => {
    const cell = await ask({ namespace: 'order', class: 'order:*' });
    expect(cell).toMatchObject({ from: base, to: base + STEP_MS, gaps: [] });
    const { wait, handoff, ...others } = valuesOf(cell);
    expect(others).toEqual({
      ...{ 'hold-share': 0.8, acquisitions: 36, waiters: 2.5, attempts: 72, timeouts: 1, lost: 2 },
    });
    expect(wait).toBeCloseTo(30, 0);
    expect(handoff).toBeCloseTo(5, 0);
    expect(cell.values.find(({ metric }) => metric === 'wait')?.unit).toBe('ms');
  });

  it('names who made others wait the longest in that span', async () => {
    const { blame } = await ask({ namespace: 'order', class: 'order:*' });
    expect(blame.map(({ owner, waitMs }) => [owner, waitMs])).toEqual([
      ...[
        ['fred', 6000],
        ['emil', 5000],
        ['dora', 4000],
        ['carl', 3000],
        ['bert', 2000],
      ],
    ]);
    expect(blame[0]?.lock?.key).toBe('order:7');
  });

  it('is of a single lock too', async () => {
    const lock = { db: 0, keyB64: toBase64Url('order:7') };
    expect(valuesOf(await ask(lock))).toMatchObject({ 'hold-share': 0.6, acquisitions: 24 });
    const other = await ask({ db: 0, keyB64: toBase64Url('order:8') });
    expect(other.blame.map(({ owner, waitMs }) => [owner, waitMs])).toEqual([['anna', 500]]);
  });

  it('of an owner is what it held, and how many waited for it', async () => {
    await server.context.store.writeHolds([
      aHold({
        ...{ ...ORDER, class: 'order:*', namespace: 'order', owner: 'anna' },
        ...{ start: base + 1000, end: base + 6000 },
      }),
    ]);
    const cell = await ask({ namespace: 'order', class: 'order:*', owner: 'anna' });
    expect(valuesOf(cell)).toEqual({
      ...{ 'hold-share': 0.5, acquisitions: 6, lost: 0, waiters: 0.15 },
      ...{ wait: null, handoff: null, attempts: null, timeouts: null },
    });
    expect(cell.blame.map(({ waitMs }) => waitMs)).toEqual([1000, 500]);
  });

  it('is zero in silence, and unknown where the library never tells', async () => {
    const silent = { from: base + 2 * STEP_MS, to: base + 3 * STEP_MS };
    const told = await ask({ class: 'order:*', ...silent });
    expect(new Set(told.values.map(({ value }) => value))).toEqual(new Set([0]));
    expect(valuesOf(await ask({ class: 'both', ...silent }))).toMatchObject({
      ...{ acquisitions: 6, waiters: 0, wait: null },
    });
    for (const range of [silent, {}]) {
      const polled = valuesOf(await ask({ class: 'polled', ...range }));
      expect(polled).toMatchObject({ waiters: null, wait: null, attempts: null, timeouts: null });
      expect(polled.acquisitions).not.toBeNull();
    }
  });

  it('is unknown in a gap and before the first watch', async () => {
    for (const step of [4, -1]) {
      const from = base + step * STEP_MS;
      const cell = await ask({ class: 'order:*', from, to: from + STEP_MS });
      expect(new Set(cell.values.map(({ value }) => value))).toEqual(new Set([null]));
    }
  });

  it('refuses a range that ends before it begins, and a key that is none', async () => {
    await expect(ask({ from: base, to: base - 1 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(ask({ keyB64: '!' })).rejects.toMatchObject({ details: { field: 'keyB64' } });
  });
});
