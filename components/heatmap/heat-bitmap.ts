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
    const grid = this.#coarse.get(name) ?? coarsen(this.#grid, factors.row, factors.column);
    this.#coarse.set(name, grid);
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
}
