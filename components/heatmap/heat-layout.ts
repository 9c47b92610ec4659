import type { Gap } from '@/lib/protocol/target';
import type { HeatWindow } from './heat-window';

/** Cells no taller than this: few rows stay a table of cells and not one giant block. */
const MAX_ROW_PX = 28;
/** Rows lower than this carry no name of their own. */
export const LABEL_ROW_PX = 12;
/** So many rows get the height that their names need, even when the page then scrolls; more stay in sight at once. */
const NAMED_ROWS = 60;

export interface HeatFrame {
  width: number;
  height: number;
  /** The cells, in CSS pixels. */
  plot: { left: number; top: number; width: number; height: number };
  /** Widths of the columns of labels, from the namespace to the row's own. */
  labelWidths: readonly number[];
  /** Width of the bars at the right, 0 where there is no room. */
  marginWidth: number;
  rowHeight: number;
  /** Labels and bars have made room for the cells. */
  isNarrow: boolean;
}

const TOP_MARGIN_PX = 34;
const AXIS_PX = 26;

/** Below it labels and bars have to make room for the cells. */
const NARROW_PX = 620;
const WIDE_PX = 1000;
/** A column for upright text alone. */
const STRIP_PX = 20;

function labelWidths(width: number, depth: number): number[] {
  if (width < NARROW_PX) {
    const own = Math.min(112, Math.round(width * 0.27));
    return [...Array.from({ length: depth - 1 }, () => STRIP_PX), own];
  }
  if (depth === 1) return [176];
  if (depth === 2) return [104, 176];
  return width < WIDE_PX ? [STRIP_PX, 96, 124] : [92, 140, 176];
}

export interface LayoutRoom {
  width: number;
  maxHeight: number;
  rows: number;
  /** Columns of labels. */
  depth: number;
}

/**
 * Where everything goes, for a canvas `width` wide and at most `maxHeight` high.
 * Rows are at most {@link MAX_ROW_PX} high; the frame shrinks to what they need, and grows beyond `maxHeight` for
 * the names of up to {@link NAMED_ROWS}.
 */
export function layOut({ width, maxHeight, rows, depth }: LayoutRoom): HeatFrame {
  const labels = labelWidths(width, depth);
  const marginWidth = width < NARROW_PX ? 0 : 56;
  const named = rows <= NAMED_ROWS ? rows * LABEL_ROW_PX : 0;
  const room = Math.max(60, named, maxHeight - TOP_MARGIN_PX - AXIS_PX);
  const plotHeight = Math.min(room, Math.max(1, rows) * MAX_ROW_PX);
  const left = labels.reduce((sum, each) => sum + each, 0);
  return {
    width,
    height: TOP_MARGIN_PX + plotHeight + AXIS_PX,
    plot: {
      left,
      top: TOP_MARGIN_PX,
      width: Math.max(40, width - left - marginWidth),
      height: plotHeight,
    },
    labelWidths: labels,
    marginWidth,
    rowHeight: plotHeight / Math.max(1, rows),
    isNarrow: width < NARROW_PX,
  };
}

const STEPS_MS = [
  10_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000,
  10_800_000, 21_600_000, 43_200_000, 86_400_000, 172_800_000, 604_800_000, 1_209_600_000,
];

/** Round times inside the window, far enough apart for their labels. `offsetMs` = local time − UTC. */
export function timeTicks(window: HeatWindow, widthPx: number, offsetMs: number): number[] {
  const span = window.to - window.from;
  const least = (span / Math.max(1, widthPx)) * 76;
  const step = STEPS_MS.find((candidate) => candidate >= least) ?? 1_209_600_000;
  const ticks: number[] = [];
  const first = Math.ceil((window.from + offsetMs) / step) * step - offsetMs;
  for (let at = first; at <= window.to; at += step) ticks.push(at);
  return ticks;
}

/** The parts of the window that gaps cover; one still open reaches to the end. */
export function gapSpans(
  gaps: readonly Gap[],
  window: HeatWindow,
): { gap: Gap; from: number; to: number }[] {
  return gaps
    .map((gap) => ({
      gap,
      from: Math.max(window.from, gap.from),
      to: Math.min(window.to, gap.to ?? window.to),
    }))
    .filter((span) => span.to > span.from);
}

export interface CellAt {
  row: number;
  column: number;
}

/** The cell under a point given as 0…1 of the plot; null outside the data. */
export function cellAt(
  point: { x: number; y: number },
  window: HeatWindow,
  grid: { rows: number; columns: readonly number[]; stepMs: number },
): CellAt | null {
  if (point.x < 0 || point.x >= 1 || point.y < 0 || point.y >= 1) return null;
  const time = window.from + point.x * (window.to - window.from);
  const row = Math.floor(window.rowFrom + point.y * (window.rowTo - window.rowFrom));
  const first = grid.columns[0];
  if (first === undefined || row < 0 || row >= grid.rows) return null;
  const column = Math.floor((time - first) / grid.stepMs);
  return column >= 0 && column < grid.columns.length ? { row, column } : null;
}
