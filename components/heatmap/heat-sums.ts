import type { HeatMetric } from '@/lib/protocol/measures';
import type { CellGrid } from './heat-data';

/** Margins of the visible cells: one figure per visible column and per visible row; null = nothing known. */
export interface Margins {
  byColumn: (number | null)[];
  byRow: (number | null)[];
}

/** Percentiles cannot be added up: of them a margin shows the highest. */
export function marginKind(metric: HeatMetric): 'sum' | 'highest' {
  return metric === 'handoff' || metric === 'wait' ? 'highest' : 'sum';
}

export interface MarginSource {
  /** Integer cell range: `to` is exclusive. */
  visible: (range: CellRange) => Margins;
}

export interface CellRange {
  rowFrom: number;
  rowTo: number;
  columnFrom: number;
  columnTo: number;
}

export function createMargins(grid: CellGrid, kind: 'sum' | 'highest'): MarginSource {
  return kind === 'sum' ? createSums(grid) : { visible: (range) => highestOf(grid, range) };
}

/**
 * Prefix sums along both axes, so that the margins of any visible part cost one subtraction per visible
 * row and column, however many cells lie within.
 */
function createSums({ rows, columns, cells }: CellGrid): MarginSource {
  const rowSums = new Float64Array(rows * (columns + 1));
  const rowKnown = new Uint32Array(rows * (columns + 1));
  const columnSums = new Float64Array(columns * (rows + 1));
  const columnKnown = new Uint32Array(columns * (rows + 1));
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const value = cells[r * columns + c] ?? Number.NaN;
      const known = Number.isNaN(value) ? 0 : 1;
      const added = known === 1 ? value : 0;
      const alongRow = r * (columns + 1) + c;
      const alongColumn = c * (rows + 1) + r;
      rowSums[alongRow + 1] = (rowSums[alongRow] ?? 0) + added;
      rowKnown[alongRow + 1] = (rowKnown[alongRow] ?? 0) + known;
      columnSums[alongColumn + 1] = (columnSums[alongColumn] ?? 0) + added;
      columnKnown[alongColumn + 1] = (columnKnown[alongColumn] ?? 0) + known;
    }
  }
  const along = { sums: rowSums, known: rowKnown, length: columns + 1 };
  const across = { sums: columnSums, known: columnKnown, length: rows + 1 };
  return {
    visible: ({ rowFrom, rowTo, columnFrom, columnTo }) => ({
      byColumn: sumsOf(across, [columnFrom, columnTo], [rowFrom, rowTo]),
      byRow: sumsOf(along, [rowFrom, rowTo], [columnFrom, columnTo]),
    }),
  };
}

interface Prefixes {
  sums: Float64Array;
  known: Uint32Array;
  /** Of one line. */
  length: number;
}

type Ends = readonly [from: number, to: number];

/** Of each of those lines the sum between two places. */
function sumsOf(
  { sums, known, length }: Prefixes,
  lines: Ends,
  [from, to]: Ends,
): (number | null)[] {
  const found: (number | null)[] = [];
  for (let line = lines[0]; line < lines[1]; line++) {
    const start = line * length + from;
    const end = line * length + to;
    const isKnown = known[end] !== known[start];
    found.push(isKnown ? (sums[end] ?? 0) - (sums[start] ?? 0) : null);
  }
  return found;
}

function highestOf(grid: CellGrid, { rowFrom, rowTo, columnFrom, columnTo }: CellRange): Margins {
  const byColumn = new Float64Array(Math.max(0, columnTo - columnFrom)).fill(Number.NaN);
  const byRow = new Float64Array(Math.max(0, rowTo - rowFrom)).fill(Number.NaN);
  for (let r = rowFrom; r < rowTo; r++) {
    const start = r * grid.columns;
    for (let c = columnFrom; c < columnTo; c++) {
      const value = grid.cells[start + c] ?? Number.NaN;
      // A comparison with what is not known yet is false either way.
      if (Number.isNaN(value)) continue;
      if (!((byColumn[c - columnFrom] ?? 0) >= value)) byColumn[c - columnFrom] = value;
      if (!((byRow[r - rowFrom] ?? 0) >= value)) byRow[r - rowFrom] = value;
    }
  }
  return { byColumn: withNulls(byColumn), byRow: withNulls(byRow) };
}

const withNulls = (values: Float64Array): (number | null)[] =>
  Array.from(values, (value) => (Number.isNaN(value) ? null : value));
