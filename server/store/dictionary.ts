import type { Bytes } from '@/lib/protocol/bytes';
import type { Backend, ColumnType } from './backend';
import { bytesBeside, digestOf, fromBlob, textToBytes, toBlob } from './blob';

export interface SeriesName {
  target: string;
  class: string;
  namespace: string;
  formatId: string;
}

export interface LockName {
  target: string;
  db: number;
  key: Bytes;
}

/**
 * Numbers for long values. `seen` of a value is renewed when it is used, at most a day and `FRESH_MS` late:
 * whoever removes unused values must leave that margin.
 */
export interface Dictionary {
  /** Called before a write begins to learn: forgets what is too much or too old to be relied on. */
  makeRoom: () => void;
  /** Makes numbers for what is asked for afterwards, until the next `makeRoom`. */
  learnLocks: (names: readonly LockName[]) => Promise<void>;
  learnSeries: (names: readonly SeriesName[]) => Promise<void>;
  learnWords: (words: readonly Bytes[]) => Promise<void>;
  /** The number, learnt before. */
  lock: (name: LockName) => number;
  series: (name: SeriesName) => number;
  word: (word: Bytes) => number;
  target: (target: string) => Promise<number>;
  /** Forgets what was learnt: the database was opened anew. */
  clear: () => void;
}

const REMEMBERED = 200_000;
const LOOKUP_AT_ONCE = 400;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Remembered numbers are looked up again after this. */
export const FRESH_MS = 60 * 60 * 1000;

type Table = 'targets' | 'words' | 'locks' | 'series';

interface Entry {
  bytes: Bytes;
  /** Values of `extra`, in order. */
  extra: unknown[];
}

interface Kind {
  table: Table;
  extra: readonly (readonly [name: string, type: ColumnType])[];
  conflict: string;
}

const TARGETS: Kind = { table: 'targets', extra: [], conflict: 'digest' };
const WORDS: Kind = { table: 'words', extra: [], conflict: 'digest' };
const LOCKS: Kind = {
  table: 'locks',
  extra: [
    ['db', 'integer'],
    ['target_id', 'bigint'],
  ],
  conflict: 'digest, db, target_id',
};
const SERIES: Kind = {
  table: 'series',
  extra: [
    ['target_id', 'bigint'],
    ['class', 'bytes'],
    ['namespace', 'bytes'],
    ['format', 'text'],
  ],
  conflict: 'digest',
};

export function createDictionary(backend: Backend, now: () => number): Dictionary {
  const remembered = new Map<string, number>();
  let since = now();
  // Targets are few and asked for constantly.
  const targets = new Map<string, number>();

  function clear(): void {
    remembered.clear();
    targets.clear();
    since = now();
  }

  async function learn(kind: Kind, wanted: Map<string, Entry>): Promise<void> {
    if (wanted.size === 0) return;
    const ids = await idsOf(backend, kind, [...wanted.values()], now());
    for (const [name, entry] of wanted) remembered.set(name, idIn(ids, entry));
  }

  function makeRoom(): void {
    if (remembered.size > REMEMBERED || now() - since > FRESH_MS) clear();
  }

  async function target(name: string): Promise<number> {
    const known = targets.get(name);
    if (known !== undefined) return known;
    const entry = { bytes: textToBytes(name), extra: [] };
    const id = idIn(await idsOf(backend, TARGETS, [entry], now()), entry);
    targets.set(name, id);
    return id;
  }

  async function learnLocks(names: readonly LockName[]): Promise<void> {
    const wanted = new Map<string, Entry>();
    for (const name of names) {
      const at = lockKey(name);
      if (remembered.has(at) || wanted.has(at)) continue;
      wanted.set(at, { bytes: name.key, extra: [name.db, await target(name.target)] });
    }
    await learn(LOCKS, wanted);
  }

  async function learnSeries(names: readonly SeriesName[]): Promise<void> {
    const wanted = new Map<string, Entry>();
    for (const name of names) {
      const at = seriesKey(name);
      if (remembered.has(at) || wanted.has(at)) continue;
      const texts = [name.class, name.namespace].map((text) => toBlob(textToBytes(text)));
      wanted.set(at, {
        bytes: textToBytes(at),
        extra: [await target(name.target), ...texts, name.formatId],
      });
    }
    await learn(SERIES, wanted);
  }

  async function learnWords(words: readonly Bytes[]): Promise<void> {
    const wanted = new Map<string, Entry>();
    for (const word of words) {
      const at = wordKey(word);
      if (!remembered.has(at)) wanted.set(at, { bytes: word, extra: [] });
    }
    await learn(WORDS, wanted);
  }

  const known = (at: string): number => {
    const id = remembered.get(at);
    if (id === undefined) throw new Error('asked for a number that was not learnt');
    return id;
  };

  return {
    makeRoom,
    learnLocks,
    learnSeries,
    learnWords,
    lock: (name) => known(lockKey(name)),
    series: (name) => known(seriesKey(name)),
    word: (word) => known(wordKey(word)),
    target,
    clear,
  };
}

const lockKey = (name: LockName): string => `l${name.db}:${name.target}:${name.key}`;
const wordKey = (word: Bytes): string => `w${word}`;
const seriesKey = (name: SeriesName): string =>
  `s${name.target}\0${name.class}\0${name.namespace}\0${name.formatId}`;

/** Digest and numeric extras together, as found again in a row of the database. */
const rowKey = (kind: Kind, digest: Uint8Array, extra: readonly unknown[]): string =>
  kind.table === 'locks' ? `${extra[0]}:${extra[1]}:${fromBlob(digest)}` : fromBlob(digest);

interface Ids {
  kind: Kind;
  byRow: Map<string, number>;
}

function idIn(ids: Ids, entry: Entry): number {
  const id = ids.byRow.get(rowKey(ids.kind, digestOf(entry.bytes), entry.extra));
  if (id === undefined) throw new Error(`a row of ${ids.kind.table} vanished while it was written`);
  return id;
}

async function idsOf(backend: Backend, kind: Kind, entries: Entry[], at: number): Promise<Ids> {
  const rows = entries.map(({ bytes, extra }) => [
    digestOf(bytes),
    bytesBeside(bytes),
    at,
    ...extra,
  ]);
  // In one order everywhere: two consoles that add the same values cannot wait for each other in a circle.
  rows.sort(([a], [b]) => Buffer.compare(asBlob(a), asBlob(b)));
  await backend.writeRows([
    {
      verb: 'insert',
      table: kind.table,
      columns: [['digest', 'bytes'], ['bytes', 'bytes'], ['seen', 'bigint'], ...kind.extra],
      rows,
      onConflict: `on conflict (${kind.conflict}) do update set seen = excluded.seen
        where ${kind.table}.seen < excluded.seen - ${DAY_MS}`,
    },
  ]);
  return { kind, byRow: await lookUp(backend, kind, rows) };
}

const asBlob = (value: unknown): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array();

async function lookUp(
  backend: Backend,
  kind: Kind,
  rows: readonly (readonly unknown[])[],
): Promise<Map<string, number>> {
  const byRow = new Map<string, number>();
  for (let from = 0; from < rows.length; from += LOOKUP_AT_ONCE) {
    const digests = rows.slice(from, from + LOOKUP_AT_ONCE).map(([digest]) => asBlob(digest));
    if (kind.table === 'locks') {
      const found = backend.db.selectFrom('locks').select(['id', 'digest', 'db', 'target_id']);
      for (const row of await found.where('digest', 'in', digests).execute()) {
        byRow.set(rowKey(kind, row.digest, [row.db, row.target_id]), row.id);
      }
    } else {
      const found = backend.db.selectFrom(kind.table).select(['id', 'digest']);
      for (const row of await found.where('digest', 'in', digests).execute()) {
        byRow.set(rowKey(kind, row.digest, []), row.id);
      }
    }
  }
  return byRow;
}
