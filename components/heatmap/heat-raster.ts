import type { CellGrid } from './heat-data';
import type { HeatScale } from './heat-scale';
import { UNKNOWN_LEVEL, levelOf, levelRanks } from './heat-scale';

/** One byte per cell, row after row. `ranks[level]`: which level is seen when cells are merged. */
export interface LevelGrid {
  rows: number;
  columns: number;
  levels: Uint8Array;
  ranks: Uint8Array;
}

/** Values to levels, once per answer: zooming and brightness never touch the values again. */
export function toLevels({ rows, columns, cells }: CellGrid, scale: HeatScale): LevelGrid {
  const levels = new Uint8Array(cells.length);
  for (let i = 0; i < cells.length; i++) levels[i] = levelOf(cells[i] ?? Number.NaN, scale);
  return { rows, columns, levels, ranks: levelRanks(scale.kind) };
}

/**
 * Merges blocks of `rowFactor` × `columnFactor` cells, the one of the highest rank winning, for when there
 * are more cells than pixels: scaling without smoothing would otherwise drop a lone hot cell.
 */
export function coarsen(grid: LevelGrid, rowFactor: number, columnFactor: number): LevelGrid {
  if (rowFactor <= 1 && columnFactor <= 1) return grid;
  const { ranks } = grid;
  const rows = Math.ceil(grid.rows / rowFactor);
  const columns = Math.ceil(grid.columns / columnFactor);
  const levels = new Uint8Array(rows * columns).fill(UNKNOWN_LEVEL);
  for (let r = 0; r < grid.rows; r++) {
    const target = Math.floor(r / rowFactor) * columns;
    const source = r * grid.columns;
    for (let c = 0; c < grid.columns; c++) {
      const at = target + Math.floor(c / columnFactor);
      const level = grid.levels[source + c] ?? UNKNOWN_LEVEL;
      if ((ranks[level] ?? 0) > (ranks[levels[at] ?? UNKNOWN_LEVEL] ?? 0)) levels[at] = level;
    }
  }
  return { rows, columns, levels, ranks };
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
