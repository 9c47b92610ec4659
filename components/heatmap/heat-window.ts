/** The visible part: times in epoch ms, rows as fractions of row indices. */
export interface HeatWindow {
  from: number;
  to: number;
  rowFrom: number;
  rowTo: number;
}

export interface Zoom {
  /** Where the pointer is, 0…1 from the left and from the top. */
  x: number;
  y: number;
  /** < 1 zooms in. */
  factor: number;
  axes: { time: boolean; rows: boolean };
}

/** Closer than this a column would be wider than the whole plot. */
const MIN_SPAN_MS = 60_000;
const MIN_ROWS = 4;

function zoomSpan(from: number, to: number, at: number, factor: number): [number, number] {
  const pivot = from + (to - from) * at;
  return [pivot - (pivot - from) * factor, pivot + (to - pivot) * factor];
}

/** Keeps the pointed-at cell where it is. Never wider than `bounds`, never closer than a few cells. */
export function zoomWindow(window: HeatWindow, zoom: Zoom, bounds: HeatWindow): HeatWindow {
  let { from, to, rowFrom, rowTo } = window;
  if (zoom.axes.time) {
    const factor = Math.max(zoom.factor, MIN_SPAN_MS / (to - from));
    [from, to] = zoomSpan(from, to, zoom.x, factor);
  }
  if (zoom.axes.rows) {
    const least = Math.min(MIN_ROWS, bounds.rowTo - bounds.rowFrom);
    const factor = Math.max(zoom.factor, least / (rowTo - rowFrom));
    [rowFrom, rowTo] = zoomSpan(rowFrom, rowTo, zoom.y, factor);
  }
  return {
    from: Math.max(bounds.from, from),
    to: Math.min(bounds.to, to),
    rowFrom: Math.max(bounds.rowFrom, rowFrom),
    rowTo: Math.min(bounds.rowTo, rowTo),
  };
}

/** The window between two points of a drag, each 0…1 from left and top; rows only when asked. */
export function selectWindow(
  window: HeatWindow,
  corners: { x1: number; y1: number; x2: number; y2: number },
  withRows: boolean,
): HeatWindow {
  const span = window.to - window.from;
  const rows = window.rowTo - window.rowFrom;
  const [left, right] = [Math.min(corners.x1, corners.x2), Math.max(corners.x1, corners.x2)];
  const [top, bottom] = [Math.min(corners.y1, corners.y2), Math.max(corners.y1, corners.y2)];
  const missing = Math.max(0, MIN_SPAN_MS - (right - left) * span) / 2;
  return {
    from: Math.round(window.from + left * span - missing),
    to: Math.round(window.from + right * span + missing),
    rowFrom: withRows ? Math.floor(window.rowFrom + top * rows) : window.rowFrom,
    rowTo: withRows ? Math.ceil(window.rowFrom + bottom * rows) : window.rowTo,
  };
}

/** Moves the window along by shares of itself, as far as `bounds` go. */
export function panWindow(
  window: HeatWindow,
  by: { time: number; rows: number },
  bounds: HeatWindow,
): HeatWindow {
  const [from, to] = shifted([window.from, window.to], by.time, [bounds.from, bounds.to]);
  const [rowFrom, rowTo] = shifted([window.rowFrom, window.rowTo], by.rows, [
    bounds.rowFrom,
    bounds.rowTo,
  ]);
  return { from, to, rowFrom, rowTo };
}

type Ends = [number, number];

function shifted([from, to]: Ends, share: number, [least, most]: Ends): Ends {
  const wanted = (to - from) * share;
  const by = Math.max(least - from, Math.min(most - to, wanted));
  // A window that reaches beyond its bounds on both sides stays where it is.
  return least - from > most - to ? [from, to] : [from + by, to + by];
}

/** The window moved no more than needed for a stretch of time and a row to be inside it. */
export function windowAround(
  window: HeatWindow,
  cell: { from: number; to: number; row: number },
): HeatWindow {
  const [from, to] = reaching([window.from, window.to], [cell.from, cell.to]);
  const [rowFrom, rowTo] = reaching([window.rowFrom, window.rowTo], [cell.row, cell.row + 1]);
  return { from, to, rowFrom, rowTo };
}

function reaching([from, to]: Ends, [least, most]: Ends): Ends {
  if (least < from) return [least, to - (from - least)];
  return most > to ? [from + (most - to), most] : [from, to];
}

/** Whether a part of the cell is out of sight. */
export function isOutside(
  cell: { from: number; to: number; row: number },
  { from, to, rowFrom, rowTo }: HeatWindow,
): boolean {
  return cell.from < from || cell.to > to || cell.row < rowFrom || cell.row + 1 > rowTo;
}

const COLUMNS_AROUND = 3;
const ROWS_AROUND = 12;

interface Span {
  from: number;
  to: number;
}

/** A closer look at one cell: a few columns either side, and of many rows some above and below; null = all. */
export function closeTo(
  cell: Span & { row: number },
  map: { stepMs: number; rows: number },
): { time: Span; rows: Span | null } {
  const wide = Math.max(MIN_SPAN_MS / 2, COLUMNS_AROUND * map.stepMs);
  const middle = (cell.from + cell.to) / 2;
  const time = { from: Math.round(middle - wide), to: Math.round(middle + wide) };
  if (map.rows <= 2 * ROWS_AROUND) return { time, rows: null };
  const from = Math.max(0, Math.min(map.rows - 2 * ROWS_AROUND, cell.row - ROWS_AROUND));
  return { time, rows: { from, to: from + 2 * ROWS_AROUND } };
}
