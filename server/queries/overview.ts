import type { Alert } from '@/lib/protocol/alert';
import type { Gap } from '@/lib/protocol/target';
import { LOST_REASONS } from '@/lib/protocol/lock';
import type { Overview, Series } from '@/lib/protocol/measures';
import { sightOfTarget } from '@/lib/analysis/target-sight';
import { waitingCount } from '@/server/state/waiting';
import { ROLLUP_STEP_MS, type Rollup } from '@/server/store/store-contract';
import { endReasons } from './class-sums';
import { classesOf } from './classes';
import { gapMsWithin } from './gaps';
import { heatmapOf, heatmapStart } from './heatmap';
import type { QueryContext } from './query-context';
import { stepOf } from './rollup-reader';
import { lastPartOf, watchedRange, type WatchedRange } from './watched-range';

const SERIES_MS = 30 * 60_000;
/** A console that has just begun to watch fills its charts instead of drawing a field of unknowns. */
const SHORTEST_SERIES_MS = 5 * 60_000;
const RATE_MS = 60_000;
const MAX_ALERTS = 50;
const MAX_CLASSES = 8;
const HEAT_ROWS = 20;

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

const lostIn = (rollup: Rollup): number =>
  endReasons(rollup.ends)
    .filter((reason) => LOST_REASONS.includes(reason))
    .reduce((sum, reason) => sum + (rollup.ends[reason] ?? 0), 0);

/** The whole steps of the last minute in which nothing was missed, each by its start. */
function knownSteps(range: WatchedRange, gaps: readonly Gap[]): Set<number> {
  const known = new Set<number>();
  const to = stepOf(range.to);
  for (let at = to - RATE_MS; at < to; at += ROLLUP_STEP_MS) {
    const isWatched = at + ROLLUP_STEP_MS > range.watchedFrom;
    if (isWatched && gapMsWithin(gaps, at, at + ROLLUP_STEP_MS) === 0) known.add(at);
  }
  return known;
}

/** Per minute over the known steps of the last minute; null when there are none. */
function ratePerMinute(
  range: WatchedRange,
  known: ReadonlySet<number>,
  countOf: (rollup: Rollup) => number,
): number | null {
  if (known.size === 0) return null;
  const count = range.rollups
    .filter(({ step }) => known.has(step))
    .reduce((sum, rollup) => sum + countOf(rollup), 0);
  return (count * RATE_MS) / (known.size * ROLLUP_STEP_MS);
}

/** Acquisitions per step, without the step that is not over. */
function acquisitionSeries(range: WatchedRange, gaps: readonly Gap[]): Series {
  const counts = new Map<number, number>();
  for (const { step, acquisitions } of range.rollups) {
    counts.set(step, (counts.get(step) ?? 0) + acquisitions);
  }
  const series: Series = [];
  for (let at = stepOf(range.from); at + ROLLUP_STEP_MS <= range.to; at += ROLLUP_STEP_MS) {
    const end = at + ROLLUP_STEP_MS;
    const isBlind = gapMsWithin(gaps, at, end) >= ROLLUP_STEP_MS / 2;
    series.push({ at, value: isBlind || end <= range.watchedFrom ? null : (counts.get(at) ?? 0) });
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

/** The state of everything on one page; history is read once for all of it. */
export async function overview(context: QueryContext): Promise<Overview> {
  const open = context.alerts.open();
  const { held, free, coolingDown, orphanQueues } = context.table.counts;
  const hour = await watchedRange(context, {}, { parts: 'sums-and-sketches' });
  const seriesMs = Math.min(SERIES_MS, Math.max(SHORTEST_SERIES_MS, hour.to - hour.watchedFrom));
  const range = lastPartOf(hour, heatmapStart(hour.to - seriesMs, hour.to));
  const heat = await heatmapOf(context, { rows: HEAT_ROWS }, range);
  const busiest = await classesOf(context, hour);
  const known = context.table.connected ? knownSteps(range, heat.gaps) : new Set<number>();
  return {
    alerts: open.slice(0, MAX_ALERTS),
    alertCounts: countAlerts(open),
    counters: {
      held,
      free,
      coolingDown,
      orphanQueues,
      ...countLocks(context),
      acquisitionsPerMinute: ratePerMinute(range, known, ({ acquisitions }) => acquisitions),
      lostPerMinute: ratePerMinute(range, known, lostIn),
    },
    acquisitions: acquisitionSeries(range, heat.gaps),
    busiest: busiest.items.slice(0, MAX_CLASSES),
    heatmap: heat,
    targets: [describeTarget(context)],
  };
}
