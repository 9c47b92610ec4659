import type { HeatMetric, HeatRow } from '@/lib/protocol/measures';
import type { CellGrid, HeatData } from './heat-data';
import { cellValue } from './heat-data';
import { rowName } from './heat-tree';

const DAY_MS = 86_400_000;

/** What a map can be compared with, and how long before it that was. */
export const EARLIER = { yesterday: DAY_MS, 'last-week': 7 * DAY_MS } as const;
export type Earlier = keyof typeof EARLIER;

/** Two maps over the same rows and columns, and what changed from one to the other. */
export interface Comparison {
  /** The later map, with the rows that only the earlier one has. */
  now: HeatData;
  before: CellGrid;
  change: CellGrid;
}

/** Counts per column: of columns of another length the share that falls into one is taken. */
const COUNTS: readonly HeatMetric[] = ['timeouts', 'lost'];
/** Of a row without any entry these are zero: nothing was held, so nothing happened. */
const SILENT_IS_ZERO: readonly HeatMetric[] = ['hold-share', 'acquisitions', 'lost'];

/** Lays the map of `shiftMs` before over a map. Unknown on either side is an unknown change. */
export function compareHeat(now: HeatData, before: HeatData, shiftMs: number): Comparison {
  const rows = unionOf(now.rows, before.rows);
  const columns = now.columns.length;
  const readers = { now: createReader(now), before: createReader(before) };
  const grids = { now: emptyGrid(rows.length, columns), before: emptyGrid(rows.length, columns) };
  const change = emptyGrid(rows.length, columns);
  const columnsBefore = now.columns.map((at) => columnAt(before, at - shiftMs));
  const share = COUNTS.includes(now.metric) ? now.stepMs / before.stepMs : 1;
  rows.forEach((row, r) => {
    const readNow = readers.now(row);
    const readBefore = row.kind === 'others' ? notKnown : readers.before(row);
    for (let c = 0; c < columns; c++) {
      const at = r * columns + c;
      const later = readNow(c) ?? Number.NaN;
      const earlier = (readBefore(columnsBefore[c] ?? -1) ?? Number.NaN) * share;
      grids.now.cells[at] = later;
      grids.before.cells[at] = earlier;
      change.cells[at] = later - earlier;
    }
  });
  return { now: { ...now, rows, grid: grids.now }, before: grids.before, change };
}

type ReadColumn = (column: number) => number | null;

/** What is added up in `others` is not the same locks on both sides, and so tells no change. */
const notKnown: ReadColumn = () => null;

const emptyGrid = (rows: number, columns: number): CellGrid => ({
  rows,
  columns,
  cells: new Float64Array(rows * columns).fill(Number.NaN),
});

function columnAt({ columns, stepMs }: HeatData, at: number): number {
  const first = columns[0];
  return first === undefined ? -1 : Math.floor((at - first) / stepMs);
}

/** Reads a row of a map by column. One that the map does not have was silent, where the map has all rows. */
function createReader(data: HeatData): (row: HeatRow) => ReadColumn {
  const places = new Map(data.rows.map((row, index) => [rowName(row), index]));
  const isWhole = data.rowsLeftOut === 0 && data.rows.every((row) => row.kind !== 'others');
  const silent = isWhole && SILENT_IS_ZERO.includes(data.metric) ? 0 : null;
  const seen = data.columns.map((_, column) => isKnownColumn(data.grid, column));
  return (row) => {
    const place = places.get(rowName(row));
    if (place !== undefined) return (column) => cellValue(data.grid, place, column);
    return (column) => (seen[column] ? silent : null);
  };
}

function isKnownColumn(grid: CellGrid, column: number): boolean {
  for (let r = 0; r < grid.rows; r++) if (cellValue(grid, r, column) !== null) return true;
  return false;
}

/** The rows of both: those of the earlier map alone stand at the end of their class or namespace. */
function unionOf(now: readonly HeatRow[], before: readonly HeatRow[]): HeatRow[] {
  const known = new Set(now.map(rowName));
  const ends = new Map<string, number>();
  now.forEach(({ kind, path }, index) => {
    if (kind === 'others') return;
    for (let shared = 1; shared < path.length; shared++) ends.set(prefixOf(path, shared), index);
  });
  const behind = new Map<number, HeatRow[]>();
  for (const row of before) {
    if (known.has(rowName(row)) || row.kind === 'others') continue;
    const place = placeOf(row.path, ends) ?? now.length - 1;
    behind.set(place, [...(behind.get(place) ?? []), row]);
  }
  const first = behind.get(-1) ?? [];
  return [...first, ...now.flatMap((row, index) => [row, ...(behind.get(index) ?? [])])];
}

const prefixOf = (path: readonly string[], length: number): string =>
  JSON.stringify(path.slice(0, length));

/** Behind the last row of the longest path that both share. */
function placeOf(path: readonly string[], ends: ReadonlyMap<string, number>): number | undefined {
  for (let shared = path.length - 1; shared > 0; shared--) {
    const place = ends.get(prefixOf(path, shared));
    if (place !== undefined) return place;
  }
  return undefined;
}
