import { DEFAULT_PREFIX } from '@/lib/lock/names';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import { CodedError, isCodedError } from '@/lib/protocol/errors';
import { bytesFromPrintable } from '@/server/queries/printed-key';
import { isRefusal } from '@/server/redis/redis-error';
import type { LockRecord } from '@/server/state/lock-record';
import type { ReadObservation } from '@/server/watch/observation';
import { dbsToLookIn, dbsWithKeys } from './databases';
import type { LockView, Reading } from './lock-view';

/** The lock that an operator named. */
export interface Found {
  db: number;
  key: Bytes;
  /** `name`: what was given stands behind the prefix; `key`: it is the whole key. */
  takenAs: 'name' | 'key';
  read: ReadObservation;
  /** Null when nothing is at the key, or nothing that a format recognises. */
  record: LockRecord | null;
  /** Other dbs that hold the same key; null when this user may not ask which dbs there are. */
  otherDbs: number[] | null;
}

interface Place {
  db: number;
  key: Bytes;
  takenAs: Found['takenAs'];
}

interface Settings {
  redis: { db: number; displayUrl: string };
  dbs: readonly number[] | 'all';
}

/** Behind the prefix first, then as a whole key; what already begins with the prefix the other way round. */
function placesOf(given: string, dbs: readonly number[]): Place[] {
  const bytes = bytesFromPrintable(given);
  const asName = { key: DEFAULT_PREFIX + bytes, takenAs: 'name' } as const;
  const asKey = { key: bytes, takenAs: 'key' } as const;
  const ways = bytes.startsWith(DEFAULT_PREFIX) ? [asKey, asName] : [asName, asKey];
  return dbs.flatMap((db) => ways.map((way) => ({ db, ...way })));
}

const isThere = ({ value, queue }: ReadObservation): boolean =>
  value !== null || (queue?.length ?? 0) > 0;

/**
 * Finds the lock with this name (`order:7`) or key (`qoder:lock:order:7`, printable form). One that nobody
 * holds is found by its fencing counter. Throws NOT_FOUND, which says in which other db the key is.
 */
export async function findLock(view: LockView, settings: Settings, given: string): Promise<Found> {
  const redis = await view.redis(settings.redis.db);
  const dbs = await dbsToLookIn(redis, settings);
  const places = placesOf(given, dbs);
  const allDbs = await dbsWithKeys(redis);
  const unread = new Set<Bytes>();
  let known: Found | null = null;
  for (const place of places) {
    const reading = await readAt(view, place, place === places[0]);
    if (!reading) {
      unread.add(place.key);
      continue;
    }
    const { read, record } = reading;
    if (!isThere(read) && (known || read.fence === null)) continue;
    const others = await dbsHolding(view, place.key, without(allDbs, place.db));
    const found = { ...place, read, record, otherDbs: others };
    if (isThere(read)) return found;
    known = found;
  }
  if (known) return known;
  throw await notFound(view, { settings, places, unread, dbs, allDbs });
}

/**
 * Null where this user may not read the key, unless it is the first that the name can mean: a user who may
 * use the locks behind the prefix need not see other keys.
 */
async function readAt(view: LockView, place: Place, isFirst: boolean): Promise<Reading | null> {
  try {
    return await view.readNow(place.db, place.key);
  } catch (error) {
    if (isFirst || !isCodedError(error) || error.code !== 'CAPABILITY_MISSING') throw error;
    return null;
  }
}

const without = (dbs: readonly number[] | null, db: number): number[] | null =>
  dbs && dbs.filter((each) => each !== db);

async function dbsHolding(
  view: LockView,
  key: Bytes,
  dbs: readonly number[] | null,
): Promise<number[] | null> {
  if (dbs === null) return null;
  const holding: number[] = [];
  for (const db of dbs) if (await isHolding(view, db, key)) holding.push(db);
  return holding;
}

async function isHolding(view: LockView, db: number, key: Bytes): Promise<boolean> {
  try {
    return (await (await view.redis(db)).exists(Buffer.from(key, 'latin1'))) > 0;
  } catch (error) {
    // A db or key that this user may not see says nothing, as one that nobody asks for.
    if (isRefusal(error) || isCodedError(error)) return false;
    throw error;
  }
}

async function notFound(
  view: LockView,
  search: {
    settings: Settings;
    places: Place[];
    unread: ReadonlySet<Bytes>;
    dbs: number[];
    allDbs: number[] | null;
  },
): Promise<CodedError> {
  const { settings, places, dbs } = search;
  const all = [...new Set(places.map(({ key }) => key))];
  const keys = all.filter((key) => !search.unread.has(key));
  const elsewhere = search.allDbs?.filter((db) => !dbs.includes(db)) ?? [];
  const named = keys.map(printable);
  const where = `db ${dbs.join(', ')} of ${new URL(settings.redis.displayUrl).host}`;
  const unread = [...search.unread].map(printable).join();
  const missing =
    unread === ''
      ? `There is neither ${named.join(' nor ')} in ${where}`
      : `There is no ${named.join()} in ${where}, and this user may not read ${unread}`;
  for (const key of keys) {
    const holding = (await dbsHolding(view, key, elsewhere)) ?? [];
    if (holding.length > 0) {
      return new CodedError(
        'NOT_FOUND',
        `${missing}; db ${holding.join(', ')} holds ${printable(key)}: instances with different db numbers lock each for themselves, so give all of them the same one (--db ${holding[0]} looks there).`,
        { keys: keys.map(printable), dbs, otherDbs: holding },
      );
    }
  }
  return new CodedError('NOT_FOUND', `${missing}; "lock list" shows the locks that are there.`, {
    keys: keys.map(printable),
    dbs,
    otherDbs: [],
  });
}
