import { printable } from '@/lib/protocol/bytes';
import type { Past } from '@/lib/protocol/past';
import type { PastParams } from '@/lib/protocol/queries';
import { lockId, type LockRecord } from '@/server/state/lock-record';
import { placedOwners } from './owner-places';
import { mergeHolds } from './past-holds';
import { momentOf } from './past-moment';
import {
  coversMoment,
  holdsOfRecord,
  nameOfRecord,
  stillWaitingSince,
  toPastLock,
  waiterOfRow,
  type PastName,
  type PastNameAndHold,
  type PastStanding,
} from './past-picture';
import type { ServerContext } from './query-context';

const DEFAULT_LIMIT = 100;
/** Holds, and waits, that one picture is made of. */
const MOST_LOOKED_THROUGH = 10_000;
/** Records of the table that are looked at before the event loop goes on. */
const AT_ONCE = 10_000;

type Filter = Pick<PastParams, 'q' | 'namespace' | 'class' | 'owner'>;

const isOf = (filter: Filter, name: Pick<PastName, 'class' | 'namespace'>): boolean =>
  (filter.class === undefined || filter.class === name.class) &&
  (filter.namespace === undefined || filter.namespace === name.namespace);

/** Calls `look` for each record; the table may change meanwhile. */
async function walkTable(
  { table }: ServerContext,
  look: (record: LockRecord) => void,
): Promise<void> {
  let looked = 0;
  for (const record of table.all()) {
    look(record);
    if (++looked % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

interface Found {
  holds: PastNameAndHold[];
  waits: { name: PastName; waiter: PastStanding['waiters'][number] }[];
  truncated: boolean;
}

/** What was held and awaited at `at`, from the store, from what is on its way there, and from the table. */
async function findAt(context: ServerContext, at: number, filter: Filter): Promise<Found> {
  const { namespace, class: lockClass, owner } = filter;
  const query = { namespace, class: lockClass, at, limit: MOST_LOOKED_THROUGH + 1 };
  const inTable: PastNameAndHold[] = [];
  const waits: Found['waits'] = [];
  const ended = await context.history.waits({ ...query, from: at, to: at, order: 'longest' });
  for (const row of ended) {
    const { db, key, formatId } = row;
    const name = { db, key, class: row.class, namespace: row.namespace, formatId };
    waits.push({ name, waiter: waiterOfRow(row) });
  }
  const [stored, pending] = await context.recorder.whileSettled(async () => {
    const rows = await context.store.holds({ target: context.targetId, ...query, owner });
    await walkTable(context, (record) => {
      if (!isOf(filter, record)) return;
      inTable.push(...holdsOfRecord(record).filter(({ past }) => past.start <= at));
      if (record.queue.length === 0) return;
      const name = nameOfRecord(record);
      for (const waiter of stillWaitingSince(record, at)) waits.push({ name, waiter });
    });
    return [rows, context.recorder.pending().holds.filter((row) => isOf(filter, row))] as const;
  });
  const holds = mergeHolds<PastNameAndHold>(stored, pending, inTable).filter(({ past }) =>
    coversMoment(at, past),
  );
  return {
    holds: owner === undefined ? holds : holds.filter(({ past }) => past.owner === owner),
    waits,
    truncated: stored.length > MOST_LOOKED_THROUGH || ended.length > MOST_LOOKED_THROUGH,
  };
}

/** One entry for each lock. With an owner asked for, the locks that it held. */
function standingsOf({ holds, waits }: Found, filter: Filter): PastStanding[] {
  const standings = new Map<string, PastStanding>();
  for (const { past, ...name } of holds) {
    const known = standings.get(lockId(name.db, name.key))?.hold;
    // Where the ends of holds are not exact two may seem to cover the moment.
    if (known && known.start > past.start) continue;
    standings.set(lockId(name.db, name.key), { ...nameOf(name), hold: past, waiters: [] });
  }
  for (const { name, waiter } of waits) {
    const id = lockId(name.db, name.key);
    const standing = standings.get(id);
    if (standing) standing.waiters.push(waiter);
    else if (filter.owner === undefined) {
      standings.set(id, { ...name, hold: null, waiters: [waiter] });
    }
  }
  return [...standings.values()];
}

const nameOf = ({ db, key, class: lockClass, namespace, formatId }: PastName): PastName => ({
  db,
  key,
  class: lockClass,
  namespace,
  formatId,
});

/** Free text is looked for in the key, the class, and the names of who held and waited. */
function hasText(standing: PastStanding, text: string): boolean {
  const { hold, waiters } = standing;
  const owners = [hold?.owner, hold?.businessId, ...waiters.map(({ owner }) => owner)];
  const parts = [printable(standing.key), standing.class, ...owners.filter(Boolean)];
  return parts.join('\n').toLowerCase().includes(text);
}

const sinceOf = ({ hold, waiters }: PastStanding): number =>
  hold?.start ?? Math.min(...waiters.map(({ start }) => start));

/** Most awaited first, then held the longest, then by key. */
const compare = (a: PastStanding, b: PastStanding): number =>
  b.waiters.length - a.waiters.length ||
  sinceOf(a) - sinceOf(b) ||
  (a.key < b.key ? -1 : Number(a.key > b.key)) ||
  a.db - b.db;

/** Every lock that was held or waited for at a moment. */
export async function past(context: ServerContext, params: PastParams): Promise<Past> {
  const { at: asked, limit = DEFAULT_LIMIT, cursor, q, ...filter } = params;
  const moment = await momentOf(context, asked);
  const found = await findAt(context, moment.at, filter);
  const text = q?.toLowerCase();
  const matching = standingsOf(found, filter)
    .filter((standing) => text === undefined || hasText(standing, text))
    .sort(compare);
  const offset = Number.parseInt(cursor ?? '0', 10) || 0;
  const end = offset + limit;
  const shown = matching.slice(offset, end);
  const owners = shown.flatMap(({ hold, waiters }) => [
    hold?.owner ?? null,
    ...waiters.map(({ owner }) => owner),
  ]);
  return {
    ...moment,
    items: shown.map((standing) => toPastLock(context, standing, moment.gap !== null)),
    places: placedOwners(context, shown, owners),
    total: matching.length,
    truncated: found.truncated,
    offset,
    cursor: end < matching.length ? `${end}` : null,
  };
}
