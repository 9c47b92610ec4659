import { UNKNOWN_LEVEL, levelOf } from './heat-scale';

/** One byte per cell, row after row. */
export interface LevelGrid {
  rows: number;
  columns: number;
  levels: Uint8Array;
}

type Values = readonly (readonly (number | null)[])[];

/** The largest known value, 0 when nothing is known. */
export function hottestValue(values: Values): number {
  let hottest = 0;
  for (const row of values) {
    for (const value of row) if (value !== null && value > hottest) hottest = value;
  }
  return hottest;
}

/** Values to levels, once per answer: zooming and brightness never touch the values again. */
export function toLevels(values: Values, columns: number, top: number): LevelGrid {
  const levels = new Uint8Array(values.length * columns);
  values.forEach((row, r) => {
    const start = r * columns;
    for (let c = 0; c < columns; c++) levels[start + c] = levelOf(row[c] ?? null, top);
  });
  return { rows: values.length, columns, levels };
}

/**
 * Merges blocks of `rowFactor` × `columnFactor` cells, the hottest winning, for when there are more
 * cells than pixels: scaling without smoothing would otherwise drop a lone hot cell.
 */
export function coarsen(grid: LevelGrid, rowFactor: number, columnFactor: number): LevelGrid {
  if (rowFactor <= 1 && columnFactor <= 1) return grid;
  const rows = Math.ceil(grid.rows / rowFactor);
  const columns = Math.ceil(grid.columns / columnFactor);
  const levels = new Uint8Array(rows * columns).fill(UNKNOWN_LEVEL);
  for (let r = 0; r < grid.rows; r++) {
    const target = Math.floor(r / rowFactor) * columns;
    const source = r * grid.columns;
    for (let c = 0; c < grid.columns; c++) {
      const at = target + Math.floor(c / columnFactor);
      const level = grid.levels[source + c] ?? UNKNOWN_LEVEL;
      if (level > (levels[at] ?? UNKNOWN_LEVEL)) levels[at] = level;
    }
  }
  return { rows, columns, levels };
}

/** The power of two by which `cells` must shrink to fit into `pixels`. */
export function coarseFactor(cells: number, pixels: number): number {
  let factor = 1;
  while (cells / factor > Math.max(1, pixels)) factor *= 2;
  return factor;
}

/** Levels to pixels, one pixel per cell. */
export function paintLevels(grid: LevelGrid, palette: Uint32Array, pixels: Uint32Array): void {
  const { levels } = grid;
  for (let i = 0; i < levels.length; i++) pixels[i] = palette[levels[i] ?? 0] ?? 0;
}
