import { formatTable } from '@/lib/formats';
import { DEFAULT_PREFIX } from '@/lib/lock/names';
import { bytesFromText, type Bytes } from '@/lib/protocol/bytes';
import type { Lock } from '@/lib/protocol/lock';
import type { Settings } from '@/server/config';
import { compileGlob } from '@/lib/analysis/glob';
import { isRefusal } from '@/server/redis/redis-error';
import type { LockRecord } from '@/server/state/lock-record';
import { createKeyFilter, type KeyFilter } from '@/server/watch/key-filter';
import { planKeyPatterns } from '@/server/watch/key-patterns';
import { Sweep } from '@/server/watch/sweep';
import { dbsToLookIn } from './databases';
import type { LockView } from './lock-view';
import { lookUpInstances, toShownLock } from './shown-lock';

export interface ListFilter {
  /** Glob over whole keys, or over names behind the prefix. */
  pattern?: string;
  /** Id of a lock format. */
  format?: string;
  /** Looks at the value of every key, for libraries whose locks may have any name. */
  everything: boolean;
  limit: number;
  /** SCAN goes no further than about so many keys of each db. */
  maxKeys: number;
}

export interface ListedLocks {
  /** At most `limit`: those that are waited for first, then the oldest holds. */
  items: Lock[];
  /** All that were found. */
  total: number;
  /** Null: everything is here, there is no next page. */
  cursor: null;
  dbs: number[];
  /** Keys that SCAN passed. */
  scanned: number;
  /** False when `maxKeys` ended the scan of a db. */
  complete: boolean;
  /** False when this user may not count who waits on channels. */
  waitersCounted: boolean;
}

/** Which keys to look at: SCAN's own pattern, which may let more through, and the exact test. */
interface Selection {
  match: Bytes;
  passes: KeyFilter;
}

/** Finds every lock by SCAN and reads it. Throws TARGET_UNAVAILABLE. */
export async function listLocks(
  view: LockView,
  settings: Pick<Settings, 'redis' | 'dbs' | 'watchPatterns' | 'watchEverything'>,
  filter: ListFilter,
): Promise<ListedLocks> {
  const dbs = await dbsToLookIn(await view.redis(settings.redis.db), settings);
  const selection = selectionOf(settings, filter);
  let scanned = 0;
  let complete = true;
  for (const db of dbs) {
    const scan = await scanDb(view, db, { ...selection, maxKeys: filter.maxKeys });
    scanned += scan.scanned;
    complete &&= scan.complete;
  }
  let waitersCounted = true;
  for (const db of dbs) waitersCounted &&= await view.countWaiters(db);
  const records = [...view.locks()].filter((record) => isWanted(record, filter));
  const locks = await Promise.all(
    dbs.map(async (db) => {
      const ofDb = records.filter((record) => record.db === db);
      await lookUpInstances(view, db, ofDb);
      return ofDb.map((record) => toShownLock(record, view.now()));
    }),
  );
  const sorted = locks.flat().toSorted(byUrgency);
  const items = sorted.slice(0, filter.limit);
  return { items, total: sorted.length, cursor: null, dbs, scanned, complete, waitersCounted };
}

function selectionOf(
  { watchPatterns, watchEverything }: Pick<Settings, 'watchPatterns' | 'watchEverything'>,
  { pattern, everything }: ListFilter,
): Selection {
  if (pattern !== undefined) {
    const glob = bytesFromText(pattern);
    const globs = glob.startsWith(DEFAULT_PREFIX) ? [glob] : [DEFAULT_PREFIX + glob, glob];
    const [match = '*'] = planKeyPatterns({ prefixes: [], globs, everything: false }, 1);
    const tests = globs.map(compileGlob);
    return { match, passes: (key) => tests.some((matches) => matches(key)) };
  }
  const wishes = {
    prefixes: formatTable.watchedPrefixes,
    globs: watchPatterns,
    everything: everything || watchEverything,
  };
  const [match = '*'] = planKeyPatterns(wishes, 1);
  return { match, passes: createKeyFilter(wishes) };
}

async function scanDb(
  view: LockView,
  db: number,
  { match, passes, maxKeys }: Selection & { maxKeys: number },
): Promise<{ scanned: number; complete: boolean }> {
  const keys = await sizeOf(view, db);
  const isLarge = keys > maxKeys;
  let isCut = false;
  const sweep: Sweep = new Sweep({
    dbs: () => [db],
    connection: view.redis,
    match: () => match,
    lockOf: (_, key) => {
      const lock = view.lockOf(key);
      return lock !== null && passes(lock) ? lock : null;
    },
    read: (ofDb, key) => view.request(ofDb, key),
    drained: async (limit) => {
      if (isLarge && sweep.progress.scanned >= maxKeys) {
        isCut = true;
        sweep.stop();
      }
      await view.settled(limit);
    },
    now: view.now,
  });
  await sweep.run('sweep', 'fast');
  // A round passes up to so many keys, whether there are as many or not.
  return { scanned: Math.min(sweep.progress.scanned, keys), complete: !isCut };
}

/** Infinity where this user may not ask. */
async function sizeOf(view: LockView, db: number): Promise<number> {
  try {
    return await (await view.redis(db)).dbsize();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return Infinity;
  }
}

const isWanted = ({ state, format, queue }: LockRecord, filter: ListFilter): boolean =>
  (state !== 'free' || queue.length > 0) &&
  (filter.format === undefined || format.id === filter.format);

function byUrgency(a: Lock, b: Lock): number {
  const waiting = (b.waiting.count ?? 0) - (a.waiting.count ?? 0);
  const age = knownSince(a) - knownSince(b);
  return waiting || age || a.db - b.db || (a.key < b.key ? -1 : 1);
}

const knownSince = ({ hold }: Lock): number =>
  hold && hold.sinceEvidence !== 'unknown' ? hold.since : Number.MAX_SAFE_INTEGER;
