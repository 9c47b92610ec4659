import { longAfterMs } from '@/server/analysers/long-hold';
import type { LockFilter, LockPage, LocksParams } from '@/lib/protocol/queries';
import type { LockRecord } from '@/server/state/lock-record';
import { toLock } from '@/server/state/view';
import type { QueryContext, ServerContext } from './query-context';

const DEFAULT_LIMIT = 200;
/** How old an answer may be that depends on the time alone. */
const TIME_STEP_MS = 1000;

/** What the answer of a filter depends on besides the table. */
function outsideStamp(context: ServerContext, filter: LockFilter): string {
  const time = filter.view === 'long-holds' ? Math.floor(context.now() / TIME_STEP_MS) : 0;
  const alerts = filter.view === 'alerted' ? context.alerts.version : 0;
  return `${alerts}.${time}`;
}

/** What the answer of a filter depends on: equal text, equal answer. */
export const lockStamp = (context: ServerContext, filter: LockFilter): string =>
  `${context.table.version}.${outsideStamp(context, filter)}`;

/** All locks that the filter selects, in the order of the list. */
export function selectLocks(
  context: ServerContext,
  filter: LockFilter,
  sort?: LocksParams['sort'],
): readonly { record: LockRecord }[] {
  const judged = {
    settings: { ...context.config, thresholdOf: context.rules.thresholdOf },
    usual: context.analysis.usual,
  };
  return context.lockIndex.select({
    table: context.table,
    filter,
    sort,
    stamp: outsideStamp(context, filter),
    settings: {
      now: context.now(),
      longAfterMs: (record) => longAfterMs(judged, record),
      hasAlerts: (record) => context.alerts.codesFor(record.db, record.key).length > 0,
    },
  });
}

/** A bulk release takes a part of the list that is smaller by far. */
const MOST_COUNTED = 10_000;

/** How many of a narrowed list a bulk release would ask for; null for the whole list or a very long one. */
function countReleasable(
  matching: readonly { record: LockRecord }[],
  filter: LockFilter,
): number | null {
  const isNarrowed = Object.keys(filter).some((field) => field !== 'free');
  if (!isNarrowed || matching.length > MOST_COUNTED) return null;
  return matching.filter(
    ({ record: { hold, format } }) => hold && format.release && !format.readOnly,
  ).length;
}

/** One page of the list. Without `sort`: whatever is not free first, then by key. */
export function locks(context: QueryContext, params: LocksParams): LockPage {
  const { sort, limit = DEFAULT_LIMIT, cursor, ...filter } = params;
  const matching = selectLocks(context, filter, sort);
  const offset = Math.max(0, Number.parseInt(cursor ?? '0', 10) || 0);
  const end = offset + limit;
  const now = context.now();
  return {
    items: matching
      .slice(offset, end)
      .map(({ record }) => toLock(record, context.alerts.codesFor(record.db, record.key), now)),
    total: matching.length,
    all: context.table.size,
    releasable: countReleasable(matching, filter),
    offset,
    cursor: end < matching.length ? `${end}` : null,
    connected: context.table.connected,
  };
}
