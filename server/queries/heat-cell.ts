import { createSketch, mergeBytes } from '@/lib/analysis/sketch';
import { HEAT_METRICS } from '@/lib/protocol/closed-sets';
import type { Blame, HeatCell, HeatMetric } from '@/lib/protocol/measures';
import type { HeatCellParams } from '@/lib/protocol/queries';
import type { HeatColumn, Rollup, SketchKind } from '@/server/store/history-contract';
import { columnOf } from '@/server/store/sums';
import { blame } from './blame';
import { figuresOf } from './figures';
import { gapsWithin } from './gaps';
import { watchedMs } from './heat-grid';
import { HEAT_QUANTILE, MEASURES } from './heat-measures';
import { ownerColumns } from './heat-owners';
import type { QueryContext } from './query-context';
import { questionsOf, subjectOf, type Subject } from './subject';
import { spanAt, watchedRange, type WatchedRange } from './watched-range';

/** Leaves of blame beside the figures. */
const MOST_LEAVES = 5;
/** An owner's are looked for among all. */
const LEAVES_READ = 10_000;
const HOUR_MS = 3_600_000;

/** The figures of one row in one span. */
interface RowFigures {
  /** Null = nobody tells. */
  sum: (column: HeatColumn) => number | null;
  sketches: (kind: SketchKind) => readonly Uint8Array[];
}

const sumOf = (rollups: readonly Rollup[], column: HeatColumn): number | null =>
  rollups.reduce<number | null>((sum, rollup) => {
    const value = columnOf(rollup, column);
    return value === null ? sum : (sum ?? 0) + value;
  }, null);

/** What history tells of a subject without distributions, or with that of hand-offs. */
async function rollupsOf(
  context: QueryContext,
  subject: Subject,
  { from, to, sketches }: { from: number; to: number; sketches: readonly SketchKind[] },
): Promise<Rollup[]> {
  const level = subject.locks === null ? 'class' : 'lock';
  const answers = questionsOf(subject).map(async (question) => {
    return await context.history.rollups({ level, ...question, from, to, stepMs: null, sketches });
  });
  return (await Promise.all(answers)).flat();
}

const seriesName = ({ namespace, class: lockClass, formatId, lock }: Rollup): string =>
  [namespace, lockClass, formatId, lock?.db, lock?.key].join('\n');

/** What is told of an hour around a span: what a series tells there is zero where it was silent. */
async function toldAround(
  context: QueryContext,
  subject: Subject,
  { from, to }: WatchedRange,
): Promise<Rollup[]> {
  const reach = Math.max(HOUR_MS, to - from);
  const around = { from: from - reach, to: to + reach };
  const spanMs = spanAt(context, around.from);
  const aligned = Math.floor(around.from / spanMs) * spanMs;
  return await rollupsOf(context, subject, { from: aligned, to: around.to, sketches: [] });
}

async function rowFigures(
  context: QueryContext,
  subject: Subject,
  range: WatchedRange & Pick<HeatCell, 'gaps'>,
): Promise<RowFigures> {
  const { from, to } = range;
  const figures = await figuresOf(context, subject, range);
  const rollups = await figures.read({ from, to, stepMs: null });
  const handoffs = await rollupsOf(context, subject, { from, to, sketches: ['handoff'] });
  const active = new Set(rollups.map(seriesName));
  const around = await toldAround(context, subject, range);
  const silent = around.filter((rollup) => !active.has(seriesName(rollup)));
  const isSilent = (column: HeatColumn): boolean =>
    column === 'heldMs' ||
    column === 'acquisitions' ||
    column === 'lost' ||
    sumOf(silent, column) !== null;
  const source = (column: HeatColumn): readonly Rollup[] =>
    column === 'handoffMs' ? handoffs : rollups;
  return {
    sum: (column) => sumOf(source(column), column) ?? (isSilent(column) ? 0 : null),
    sketches: (kind) =>
      (kind === 'handoff' ? handoffs : rollups).flatMap(({ sketches }) => sketches[kind] ?? []),
  };
}

/** Of an owner history keeps the holds, and what others waited for it. */
async function ownerFigures(
  context: QueryContext,
  params: HeatCellParams & { owner: string },
  { range, caused }: { range: WatchedRange; caused: Blame },
): Promise<RowFigures> {
  const { owner, namespace, class: lockClass } = params;
  const { from, to } = range;
  const told = await ownerColumns(context, { owner, namespace, class: lockClass, from, to });
  const waiterMs = caused.leaves.reduce((sum, { waitMs }) => sum + waitMs, 0);
  const columns: Partial<Record<HeatColumn, number | null>> = {
    ...told,
    waiterMs: caused.evidence === 'unknown' ? null : waiterMs,
  };
  return { sum: (column) => columns[column] ?? null, sketches: () => [] };
}

/** The value of a metric; a distribution that is missing is zero only where there was nothing to measure. */
function valueOf(figures: RowFigures, metric: HeatMetric, spanMs: number): number | null {
  const { column, value, sketches } = MEASURES[metric];
  const sum = figures.sum(column);
  if (sum === null || !sketches) return sum === null ? null : value(sum, spanMs);
  const times = createSketch();
  for (const bytes of sketches.flatMap(figures.sketches)) mergeBytes(bytes, [times]);
  return times.quantile(HEAT_QUANTILE) ?? (sum === 0 ? 0 : null);
}

/**
 * All metrics of one row of a heatmap in one span of time, in whole steps of history, and who made others wait the
 * longest there. Null = not known. Throws INVALID_INPUT.
 */
export async function heatCell(context: QueryContext, params: HeatCellParams): Promise<HeatCell> {
  const { owner, ...about } = params;
  const subject = subjectOf(context, about);
  const range = await watchedRange(context, params);
  const { from, to } = range;
  const gaps = await gapsWithin(context, from, to);
  const limit = owner === undefined ? MOST_LEAVES : LEAVES_READ;
  const blamed = await blame(context, { ...about, from, to, limit });
  const leaves = blamed.leaves.filter((leaf) => owner === undefined || leaf.owner === owner);
  const figures =
    owner === undefined
      ? await rowFigures(context, subject, { ...range, gaps })
      : await ownerFigures(context, { ...params, owner }, { range, caused: { ...blamed, leaves } });
  const spanMs = watchedMs({ at: from, end: to }, range, gaps);
  return {
    ...{ from, to },
    values: HEAT_METRICS.map((metric) => ({
      metric,
      value: spanMs === null ? null : valueOf(figures, metric, spanMs),
      unit: MEASURES[metric].unit,
    })),
    gaps,
    blame: leaves.slice(0, MOST_LEAVES),
  };
}
