import { fromBase64Url } from '@/lib/protocol/bytes';
import type { QueryName, QueryParams } from '@/lib/protocol/queries';
import { BLAME_RANGE_MS } from '@/server/queries/blame';
import { heatmapToken } from '@/server/queries/heatmap';
import { lockStamp } from '@/server/queries/locks';
import type { ServerContext } from '@/server/queries/query-context';
import { HOUR_MS } from '@/server/queries/watched-range';

/** What the clock drives is computed anew this often. */
export const CLOCK_MS = 1000;

/** Figures of a long range hardly change within seconds, and cost more. */
const LONG_RANGE_MS = 15 * 60_000;
const LONG_RANGE_EVERY_MS = 2000;

type Token<N extends QueryName> = (context: ServerContext, params: QueryParams<N>) => string;

const everySecond = (context: ServerContext): string => `${Math.floor(context.now() / CLOCK_MS)}`;
/** The past changes seldom: a hold that stood then has ended since, or is known better. */
const everyTenSeconds = (context: ServerContext): string =>
  `${Math.floor(context.now() / (10 * CLOCK_MS))}`;
const withAlerts = (context: ServerContext): string =>
  `${everySecond(context)}.${context.alerts.version}`;

const ofRange =
  (defaultMs: number) =>
  (
    { now }: ServerContext,
    { from, to }: { from?: number | undefined; to?: number | undefined },
  ): string => {
    const at = now();
    const end = to ?? at;
    const isLong = end - (from ?? end - defaultMs) > LONG_RANGE_MS;
    return `${Math.floor(at / (isLong ? LONG_RANGE_EVERY_MS : CLOCK_MS))}`;
  };

function lockToken(context: ServerContext, params: QueryParams<'lock'>): string {
  const record = context.table.get(params.db, fromBase64Url(params.keyB64) ?? '');
  if (!record) return `gone.${everySecond(context)}`;
  const { changedAt, rawAt, generation, state, hold, queue, subscribers, acquisitions } = record;
  const figures = [
    changedAt,
    rawAt,
    generation,
    state,
    hold?.renewals,
    hold?.depth,
    hold?.deadline,
  ];
  const others = [queue.length, subscribers, acquisitions, record.ended.length];
  const beside = [context.alerts.version, context.table.connected, context.traces.version];
  return [...figures, ...others, ...beside].join('.');
}

const tracesToken = ({ traces }: ServerContext): string => `${traces.version}`;

const TOKENS: { [N in QueryName]: Token<N> } = {
  overview: withAlerts,
  locks: (context, { sort: _sort, limit: _limit, cursor: _cursor, ...filter }) =>
    `${lockStamp(context, filter)}.${context.alerts.version}.${context.table.connected}`,
  lock: lockToken,
  holds: everySecond,
  classes: everySecond,
  heatmap: heatmapToken,
  'heat-cell': everyTenSeconds,
  waits: ofRange(HOUR_MS),
  blame: ofRange(BLAME_RANGE_MS),
  past: everyTenSeconds,
  'past-lock': everyTenSeconds,
  advice: everyTenSeconds,
  timeouts: (context) => `${everyTenSeconds(context)}.${context.adviceMemory.timeouts.version}`,
  configuration: everyTenSeconds,
  history: everyTenSeconds,
  deadlocks: (context, { at }) =>
    at === undefined ? withAlerts(context) : everyTenSeconds(context),
  chains: everySecond,
  orders: everySecond,
  alerts: (context) => `${context.alerts.version}`,
  // What was done to its locks, and who was told, comes without a change of the alert.
  alert: withAlerts,
  rules: (context) => `${withAlerts(context)}.${context.rules.edits}.${context.silences.edits}`,
  'rule-dry-run': everyTenSeconds,
  audit: everySecond,
  targets: everySecond,
  traces: tracesToken,
  trace: tracesToken,
  pins: everySecond,
  libraries: everySecond,
  discovery: everySecond,
  notify: ({ notifier }) => `${notifier.version}`,
};

/** Equal tokens: computing the query again would give the same answer. */
export function changeToken<N extends QueryName>(
  context: ServerContext,
  query: N,
  params: QueryParams<N>,
): string {
  const token: Token<N> = TOKENS[query];
  return token(context, params);
}
