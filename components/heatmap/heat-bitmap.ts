import type { LevelGrid } from './heat-raster';
import { coarsen, paintLevels } from './heat-raster';

/**
 * The cells as small canvases of one pixel per cell, one for each degree of merging that was asked for.
 * A new palette repaints what is in use; new values need a new object.
 */
export class HeatBitmaps {
  readonly #grid: LevelGrid;
  readonly #coarse = new Map<string, LevelGrid>();
  readonly #painted = new Map<string, { palette: Uint32Array; canvas: HTMLCanvasElement }>();

  constructor(grid: LevelGrid) {
    this.#grid = grid;
  }

  /** Null when there are no cells, or the browser gives no drawing context. */
  canvas(factors: { row: number; column: number }, palette: Uint32Array): HTMLCanvasElement | null {
    if (this.#grid.rows === 0 || this.#grid.columns === 0) return null;
    const name = `${factors.row}×${factors.column}`;
    const painted = this.#painted.get(name);
    if (painted?.palette === palette) return painted.canvas;
    const grid = this.#merged(factors.row, factors.column);
    const canvas = painted?.canvas ?? document.createElement('canvas');
    canvas.width = grid.columns;
    canvas.height = grid.rows;
    const context = canvas.getContext('2d');
    if (!context) return null;
    const image = context.createImageData(grid.columns, grid.rows);
    paintLevels(grid, palette, new Uint32Array(image.data.buffer));
    context.putImageData(image, 0, 0);
    this.#painted.set(name, { palette, canvas });
    return canvas;
  }

  /** Each degree of merging is made from the next finer one: all of them cost little more than one. */
  #merged(row: number, column: number): LevelGrid {
    if (row <= 1 && column <= 1) return this.#grid;
    const name = `${row}×${column}`;
    const known = this.#coarse.get(name);
    if (known) return known;
    const grid =
      row > 1
        ? coarsen(this.#merged(row / 2, column), 2, 1)
        : coarsen(this.#merged(row, column / 2), 1, 2);
    this.#coarse.set(name, grid);
    return grid;
  }
}
