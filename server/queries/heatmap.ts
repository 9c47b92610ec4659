import { said } from '@/lib/messages/in-english';
import { WAIT_SOURCES } from '@/lib/protocol/closed-sets';
import { CodedError } from '@/lib/protocol/errors';
import { createHeatPacker } from '@/lib/protocol/heat-cells';
import type { Evidence } from '@/lib/protocol/lock';
import type { Heatmap } from '@/lib/protocol/measures';
import type { HeatmapParams } from '@/lib/protocol/queries';
import { ROLLUP_STEP_MS } from '@/server/store/history-contract';
import { WAIT_EVIDENCE } from './class-sums';
import { gapsWithin } from './gaps';
import { gridOf, niceStepMs } from './heat-grid';
import { rowOf, tells, type HeatLine } from './heat-lines';
import { MEASURES } from './heat-measures';
import { quantilesOf, type HeatQuantiles } from './heat-quantiles';
import { SHOWN, type HeatAsked } from './heat-shown';
import { inTurns } from './in-turns';
import type { QueryContext, ServerContext } from './query-context';
import { downTo, tiersOf, watchedRange } from './watched-range';

const DEFAULT_RANGE_MS = 30 * 60_000;
const DEFAULT_ROWS = 200;
/** Maps up to this size follow the present second by second. */
const SMALL_CELLS = 100_000;
const SMALL_EVERY_MS = 1000;
const LARGE_EVERY_MS = 10_000;
/** What is older than this is corrected no more; it only comes to be kept in longer steps. */
const SETTLED_MS = 20 * 60_000;
const SETTLED_EVERY_MS = 60_000;

/** Turns sums into values, and whatever is of a column that is not known into NaN. */
async function measure(
  lines: readonly HeatLine[],
  { metric, grid }: HeatAsked,
  quantiles: HeatQuantiles | null,
): Promise<Float64Array> {
  const { value } = MEASURES[metric];
  const columns = grid.columns.length;
  const cells = quantiles?.cells ?? new Float64Array(lines.length * columns);
  await inTurns(lines.entries(), ([row, { sums }]) => {
    const start = row * columns;
    for (let column = 0; column < columns; column++) {
      const spanMs = grid.spans[column] ?? null;
      if (spanMs === null) cells[start + column] = Number.NaN;
      else if (!quantiles) cells[start + column] = value(sums[column] ?? Number.NaN, spanMs);
    }
  });
  return cells;
}

/** How well what is shown is known: the weakest part decides. */
async function evidenceOf(
  lines: readonly HeatLine[],
  cells: Float64Array,
  quantiles: HeatQuantiles | null,
): Promise<Evidence> {
  const columns = lines.length === 0 ? 0 : cells.length / lines.length;
  const known: HeatLine[] = [];
  await inTurns(lines.entries(), ([row, line]) => {
    if (tells(cells.subarray(row * columns, (row + 1) * columns))) known.push(line);
  });
  if (known.length === 0) return 'unknown';
  const inferred = WAIT_SOURCES.some(
    (source) => quantiles?.kinds.has(source) && WAIT_EVIDENCE[source] === 'inferred',
  );
  return inferred || known.some(({ isPartial }) => isPartial) ? 'inferred' : 'observed';
}

interface Size {
  rows: number;
  columns: number;
  isPacked: boolean;
}

async function toCells(
  cells: Float64Array,
  { rows, columns, isPacked }: Size,
): Promise<Pick<Heatmap, 'values' | 'cells'>> {
  if (isPacked) {
    const pack = createHeatPacker({ cells, rows, columns });
    const packed: string[] = [];
    await inTurns(Array(columns).keys(), (column) => packed.push(pack(column)));
    return { values: [], cells: packed };
  }
  const values: (number | null)[][] = [];
  await inTurns(Array(rows).keys(), (row) => {
    const line = cells.subarray(row * columns, (row + 1) * columns);
    values.push(Array.from(line, (value) => (Number.isNaN(value) ? null : value)));
  });
  return { values };
}

/**
 * The range that is asked for as far as there may be history of it, and the length of its columns. Where it begins just
 * before history is kept in shorter steps, its first column or two are left out for the sake of all others. It ends
 * with the end of a column, or at the present: what is kept of a column is kept of the whole of it.
 */
function columnsOf(context: ServerContext, params: HeatmapParams) {
  const { from, to, stepMs } = stepsOf(context, params);
  if (from >= to) return { from, to, stepMs };
  return { from, to: Math.min(context.now(), downTo(stepMs, to - 1) + stepMs), stepMs };
}

function stepsOf(context: ServerContext, params: HeatmapParams) {
  const now = context.now();
  const to = Math.min(params.to ?? now, now);
  const from = Math.max(0, params.from ?? to - DEFAULT_RANGE_MS);
  for (const { spanMs, keepMs } of tiersOf(context)) {
    const stepMs = niceStepMs(to - from, spanMs);
    const begin = downTo(stepMs, from);
    const kept = begin >= now - keepMs ? begin : downTo(stepMs, now - keepMs) + stepMs;
    const isEnough = kept - from <= 2 * stepMs && kept < to;
    if (isEnough) return { from: Math.max(from, kept), to, stepMs };
  }
  const { spanMs, keepMs } = tiersOf(context).at(-1) ?? { spanMs: ROLLUP_STEP_MS, keepMs: 0 };
  // A range of which nothing is kept any more is shown as that.
  const kept = now - keepMs < to ? Math.max(from, now - keepMs) : from;
  return { from: kept, to, stepMs: niceStepMs(to - kept, spanMs) };
}

/** Equal = the map is the same, or too large to be made again for what changed in it. */
export function heatmapToken(context: ServerContext, params: HeatmapParams): string {
  const now = context.now();
  const { from, to, stepMs } = columnsOf(context, params);
  if (to < now - SETTLED_MS) return `${Math.floor(now / SETTLED_EVERY_MS)}`;
  const cells = ((params.rows ?? DEFAULT_ROWS) * (to - from)) / stepMs;
  if (cells <= SMALL_CELLS) return `${Math.floor(now / SMALL_EVERY_MS)}`;
  return `${Math.floor(now / stepMs)}.${Math.floor(now / LARGE_EVERY_MS)}`;
}

/** What is asked for, in columns that history can tell. Throws INVALID_INPUT for a range that is none. */
async function askedOf(context: QueryContext, params: HeatmapParams) {
  const { metric = 'hold-share', rows = DEFAULT_ROWS, namespace, class: lockClass } = params;
  const { from, to, stepMs } = columnsOf(context, params);
  if (from >= to) {
    throw new CodedError('INVALID_INPUT', said('invalid:range', {}), { field: 'from' });
  }
  const range = { ...(await watchedRange(context, { from, to })), from, to };
  const gaps = await gapsWithin(context, from, to);
  const grid = gridOf(range, stepMs, gaps);
  const subject = {
    ...(namespace === undefined ? {} : { namespace }),
    ...(lockClass === undefined ? {} : { class: lockClass }),
  };
  return { asked: { metric, rows, grid, subject }, gaps };
}

/**
 * One value for each row and step of time, the last 30 minutes by default. A cell is null before the first watch, in a
 * gap, and where the metric cannot be known. The hottest rows are shown as they are, the others added up within their
 * class or namespace. Throws INVALID_INPUT for a range that ends before it begins.
 */
export async function heatmap(context: QueryContext, params: HeatmapParams): Promise<Heatmap> {
  const { asked, gaps } = await askedOf(context, params);
  const { group = 'class' } = params;
  const { metric, grid, subject } = asked;
  const { lines, leftOut } = await SHOWN[group](context, asked);
  const { unit, sketches } = MEASURES[metric];
  const quantiles =
    sketches && group !== 'owner'
      ? await quantilesOf(context, { lines, grid, query: { level: group, sketches, ...subject } })
      : null;
  const cells = await measure(lines, asked, quantiles);
  const rows: Heatmap['rows'] = [];
  await inTurns(lines, (line) => rows.push(rowOf(line)));
  const size = { rows: lines.length, columns: grid.columns.length };
  return {
    ...{ metric, rows, columns: grid.columns, stepMs: grid.stepMs },
    ...(await toCells(cells, { ...size, isPacked: params.packed === true })),
    ...{ unit, evidence: await evidenceOf(lines, cells, quantiles), gaps, rowsLeftOut: leftOut },
  };
}
