import type { HeatMetric } from '@/lib/protocol/measures';
import type { Earlier } from './heat-compare';
import type { HeatData } from './heat-data';
import { hottestValue } from './heat-data';
import { SMALLEST_TOP } from './heat-scale';

/** What must be known to read the map right; shown above it. */
export type HeatMessage =
  | { kind: 'nothingYet' }
  | { kind: 'quiet'; hottest: number }
  | { kind: 'brightness'; saturatesAt: number }
  | { kind: 'gaps'; count: number; totalMs: number }
  | { kind: 'notObservable'; count: number; names: string[] }
  | { kind: 'rowsLeftOut'; count: number; areAdded: boolean }
  | { kind: 'nothingEarlier'; earlier: Earlier }
  | { kind: 'coarseEarlier'; stepMs: number };

/** Below so many times the least top of the scale the hottest colour stands for very little. */
const QUIET_FACTOR = 2;
const NAMED = 3;
/** What some libraries leave no trace of. */
const MAYBE_UNSEEN: readonly HeatMetric[] = ['waiters', 'wait', 'attempts', 'timeouts'];

interface Shown {
  data: HeatData;
  /** What is in sight, epoch ms. */
  time: { from: number; to: number };
  top: number;
  brightness: number;
  comparison: { earlier: Earlier; before: HeatData | null } | null;
}

export function heatMessages(shown: Shown): HeatMessage[] {
  const { data, brightness, top, comparison } = shown;
  const silent = silentRows(data);
  const messages: HeatMessage[] = [];
  if (comparison?.before)
    messages.push(...ofComparison(data, comparison.before, comparison.earlier));
  const gaps = gapMessage(shown);
  if (gaps) messages.push(gaps);
  if (data.rows.length > 0 && silent.length === data.rows.length) {
    if (data.evidence === 'unknown' && MAYBE_UNSEEN.includes(data.metric)) {
      messages.push(notObservable(silent));
    } else if (!gaps) messages.push({ kind: 'nothingYet' });
    return messages;
  }
  if (silent.length > 0) messages.push(notObservable(silent));
  const hottest = hottestValue(data.grid);
  if (brightness !== 0) {
    messages.push({ kind: 'brightness', saturatesAt: top / 2 ** brightness });
  } else if (!comparison && hottest < SMALLEST_TOP[data.metric] * QUIET_FACTOR) {
    messages.push({ kind: 'quiet', hottest });
  }
  if (data.rowsLeftOut > 0) {
    const areAdded = data.rows.some((row) => row.kind === 'others');
    messages.push({ kind: 'rowsLeftOut', count: data.rowsLeftOut, areAdded });
  }
  return messages;
}

function ofComparison(now: HeatData, before: HeatData, earlier: Earlier): HeatMessage[] {
  const isKnown = before.grid.cells.some((value) => !Number.isNaN(value));
  if (!isKnown) return [{ kind: 'nothingEarlier', earlier }];
  return before.stepMs > now.stepMs ? [{ kind: 'coarseEarlier', stepMs: before.stepMs }] : [];
}

function gapMessage({ data, time }: Shown): HeatMessage | null {
  const spans = data.gaps
    .map((gap) => Math.min(time.to, gap.to ?? time.to) - Math.max(time.from, gap.from))
    .filter((ms) => ms > 0);
  if (spans.length === 0) return null;
  return { kind: 'gaps', count: spans.length, totalMs: spans.reduce((sum, ms) => sum + ms, 0) };
}

/** Names of the rows of which nothing is known at any time. */
function silentRows({ grid, rows }: HeatData): string[] {
  return rows
    .filter((_, r) => {
      const start = r * grid.columns;
      return grid.cells.subarray(start, start + grid.columns).every((value) => Number.isNaN(value));
    })
    .map((row) => (row.kind === 'others' ? (row.path.at(-2) ?? row.label) : row.label));
}

const notObservable = (names: readonly string[]): HeatMessage => ({
  kind: 'notObservable',
  count: names.length,
  names: names.slice(0, NAMED),
});
