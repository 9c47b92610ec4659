import type { HeatRow } from '@/lib/protocol/measures';
import type { GapReason } from '@/lib/protocol/target';
import type { CellGrid, HeatData } from './heat-data';
import { cellValue } from './heat-data';
import type { CellAt } from './heat-layout';

export type WhyUnknown =
  | { kind: 'gap'; reason: GapReason }
  | { kind: 'notWatched' | 'waiters' | 'attempts' | 'wait' | 'handoff' | 'others' | 'other' };

export interface CellFacts {
  row: HeatRow;
  from: number;
  to: number;
  value: number | null;
  /** The figure of the time that the map is compared with; left out without a comparison. */
  earlier?: number | null;
  /** Why nothing is known; null when something is. */
  why: WhyUnknown | null;
}

/** What a picture knows of its cells. */
interface Source {
  data: HeatData;
  /** The time before which nothing was watched, as `knownFrom` finds it. */
  known: number | null;
  before: CellGrid | null;
}

/** All there is to say about one cell; null when it lies outside the data. */
export function cellFacts(
  { data, known, before }: Source,
  { row, column }: CellAt,
): CellFacts | null {
  const about = data.rows[row];
  const from = data.columns[column];
  if (!about || from === undefined) return null;
  const to = from + data.stepMs;
  const value = cellValue(data.grid, row, column);
  return {
    row: about,
    from,
    to,
    value,
    ...(before && { earlier: cellValue(before, row, column) }),
    why: value === null ? whyUnknown(data, { from, to, known, row: about }) : null,
  };
}

function whyUnknown(
  data: HeatData,
  { from, to, known, row }: { from: number; to: number; known: number | null; row: HeatRow },
): WhyUnknown {
  const gap = data.gaps.find((each) => each.from < to && (each.to ?? to) > from);
  if (gap) return { kind: 'gap', reason: gap.reason };
  if (known !== null && to <= known) return { kind: 'notWatched' };
  const { metric } = data;
  if (row.kind === 'others' && (metric === 'wait' || metric === 'handoff'))
    return { kind: 'others' };
  if (metric === 'waiters' || metric === 'wait' || metric === 'handoff') return { kind: metric };
  if (metric === 'attempts' || metric === 'timeouts') return { kind: 'attempts' };
  return { kind: 'other' };
}

export interface RowFacts {
  row: number;
  about: HeatRow;
  latest: number | null;
  highest: number | null;
  highestAt: number | null;
  average: number | null;
}

/** One line per row of the map from `first` on, for the table beside it. */
export function rowFacts(data: HeatData, first: number, count: number): RowFacts[] {
  return data.rows.slice(first, first + count).map((about, index) => {
    const row = first + index;
    let highest: number | null = null;
    let highestAt: number | null = null;
    let sum = 0;
    let known = 0;
    data.columns.forEach((at, column) => {
      const value = cellValue(data.grid, row, column);
      if (value === null) return;
      sum += value;
      known++;
      if (highest === null || value > highest) {
        highest = value;
        highestAt = at;
      }
    });
    return {
      row,
      about,
      latest: cellValue(data.grid, row, data.columns.length - 1),
      highest,
      highestAt,
      average: known === 0 ? null : sum / known,
    };
  });
}

/** The cell that an arrow key leads to, kept inside the data. */
export function moveCell(
  cell: CellAt,
  key: string,
  size: { rows: number; columns: number },
): CellAt | null {
  const steps: Record<string, [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-10, 0],
    PageDown: [10, 0],
    Home: [0, -size.columns],
    End: [0, size.columns],
  };
  const step = steps[key];
  if (!step || size.rows === 0 || size.columns === 0) return null;
  return {
    row: Math.min(size.rows - 1, Math.max(0, cell.row + step[0])),
    column: Math.min(size.columns - 1, Math.max(0, cell.column + step[1])),
  };
}
