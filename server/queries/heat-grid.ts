import type { HeatMetric } from '@/lib/protocol/measures';
import type { Rollup } from '@/server/store/store-contract';
import { endReasons } from './class-sums';
import { inTurns } from './in-turns';
import { LOST_REASONS } from '@/lib/protocol/lock';

/** Multiples of the rollup step that read well on a time axis, in seconds. */
const NICE_STEPS_S = [
  10, 20, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400,
];
const MAX_COLUMNS = 360;

/** The smallest nice step under which the range has at most 360 columns. */
export function niceStepMs(rangeMs: number): number {
  for (const seconds of NICE_STEPS_S) {
    if (rangeMs / (seconds * 1000) <= MAX_COLUMNS) return seconds * 1000;
  }
  const day = 86_400_000;
  return Math.ceil(rangeMs / MAX_COLUMNS / day) * day;
}

/** Sums in one cell; null where nothing of the kind can be observed. */
export interface CellSum {
  heldMs: number;
  acquisitions: number;
  waiterMs: number | null;
  lost: number;
  handoffMs: number;
  handoffs: number;
}

export interface HeatRow {
  label: string;
  path: string[];
  cells: Map<number, CellSum>;
  /** Waiters of this row were observable at some time in the range, so that a silent step means none. */
  seesWaiters: boolean;
}

const emptyCell = (): CellSum => ({
  heldMs: 0,
  acquisitions: 0,
  waiterMs: null,
  lost: 0,
  handoffMs: 0,
  handoffs: 0,
});

export function cellOf(row: HeatRow, column: number): CellSum {
  const cell = row.cells.get(column) ?? emptyCell();
  row.cells.set(column, cell);
  return cell;
}

function addRollup(cell: CellSum, rollup: Rollup): void {
  cell.heldMs += rollup.heldMs;
  cell.acquisitions += rollup.acquisitions;
  if (rollup.waiterMs !== null) cell.waiterMs = (cell.waiterMs ?? 0) + rollup.waiterMs;
  cell.handoffMs += rollup.handoffMsSum;
  cell.handoffs += rollup.handoffCount;
  for (const reason of endReasons(rollup.ends)) {
    if (LOST_REASONS.includes(reason)) cell.lost += rollup.ends[reason] ?? 0;
  }
}

/** One row for each (namespace, class), cells by the start of their column. */
export async function rowsOfRollups(
  rollups: readonly Rollup[],
  stepMs: number,
): Promise<HeatRow[]> {
  const rows = new Map<string, HeatRow>();
  await inTurns(rollups, (rollup) => {
    const name = `${rollup.namespace}\n${rollup.class}`;
    let row = rows.get(name);
    if (!row) {
      const path = [rollup.namespace, rollup.class];
      row = { label: rollup.class, path, cells: new Map(), seesWaiters: false };
      rows.set(name, row);
    }
    row.seesWaiters ||= rollup.waiterMs !== null;
    addRollup(cellOf(row, Math.floor(rollup.step / stepMs) * stepMs), rollup);
  });
  return [...rows.values()];
}

type Measure = (cell: CellSum, spanMs: number, row: HeatRow) => number | null;

/** A cell's value by metric; `spanMs` is the part of the column that has passed. */
export const MEASURES: Record<HeatMetric, { unit: string; measure: Measure }> = {
  'hold-share': { unit: 'share', measure: (cell, spanMs) => cell.heldMs / spanMs },
  acquisitions: {
    unit: 'per minute',
    measure: (cell, spanMs) => (cell.acquisitions * 60_000) / spanMs,
  },
  waiters: {
    unit: 'waiters',
    measure: (cell, spanMs, row) =>
      row.seesWaiters || cell.waiterMs !== null ? (cell.waiterMs ?? 0) / spanMs : null,
  },
  lost: { unit: 'count', measure: (cell) => cell.lost },
  handoff: {
    unit: 'ms',
    measure: (cell) => (cell.handoffs > 0 ? cell.handoffMs / cell.handoffs : null),
  },
};

/** `row`'s value in each column. `spans[i]` is null where the column is unknown. */
export function measureRow(
  row: HeatRow,
  metric: HeatMetric,
  { columns, spans }: { columns: readonly number[]; spans: readonly (number | null)[] },
): (number | null)[] {
  const { measure } = MEASURES[metric];
  return columns.map((column, i) => {
    const span = spans[i];
    if (span === null || span === undefined) return null;
    return measure(row.cells.get(column) ?? emptyCell(), span, row);
  });
}
