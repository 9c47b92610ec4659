import type { Bytes } from '@/lib/protocol/bytes';
import type { Backend, ColumnType } from './backend';
import { bytesBeside, digestOf, textToBytes, toBlob } from './blob';

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
 * Numbers for long values, in the order asked for. `seen` of a value is renewed when it is used, at most
 * `FRESH_MS` late: whoever removes unused values must leave that margin. Call one at a time.
 */
export interface Dictionary {
  locks: (names: readonly LockName[]) => Promise<number[]>;
  series: (names: readonly SeriesName[]) => Promise<number[]>;
  words: (words: readonly Bytes[]) => Promise<number[]>;
  target: (target: string) => Promise<number>;
  /** Forgets all numbers: the database was opened anew. */
  clear: () => void;
}

const REMEMBERED = 100_000;
/** Remembered numbers are asked for again after this. */
export const FRESH_MS = 60 * 60 * 1000;

type Column = readonly [name: string, type: ColumnType];

interface Kind {
  table: 'targets' | 'words' | 'locks' | 'series';
  /** Columns beside the dictionary's own. */
  extra: readonly Column[];
  unique: readonly string[];
}

const TARGETS: Kind = { table: 'targets', extra: [], unique: ['digest'] };
const WORDS: Kind = { table: 'words', extra: [], unique: ['digest'] };
const LOCKS: Kind = {
  table: 'locks',
  extra: [
    ['db', 'integer'],
    ['target_id', 'bigint'],
  ],
  unique: ['digest', 'db', 'target_id'],
};
const SERIES: Kind = {
  table: 'series',
  extra: [
    ['target_id', 'bigint'],
    ['class', 'bytes'],
    ['namespace', 'bytes'],
    ['format', 'text'],
  ],
  unique: ['digest'],
};

export function createDictionary(backend: Backend, now: () => number): Dictionary {
  const targets = createNumbers(backend, TARGETS, now);
  const words = createNumbers(backend, WORDS, now);
  const locks = createNumbers(backend, LOCKS, now);
  const series = createNumbers(backend, SERIES, now);

  async function target(name: string): Promise<number> {
    const [id] = await targets.of([name], async () => ({ bytes: textToBytes(name), extra: [] }));
    if (id === undefined) throw new Error('a target has no number');
    return id;
  }

  return {
    target,
    words: (list) => words.of(list, async (word) => ({ bytes: word, extra: [] })),
    locks: (list) =>
      locks.of(list, async (name) => ({
        bytes: name.key,
        extra: [name.db, await target(name.target)],
      })),
    series: (list) =>
      series.of(list, async (name) => ({
        bytes: textToBytes(nameKey(name)),
        extra: [
          await target(name.target),
          toBlob(textToBytes(name.class)),
          toBlob(textToBytes(name.namespace)),
          name.formatId,
        ],
      })),
    clear: () => {
      for (const numbers of [targets, words, locks, series]) numbers.clear();
    },
  };
}

type Name = string | LockName | SeriesName;

function nameKey(name: Name): string {
  if (typeof name === 'string') return name;
  return 'key' in name
    ? `${name.db}:${name.target}:${name.key}`
    : `${name.target}\0${name.class}\0${name.namespace}\0${name.formatId}`;
}

interface Entry {
  bytes: Bytes;
  /** Values of the kind's extra columns, in order. */
  extra: unknown[];
}

function createNumbers(backend: Backend, kind: Kind, now: () => number) {
  const remembered = new Map<string, number>();
  let since = now();

  async function learn(missing: Map<string, Entry>): Promise<void> {
    const rows = [...missing].map(([key, { bytes, extra }]) => ({
      key,
      digest: digestOf(bytes),
      rest: [bytesBeside(bytes), now(), ...extra],
    }));
    // In one order everywhere: two consoles that add the same values cannot wait for each other in a circle.
    rows.sort((a, b) => Buffer.compare(a.digest, b.digest));
    const ids = await backend.intern({
      table: kind.table,
      columns: [['digest', 'bytes'], ['bytes', 'bytes'], ['seen', 'bigint'], ...kind.extra],
      unique: kind.unique,
      rows: rows.map(({ digest, rest }) => [digest, ...rest]),
    });
    for (const [i, { key }] of rows.entries()) {
      const id = ids[i];
      if (id !== undefined) remembered.set(key, id);
    }
  }

  function clear(): void {
    remembered.clear();
    since = now();
  }

  async function of<N extends Name>(
    names: readonly N[],
    entryOf: (name: N) => Promise<Entry>,
  ): Promise<number[]> {
    if (remembered.size > REMEMBERED || now() - since > FRESH_MS) clear();
    const keys = names.map(nameKey);
    const missing = new Map<string, Entry>();
    for (const [i, key] of keys.entries()) {
      const name = names[i];
      if (name === undefined || remembered.has(key) || missing.has(key)) continue;
      missing.set(key, await entryOf(name));
    }
    if (missing.size > 0) await learn(missing);
    return keys.map((key) => {
      const id = remembered.get(key);
      if (id === undefined) throw new Error(`a row of ${kind.table} has no number`);
      return id;
    });
  }

  return { of, clear };
}
