import { describe, expect, it } from 'vitest';
import { measureRow, niceStepMs, rowsOfRollups } from '@/server/queries/heat-grid';
import { ROLLUP_STEP_MS, type Rollup } from '@/server/store/store-contract';

const rollup = (step: number, values: Partial<Rollup> = {}): Rollup => ({
  target: 't',
  class: 'order:*',
  namespace: 'order',
  formatId: 'redlock',
  step,
  acquisitions: 0,
  heldMs: 0,
  waiterMs: null,
  ends: {},
  handoffMsSum: 0,
  handoffCount: 0,
  holdSketch: null,
  waitSketches: {},
  ...values,
});

const GRID = { columns: [0, 20_000], spans: [20_000, 10_000] };
const rowOf = async (...rollups: Rollup[]) => {
  const [row] = await rowsOfRollups(rollups, 20_000);
  if (!row) throw new Error('no row');
  return row;
};

describe('the heat grid', () => {
  it('never makes more than 360 columns, of steps that rollups add up to', () => {
    for (const minutes of [1, 30, 61, 180, 24 * 60, 7 * 24 * 60, 400 * 24 * 60]) {
      const stepMs = niceStepMs(minutes * 60_000);
      expect((minutes * 60_000) / stepMs).toBeLessThanOrEqual(360);
      expect(stepMs % ROLLUP_STEP_MS).toBe(0);
    }
    expect(niceStepMs(30 * 60_000)).toBe(10_000);
  });

  it('adds the steps of a column up and divides by the time that has passed', async () => {
    const row = await rowOf(
      rollup(0, { heldMs: 5000, acquisitions: 2 }),
      rollup(10_000, { heldMs: 15_000, acquisitions: 4 }),
      rollup(20_000, { heldMs: 5000, acquisitions: 1 }),
    );
    expect(measureRow(row, 'hold-share', GRID)).toEqual([1, 0.5]);
    expect(measureRow(row, 'acquisitions', GRID)).toEqual([18, 6]);
  });

  it('knows unwatched columns from empty ones', async () => {
    const row = await rowOf(rollup(20_000, { heldMs: 10_000 }));
    const { columns } = GRID;
    expect(measureRow(row, 'hold-share', { columns, spans: [null, 10_000] })).toEqual([null, 1]);
    expect(measureRow(row, 'hold-share', GRID)).toEqual([0, 1]);
  });

  it('shows waiters that cannot be observed as unknown, never as zero', async () => {
    expect(measureRow(await rowOf(rollup(0), rollup(20_000)), 'waiters', GRID)).toEqual([
      null,
      null,
    ]);
    const seen = await rowOf(rollup(0, { waiterMs: 40_000 }));
    expect(measureRow(seen, 'waiters', GRID)).toEqual([2, 0]);
  });

  it('counts as lost what was not given back', async () => {
    const ends = { released: 5, 'force-released': 1, overwritten: 2, vanished: 1, moved: 4 };
    expect(measureRow(await rowOf(rollup(0, { ends })), 'lost', GRID)).toEqual([3, 0]);
  });

  it('has no hand-off where nothing was handed over', async () => {
    const row = await rowOf(rollup(0, { handoffMsSum: 30, handoffCount: 3 }));
    expect(measureRow(row, 'handoff', GRID)).toEqual([10, null]);
  });

  it('keeps equal class names of different namespaces apart', async () => {
    const rows = await rowsOfRollups([rollup(0), rollup(0, { namespace: 'other' })], 10_000);
    expect(rows.map(({ path }) => path)).toEqual([
      ['order', 'order:*'],
      ['other', 'order:*'],
    ]);
  });
});
