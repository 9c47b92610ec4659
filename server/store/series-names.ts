import type { Kysely } from 'kysely';
import type { Backend } from './backend';
import { digestOf, fromBlob, textFromBlob, textToBytes, toBlob } from './blob';
import type { LockName, SeriesName } from './history-contract';
import type { Schema } from './schema';

const ASKED_AT_ONCE = 500;
const REMEMBERED = 50_000;

export interface Subject {
  namespace?: string | undefined;
  class?: string | undefined;
  lock?: LockName | undefined;
  /** Any of these. */
  locks?: readonly LockName[] | undefined;
}

/** Which series a question is about; null = all. */
export interface Wanted {
  classIds: ReadonlySet<number> | null;
  lockIds: ReadonlySet<number> | null;
}

/** Names of series by their numbers, some of them remembered. */
export interface SeriesNames {
  of: (db: Kysely<Schema>, ids: readonly number[]) => Promise<Map<number, SeriesName>>;
  /** Numbers may mean another series now. */
  clear: () => void;
}

export function createSeriesNames(): SeriesNames {
  const remembered = new Map<number, SeriesName>();
  return {
    of: async (db, ids) => {
      if (remembered.size > REMEMBERED) remembered.clear();
      const missing = ids.filter((id) => !remembered.has(id));
      const names = new Map<number, SeriesName>();
      for (let at = 0; at < missing.length; at += ASKED_AT_ONCE) {
        for (const [id, name] of await namesOf(db, missing.slice(at, at + ASKED_AT_ONCE))) {
          names.set(id, name);
        }
      }
      for (const id of ids) {
        const name = names.get(id) ?? remembered.get(id);
        if (name) names.set(id, name);
      }
      for (const [id, name] of names) remembered.set(id, name);
      return names;
    },
    clear: () => remembered.clear(),
  };
}

async function namesOf(
  db: Kysely<Schema>,
  ids: readonly number[],
): Promise<[number, SeriesName][]> {
  const rows = await db
    .selectFrom('series')
    .innerJoin('targets', 'targets.id', 'series.target_id')
    .leftJoin('locks', 'locks.id', 'series.lock_id')
    .select(({ fn, ref }) => [
      'series.id',
      'series.class',
      'series.namespace',
      'series.format',
      'locks.db',
      fn.coalesce(ref('targets.bytes'), ref('targets.digest')).as('target'),
      fn.coalesce(ref('locks.bytes'), ref('locks.digest')).as('key'),
    ])
    .where('series.id', 'in', [...ids])
    .execute();
  return rows.map((row) => [
    row.id,
    {
      target: textFromBlob(row.target),
      class: textFromBlob(row.class),
      namespace: textFromBlob(row.namespace),
      formatId: row.format,
      lock: row.db === null || row.key === null ? null : { db: row.db, key: fromBlob(row.key) },
    },
  ]);
}

/** Null where nothing was ever written of the target. */
export async function targetIdOf(db: Kysely<Schema>, target: string): Promise<number | null> {
  const row = await db
    .selectFrom('targets')
    .select('id')
    .where('digest', '=', digestOf(textToBytes(target)))
    .executeTakeFirst();
  return row?.id ?? null;
}

/** The series that a question about some of them is about. */
export async function wantedSeries(
  db: Kysely<Schema>,
  targetId: number,
  subject: Subject,
): Promise<Wanted> {
  const { namespace, class: lockClass, lock, locks = lock && [lock] } = subject;
  const blob = (text: string): Uint8Array => toBlob(textToBytes(text));
  const ofTarget = db
    .selectFrom('series')
    .select('series.id')
    .where('series.target_id', '=', targetId);
  const classIds =
    namespace === undefined && lockClass === undefined
      ? null
      : await ofTarget
          .where('lock_id', 'is', null)
          .$if(namespace !== undefined, (q) => q.where('namespace', '=', blob(namespace ?? '')))
          .$if(lockClass !== undefined, (q) => q.where('class', '=', blob(lockClass ?? '')))
          .execute();
  return {
    classIds: classIds && new Set(classIds.map(({ id }) => id)),
    lockIds: locks ? await seriesOfLocks(db, targetId, locks) : null,
  };
}

async function seriesOfLocks(
  db: Kysely<Schema>,
  targetId: number,
  locks: readonly LockName[],
): Promise<Set<number>> {
  const found = new Set<number>();
  for (const [number, ofDb] of Map.groupBy(locks, (lock) => lock.db)) {
    for (let at = 0; at < ofDb.length; at += ASKED_AT_ONCE) {
      const some = ofDb.slice(at, at + ASKED_AT_ONCE).map(({ key }) => digestOf(key));
      const rows = await db
        .selectFrom('series')
        .innerJoin('locks', 'locks.id', 'series.lock_id')
        .select('series.id')
        .where('series.target_id', '=', targetId)
        .where('locks.target_id', '=', targetId)
        .where('locks.db', '=', number)
        .where('locks.digest', 'in', some)
        .execute();
      for (const { id } of rows) found.add(id);
    }
  }
  return found;
}

/** What is read at one moment of the database: pages may be rebuilt between two questions. */
export function inOneView<T>(
  backend: Backend,
  work: (db: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  return backend.reader
    .transaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read')
    .execute(work);
}

/** The classes, printable, of which a target has series, with the last used first. */
export async function readClasses(db: Kysely<Schema>, target: string): Promise<string[]> {
  const rows = await db
    .selectFrom('series')
    .innerJoin('targets', 'targets.id', 'series.target_id')
    .select(['series.class', ({ fn }) => fn.max('series.seen').as('seen')])
    .where('targets.digest', '=', digestOf(textToBytes(target)))
    .where('series.lock_id', 'is', null)
    .groupBy('series.class')
    .orderBy('seen', 'desc')
    .execute();
  return rows.map((row) => textFromBlob(row.class));
}
