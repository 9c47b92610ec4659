import type { CellAt, HeatFrame } from './heat-layout';
import type { HeatWindow } from './heat-window';

interface Size {
  width: number;
  /** About; a box that is higher reaches below the map. */
  height: number;
}

const GAP_PX = 8;

/**
 * Where a box about a cell goes: right of it, or left where the frame ends, and no lower than the frame.
 * Null when the cell is out of sight. In CSS pixels from the top left of the canvas.
 */
export function besideCell(
  cell: CellAt,
  grid: { columns: readonly number[]; stepMs: number },
  { window, frame, size }: { window: HeatWindow; frame: HeatFrame; size: Size },
): { left: number; top: number; width: number } | null {
  const { plot } = frame;
  const at = grid.columns[cell.column];
  if (at === undefined) return null;
  const perMs = plot.width / (window.to - window.from);
  const left = plot.left + (at - window.from) * perMs;
  const right = left + grid.stepMs * perMs;
  const perRow = plot.height / (window.rowTo - window.rowFrom);
  const top = plot.top + (cell.row - window.rowFrom) * perRow;
  if (right <= plot.left || left >= plot.left + plot.width) return null;
  if (top + perRow <= plot.top || top >= plot.top + plot.height) return null;
  const width = Math.min(size.width, frame.width - 2 * GAP_PX);
  const fits = right + GAP_PX + width <= frame.width;
  const wanted = fits ? right + GAP_PX : left - width - GAP_PX;
  return {
    left: Math.max(GAP_PX, Math.min(wanted, frame.width - width - GAP_PX)),
    top: Math.max(0, Math.min(top, frame.height - size.height)),
    width,
  };
}

/** Right of the labels, at the height of the block's upper end in sight. */
export function besideLabel(
  block: { from: number },
  { plot }: HeatFrame,
  { rowFrom, rowTo }: HeatWindow,
): { left: number; top: number } {
  const share = Math.max(0, block.from - rowFrom) / (rowTo - rowFrom);
  return { left: plot.left + GAP_PX, top: plot.top + share * plot.height };
}
