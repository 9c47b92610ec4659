import { said } from '@/lib/messages/in-english';
import type { Gap } from '@/lib/protocol/target';
import { CodedError } from '@/lib/protocol/errors';
import type { Heatmap } from '@/lib/protocol/measures';
import type { HeatmapParams } from '@/lib/protocol/queries';
import { gapMsWithin, gapsWithin } from './gaps';
import { cellOf, MEASURES, measureRow, niceStepMs, rowsOfRollups, type HeatRow } from './heat-grid';
import type { QueryContext } from './query-context';
import { watchedRange, type WatchedRange } from './watched-range';

const DEFAULT_RANGE_MS = 30 * 60_000;
const DEFAULT_ROWS = 200;
/** Cells of an answer: what is drawn, sent and compared with the last one. */
const MAX_CELLS = 360_000;
const MAX_RANGE_MS = 400 * 86_400_000;
/** A column counts as unknown when at least this much of it lies in gaps. */
const UNKNOWN_SHARE = 0.5;
/** A column that has just begun is not divided by almost nothing. */
const MIN_SPAN_MS = 1000;

interface Grid {
  columns: number[];
  /** Milliseconds of the column that have passed; null where it is not known. */
  spans: (number | null)[];
}

const downTo = (stepMs: number, time: number): number => Math.floor(time / stepMs) * stepMs;

function gridOf(range: WatchedRange, stepMs: number, gaps: Gap[]): Grid {
  const columns: number[] = [];
  const spans: (number | null)[] = [];
  for (let at = downTo(stepMs, range.from); at < range.to; at += stepMs) {
    const end = Math.min(range.to, at + stepMs);
    const isUnseen = end <= range.watchedFrom;
    const isBlind = gapMsWithin(gaps, at, end) >= (end - at) * UNKNOWN_SHARE;
    columns.push(at);
    spans.push(isUnseen || isBlind ? null : Math.max(MIN_SPAN_MS, end - at));
  }
  return { columns, spans };
}

/** Rows by lock or owner come from history's holds, which know neither waiters nor hand-offs. */
async function rowsOfHolds(
  context: QueryContext,
  by: 'lock' | 'owner',
  query: { from: number; to: number; stepMs: number; rows: number },
): Promise<HeatRow[]> {
  const rows = new Map<string, HeatRow>();
  for (const held of await context.store.heldPerStep({ by, ...query })) {
    const name = `${held.namespace}\n${held.class}\n${held.label}`;
    let row = rows.get(name);
    if (!row) {
      const path = [held.namespace, held.class, held.label];
      row = { label: held.label, path, cells: new Map(), seesWaiters: false };
      rows.set(name, row);
    }
    const cell = cellOf(row, held.step);
    cell.heldMs += held.heldMs;
    cell.acquisitions += held.acquisitions;
    cell.lost += held.lost;
  }
  return [...rows.values()];
}

interface Measured {
  row: HeatRow;
  values: (number | null)[];
  heat: number;
}

const heatOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

const comparePaths = (a: readonly string[], b: readonly string[]): number => {
  for (const [i, part] of a.entries()) {
    const other = b[i] ?? '';
    if (part !== other) return part < other ? -1 : 1;
  }
  return 0;
};

/** The hottest `limit` rows, in the order of their paths. */
function hottest(measured: readonly Measured[], limit: number): Measured[] {
  return measured
    .toSorted((a, b) => b.heat - a.heat)
    .slice(0, limit)
    .toSorted((a, b) => comparePaths(a.row.path, b.row.path));
}

const isKnown = (values: readonly (number | null)[]): boolean =>
  values.some((value) => value !== null);

/** The heatmap of a range that begins at the border of a step. */
export async function heatmapOf(
  context: QueryContext,
  params: HeatmapParams,
  range: WatchedRange,
): Promise<Heatmap> {
  const { metric = 'hold-share', group = 'class', rows: wanted = DEFAULT_ROWS } = params;
  const { from, to, rollups } = range;
  // Old history is kept in longer steps than a short range would be drawn in.
  const spans = rollups.map(({ spanMs = 0 }) => spanMs);
  const stepMs = spans.reduce((a, b) => Math.max(a, b), niceStepMs(to - from));
  const gaps = await gapsWithin(context, from, to);
  const grid = gridOf(range, stepMs, gaps);
  const limit = Math.min(wanted, Math.ceil(MAX_CELLS / Math.max(1, grid.columns.length)));
  const rows =
    group === 'class'
      ? await rowsOfRollups(rollups, stepMs)
      : await rowsOfHolds(context, group, { from: downTo(stepMs, from), to, stepMs, rows: limit });
  const measured = rows.map((row): Measured => {
    const values = measureRow(row, metric, grid);
    return { row, values, heat: heatOf(values) };
  });
  const shown = hottest(measured, limit);
  return {
    metric,
    rows: shown.map(({ row }) => ({ label: row.label, path: row.path })),
    columns: grid.columns,
    stepMs,
    values: shown.map(({ values }) => values),
    unit: MEASURES[metric].unit,
    evidence: shown.some(({ values }) => isKnown(values)) ? 'observed' : 'unknown',
    gaps,
    rowsLeftOut: measured.length - shown.length,
  };
}

/** Where a heatmap of [from, to) begins, so that its first column is whole. */
export const heatmapStart = (from: number, to: number): number =>
  downTo(niceStepMs(to - from), from);

/**
 * One value for each row and step of time, the last 30 minutes by default. A cell is null before the
 * first watch, in a gap, and where the metric cannot be observed.
 */
export async function heatmap(context: QueryContext, params: HeatmapParams): Promise<Heatmap> {
  const to = params.to ?? context.now();
  const from = Math.max(params.from ?? to - DEFAULT_RANGE_MS, to - MAX_RANGE_MS);
  if (from >= to) {
    throw new CodedError('INVALID_INPUT', said('invalid:range', {}), { field: 'from' });
  }
  const start = heatmapStart(from, to);
  const range = await watchedRange(context, { from: start, to }, { parts: 'sums' });
  return await heatmapOf(context, params, range);
}
