import { unpackHeatCells } from '@/lib/protocol/heat-cells';
import type { Heatmap } from '@/lib/protocol/measures';

/** The figures of a map, row after row; NaN = not known. */
export interface CellGrid {
  rows: number;
  columns: number;
  cells: Float64Array | Float32Array;
}

/** A heatmap as the map draws it: the figures in one piece, so that millions of them cost little. */
export interface HeatData extends Omit<Heatmap, 'values' | 'cells'> {
  grid: CellGrid;
  /** The figures are those of the server to the last digit, not packed ones. */
  isExact: boolean;
}

/** Throws INTERNAL for packed cells that are none. */
export function heatData({ values, cells, ...about }: Heatmap): HeatData {
  const columns = about.columns.length;
  const grid = cells
    ? { rows: about.rows.length, columns, cells: unpackHeatCells(cells, about.rows.length) }
    : gridOfValues(values, columns);
  return { ...about, grid, isExact: !cells };
}

/** Rows shorter than `columns` are not known towards their end. */
export function gridOfValues(
  values: readonly (readonly (number | null)[])[],
  columns: number,
): CellGrid {
  const cells = new Float64Array(values.length * columns).fill(Number.NaN);
  values.forEach((row, r) => {
    const start = r * columns;
    for (let c = 0; c < columns; c++) cells[start + c] = row[c] ?? Number.NaN;
  });
  return { rows: values.length, columns, cells };
}

/** The figure of a cell; null when it is not known or lies outside. */
export function cellValue(grid: CellGrid, row: number, column: number): number | null {
  if (row < 0 || column < 0 || row >= grid.rows || column >= grid.columns) return null;
  const value = grid.cells[row * grid.columns + column] ?? Number.NaN;
  return Number.isNaN(value) ? null : value;
}

/** The largest known figure without its sign, 0 when nothing is known. */
export function hottestValue({ cells }: CellGrid): number {
  let hottest = 0;
  for (let i = 0; i < cells.length; i++) {
    const value = Math.abs(cells[i] ?? 0);
    if (value > hottest) hottest = value;
  }
  return hottest;
}

/** The time before which no cell of any row is known; null when the first column has something, or none has. */
export function knownFrom({ grid, columns }: Pick<HeatData, 'grid' | 'columns'>): number | null {
  for (let c = 0; c < grid.columns; c++) {
    for (let r = 0; r < grid.rows; r++) {
      if (cellValue(grid, r, c) !== null) return c > 0 ? (columns[c] ?? null) : null;
    }
  }
  return null;
}

/** Where the last column ends, epoch ms; null without columns. */
export function dataEnd({ columns, stepMs }: Pick<HeatData, 'columns' | 'stepMs'>): number | null {
  const last = columns.at(-1);
  return last === undefined ? null : last + stepMs;
}
