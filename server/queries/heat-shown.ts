import type { HeatMetric } from '@/lib/protocol/measures';
import type { HeatmapParams } from '@/lib/protocol/queries';
import type { HeatQuery } from '@/server/store/history-contract';
import type { HeatGrid } from './heat-grid';
import { linesOf } from './heat-lines';
import { MEASURES } from './heat-measures';
import { ownerLines } from './heat-owners';
import { foldClasses, foldLocks, type ShownLines } from './heat-rows';
import type { QueryContext } from './query-context';

/** Far more than there are where keys have a pattern; a map of a million classes would not fit into memory. */
const MOST_CLASSES = 10_000;

export interface HeatAsked {
  metric: HeatMetric;
  rows: number;
  grid: HeatGrid;
  /** Restricts the rows. */
  subject: { namespace?: string; class?: string };
}

const heatQuery = (
  { metric, grid, subject }: HeatAsked,
  { level, rows }: Pick<HeatQuery, 'level' | 'rows'>,
): Omit<HeatQuery, 'target'> => {
  const from = grid.columns[0] ?? 0;
  const to = from + grid.columns.length * grid.stepMs;
  const columns = [MEASURES[metric].column];
  return { ...subject, level, from, to, stepMs: grid.stepMs, columns, rows };
};

async function classLines(context: QueryContext, asked: HeatAsked): Promise<ShownLines> {
  const sums = await context.history.heat(heatQuery(asked, { level: 'class', rows: MOST_CLASSES }));
  const lines = await linesOf(sums, MEASURES[asked.metric].column);
  return { lines, leftOut: sums.leftOut };
}

async function shownClasses(context: QueryContext, asked: HeatAsked): Promise<ShownLines> {
  const classes = await classLines(context, asked);
  const shown = await foldClasses(classes.lines, asked.rows);
  return { lines: shown.lines, leftOut: shown.leftOut + classes.leftOut };
}

async function shownLocks(context: QueryContext, asked: HeatAsked): Promise<ShownLines> {
  const { rows } = asked;
  const sums = await context.history.heat(heatQuery(asked, { level: 'lock', rows }));
  const locks = await linesOf(sums, MEASURES[asked.metric].column);
  const classes = await classLines(context, asked);
  const shown = await foldLocks(locks, classes.lines, rows);
  return { lines: shown.lines, leftOut: shown.leftOut + sums.leftOut };
}

/** What is asked of owners lies in the holds, which are kept for their own time. */
async function shownOwners(context: QueryContext, asked: HeatAsked): Promise<ShownLines> {
  const { column } = MEASURES[asked.metric];
  const { rows, grid, subject } = asked;
  return await ownerLines(context, { grid, column, rows, ...subject });
}

/** The rows of a map by what a row is. */
export const SHOWN: Record<
  NonNullable<HeatmapParams['group']>,
  (context: QueryContext, asked: HeatAsked) => Promise<ShownLines>
> = { class: shownClasses, lock: shownLocks, owner: shownOwners };
