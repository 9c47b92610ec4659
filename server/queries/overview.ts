import type { Alert } from '@/lib/protocol/alert';
import type { Gap } from '@/lib/protocol/target';
import type { Overview, Series } from '@/lib/protocol/measures';
import { sightOfTarget } from '@/lib/analysis/target-sight';
import { waitingCount } from '@/server/state/waiting';
import { ROLLUP_STEP_MS, type HeatColumn, type HeatSums } from '@/server/store/history-contract';
import { busiestClasses } from './classes';
import { gapMsWithin } from './gaps';
import { heatmap } from './heatmap';
import type { QueryContext } from './query-context';
import { downTo, tiersOf, watchedRange, type WatchedRange } from './watched-range';

const MINUTE_MS = 60_000;
const SERIES_MS = 30 * MINUTE_MS;
/** A console that has just begun to watch fills its charts instead of drawing a field of unknowns. */
const SHORTEST_SERIES_MS = 5 * MINUTE_MS;
const RATE_MS = MINUTE_MS;
const MAX_ALERTS = 50;
const MAX_CLASSES = 8;
const HEAT_ROWS = 20;
/** More than there ever are: the sums are of all classes. */
const ALL_CLASSES = 1_000_000;

function countAlerts(open: readonly Alert[]): Overview['alertCounts'] {
  const counts = { critical: 0, warning: 0, info: 0 };
  for (const { severity } of open) counts[severity]++;
  return counts;
}

/** What one pass over the table tells. */
function countLocks(
  context: QueryContext,
): Pick<Overview['counters'], 'noExpiry' | 'waiting' | 'waitingUnknownLocks'> {
  let noExpiry = 0;
  let waiting: number | null = null;
  let waitingUnknownLocks = 0;
  for (const record of context.table.all()) {
    const isHeld = record.state === 'held';
    if (isHeld && record.hold?.deadline === null) noExpiry++;
    const seen = context.table.connected ? waitingCount(record) : null;
    if (seen !== null) waiting = (waiting ?? 0) + seen;
    else if (isHeld) waitingUnknownLocks++;
  }
  return { noExpiry, waiting, waitingUnknownLocks };
}

type Column = 'acquisitions' | 'lost';

/** What all classes did together, one value for each step of `steps`. */
interface Totals extends Record<Column, Float64Array> {
  from: number;
  steps: number;
}

function totalOf({ cells, steps, series }: HeatSums, column: HeatColumn): Float64Array {
  const total = new Float64Array(steps);
  const values = cells[column];
  if (!values) return total;
  for (let row = 0; row < series.length; row++) {
    for (let step = 0; step < steps; step++) {
      total[step] = (total[step] ?? 0) + (values[row * steps + step] || 0);
    }
  }
  return total;
}

async function totalsOf(context: QueryContext, { from, to }: WatchedRange): Promise<Totals> {
  const sums = await context.history.heat({
    ...{ level: 'class', from, to, stepMs: ROLLUP_STEP_MS, rows: ALL_CLASSES },
    columns: ['acquisitions', 'lost'],
  });
  const { steps } = sums;
  return {
    ...{ from: sums.from, steps },
    acquisitions: totalOf(sums, 'acquisitions'),
    lost: totalOf(sums, 'lost'),
  };
}

/** The whole steps of the last minute in which nothing was missed, each by its start. */
function knownSteps(range: WatchedRange, gaps: readonly Gap[]): number[] {
  const known: number[] = [];
  const to = downTo(ROLLUP_STEP_MS, range.to);
  for (let at = to - RATE_MS; at < to; at += ROLLUP_STEP_MS) {
    const isWatched = at + ROLLUP_STEP_MS > range.watchedFrom;
    if (isWatched && gapMsWithin(gaps, at, at + ROLLUP_STEP_MS) === 0) known.push(at);
  }
  return known;
}

/** Per minute over the known steps of the last minute; null when there are none. */
function ratePerMinute(totals: Totals, known: readonly number[], column: Column): number | null {
  if (known.length === 0) return null;
  const count = known.reduce((sum, at) => sum + valueAt(totals, at, column), 0);
  return (count * RATE_MS) / (known.length * ROLLUP_STEP_MS);
}

const valueAt = (totals: Totals, at: number, column: Column): number =>
  totals[column][(at - totals.from) / ROLLUP_STEP_MS] ?? 0;

/** What there was per step, without the step that is not over. */
function seriesOf(
  totals: Totals,
  column: Column,
  { range, gaps }: { range: WatchedRange; gaps: readonly Gap[] },
): Series {
  const series: Series = [];
  for (let at = range.from; at + ROLLUP_STEP_MS <= range.to; at += ROLLUP_STEP_MS) {
    const end = at + ROLLUP_STEP_MS;
    const isBlind = gapMsWithin(gaps, at, end) >= ROLLUP_STEP_MS / 2;
    const isUnknown = isBlind || end <= range.watchedFrom;
    series.push({ at, value: isUnknown ? null : valueAt(totals, at, column) });
  }
  return series;
}

function describeTarget(context: QueryContext): Overview['targets'][number] {
  const target = context.watch.status();
  const { id, nodes, warnings } = target;
  const connected = context.table.connected;
  return {
    id,
    connected,
    blind: !connected || warnings.some(({ code }) => code === 'blind'),
    sight: connected ? sightOfTarget(target) : 'nothing',
    eventsPerSecond: nodes.reduce((sum, node) => sum + node.eventsPerSecond, 0),
    sweeping: nodes.some((node) => node.sweep.running),
  };
}

/** The last part of the hour that the charts show: as much of it as was watched, and is kept in the shortest steps. */
function seriesRange(context: QueryContext, hour: WatchedRange): WatchedRange {
  const watchedMs = Math.max(SHORTEST_SERIES_MS, hour.to - hour.watchedFrom);
  const keptMs = (tiersOf(context)[0]?.keepMs ?? SERIES_MS) - ROLLUP_STEP_MS;
  const from = downTo(ROLLUP_STEP_MS, hour.to - Math.min(SERIES_MS, watchedMs, keptMs));
  return { from, to: hour.to, watchedFrom: Math.max(from, hour.watchedFrom) };
}

/** The state of everything on one page. */
export async function overview(context: QueryContext): Promise<Overview> {
  const open = context.alerts.open();
  const { held, free, coolingDown, orphanQueues } = context.table.counts;
  const hour = await watchedRange(context, {});
  const range = seriesRange(context, hour);
  const totals = await totalsOf(context, range);
  const heat = await heatmap(context, { rows: HEAT_ROWS, from: range.from, to: range.to });
  const busiest = await busiestClasses(context, hour, MAX_CLASSES);
  const known = context.table.connected ? knownSteps(range, heat.gaps) : [];
  return {
    alerts: open.slice(0, MAX_ALERTS),
    alertCounts: countAlerts(open),
    counters: {
      held,
      free,
      coolingDown,
      orphanQueues,
      ...countLocks(context),
      acquisitionsPerMinute: ratePerMinute(totals, known, 'acquisitions'),
      lostPerMinute: ratePerMinute(totals, known, 'lost'),
    },
    acquisitions: seriesOf(totals, 'acquisitions', { range, gaps: heat.gaps }),
    lost: seriesOf(totals, 'lost', { range, gaps: heat.gaps }),
    busiest,
    heatmap: heat,
    targets: [describeTarget(context)],
  };
}
