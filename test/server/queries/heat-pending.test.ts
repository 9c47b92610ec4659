import { afterAll, describe, expect, it } from 'vitest';
import { createHistoryReader } from '@/server/queries/history-reader';
import type { HeatColumn, HeatSums, Rollup } from '@/server/store/history-contract';
import type { Recorder } from '@/server/store/recorder-contract';
import { emptySums } from '@/server/store/sums';
import { cleanUp, SQLITE } from '@/test/server/store/store-under-test';
import { aRollup, STEP_MS } from './history-samples';

afterAll(cleanUp);

const FROM = 1_000_000;
const at = (step: number, over: Partial<Rollup>): Rollup =>
  aRollup({ ...emptySums(), ...over, step: FROM + step * STEP_MS });

/** A reader of what was written, with what is on its way. */
async function readerOf(stored: Rollup[], pending: Rollup[]) {
  const store = (await SQLITE.fresh()).open();
  await store.start();
  await store.writeRollups({ rollups: stored, blame: [] });
  const isClass = ({ lock }: Rollup): boolean => lock === null;
  const recorder: Pick<Recorder, 'pending' | 'whileSettled'> = {
    pending: () => ({
      classRollups: pending.filter(isClass),
      lockRollups: pending.filter((rollup) => !isClass(rollup)),
      ...{ blame: [], holds: [], leftWaits: [], gaps: [] },
    }),
    whileSettled: (read) => read(),
  };
  return createHistoryReader({ store, recorder, targetId: 'main' });
}

const ask = async (
  reader: Awaited<ReturnType<typeof readerOf>>,
  { columns, rows = 10 }: { columns: readonly HeatColumn[]; rows?: number },
): Promise<HeatSums> =>
  await reader.heat({
    ...{ level: 'class', from: FROM, to: FROM + 3 * STEP_MS, stepMs: STEP_MS, columns, rows },
  });

describe('sums of a heatmap', () => {
  it('have the last seconds added to what is stored', async () => {
    const stored = at(0, { class: 'a', heldMs: 5, waiterMs: 1 });
    const pending = [
      at(0, { class: 'a', heldMs: 2 }),
      at(2, { class: 'a', heldMs: 7, waiterMs: 4 }),
      at(-1, { class: 'a', heldMs: 100 }),
      at(3, { class: 'a', heldMs: 100 }),
    ];
    const heat = await ask(await readerOf([stored], pending), { columns: ['heldMs', 'waiterMs'] });
    expect([...(heat.cells.heldMs ?? [])]).toEqual([7, 0, 7]);
    expect([...(heat.cells.waiterMs ?? [])]).toEqual([1, 0, 4]);
  });

  it('have a row for a series that is new, unknown in what it does not tell', async () => {
    const pending = [
      at(1, { class: 'b', heldMs: 3, timeouts: 1 }),
      at(2, { class: 'b', heldMs: 1 }),
    ];
    const heat = await ask(await readerOf([at(0, { class: 'a', heldMs: 5 })], pending), {
      columns: ['heldMs', 'waiterMs', 'timeouts'],
    });
    expect(heat.series.map((series) => series.class)).toEqual(['a', 'b']);
    expect([...(heat.cells.heldMs ?? [])]).toEqual([5, 0, 0, 0, 3, 1]);
    expect([...(heat.cells.waiterMs ?? [])]).toEqual(Array(6).fill(Number.NaN));
    expect([...(heat.cells.timeouts ?? [])].slice(3)).toEqual([0, 1, 0]);
  });

  it('have none for a series that the store may have left out with more to tell', async () => {
    const stored = [at(0, { class: 'a', heldMs: 5 }), at(0, { class: 'b', heldMs: 4 })];
    const reader = await readerOf(stored, [at(1, { class: 'b', heldMs: 3 })]);
    const heat = await ask(reader, { columns: ['heldMs'], rows: 1 });
    expect(heat).toMatchObject({ series: [{ class: 'a' }], leftOut: 1 });
    expect([...(heat.cells.heldMs ?? [])]).toEqual([5, 0, 0]);
  });
});

describe('rollups of some locks', () => {
  it('have the last seconds of these', async () => {
    const lock = (key: string) => ({ db: 0, key });
    const stored = ['k1', 'k2', 'k3'].map((key) => at(0, { lock: lock(key), heldMs: 1 }));
    const pending = ['k2', 'k4'].map((key) => at(1, { lock: lock(key), heldMs: 2 }));
    const reader = await readerOf(stored, pending);
    const rollups = await reader.rollups({
      ...{ level: 'lock', from: FROM, to: FROM + 3 * STEP_MS, stepMs: STEP_MS, sketches: [] },
      locks: [lock('k1'), lock('k2'), { db: 1, key: 'k3' }],
    });
    expect(rollups.map((rollup) => `${rollup.lock?.key} ${rollup.heldMs}`).toSorted()).toEqual([
      ...['k1 1', 'k2 1', 'k2 2'],
    ]);
  });
});
