import type { HeatMetric } from '@/lib/protocol/measures';

type Values = readonly (readonly (number | null)[])[];

/** Margins of the visible cells: one figure per visible column and per visible row; null = nothing known. */
export interface Margins {
  byColumn: (number | null)[];
  byRow: (number | null)[];
}

/** A mean hand-off gap cannot be added up; everything else can. */
export function marginKind(metric: HeatMetric): 'sum' | 'mean' {
  return metric === 'handoff' ? 'mean' : 'sum';
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

function createPrefix(lines: number, length: number): Float64Array {
  return new Float64Array(lines * (length + 1));
}

/**
 * Prefix sums along both axes, so that the margins of any visible part cost one subtraction per visible
 * row and column, however many cells lie within.
 */
export function createMargins(values: Values, columns: number, kind: 'sum' | 'mean'): MarginSource {
  const rows = values.length;
  const rowSums = createPrefix(rows, columns);
  const rowKnown = createPrefix(rows, columns);
  const columnSums = createPrefix(columns, rows);
  const columnKnown = createPrefix(columns, rows);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const value = values[r]?.[c] ?? null;
      const known = value === null ? 0 : 1;
      const alongRow = r * (columns + 1) + c;
      const alongColumn = c * (rows + 1) + r;
      rowSums[alongRow + 1] = (rowSums[alongRow] ?? 0) + (value ?? 0);
      rowKnown[alongRow + 1] = (rowKnown[alongRow] ?? 0) + known;
      columnSums[alongColumn + 1] = (columnSums[alongColumn] ?? 0) + (value ?? 0);
      columnKnown[alongColumn + 1] = (columnKnown[alongColumn] ?? 0) + known;
    }
  }
  const between = (sums: Float64Array, known: Float64Array, from: number, to: number) => {
    const count = (known[to] ?? 0) - (known[from] ?? 0);
    if (count === 0) return null;
    const sum = (sums[to] ?? 0) - (sums[from] ?? 0);
    return kind === 'mean' ? sum / count : sum;
  };
  return {
    visible: ({ rowFrom, rowTo, columnFrom, columnTo }) => {
      const byColumn: (number | null)[] = [];
      for (let c = columnFrom; c < columnTo; c++) {
        const base = c * (rows + 1);
        byColumn.push(between(columnSums, columnKnown, base + rowFrom, base + rowTo));
      }
      const byRow: (number | null)[] = [];
      for (let r = rowFrom; r < rowTo; r++) {
        const base = r * (columns + 1);
        byRow.push(between(rowSums, rowKnown, base + columnFrom, base + columnTo));
      }
      return { byColumn, byRow };
    },
  };
}
