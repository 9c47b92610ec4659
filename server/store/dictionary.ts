import type { Bytes } from '@/lib/protocol/bytes';
import type { Backend, Column } from './backend';
import { bytesBeside, digestOf, textToBytes, toBlob } from './blob';
import type { LockName, SeriesName } from './history-contract';
import { NumberTree, type Leaf } from './number-tree';

type DictionaryClass = Omit<SeriesName, 'lock'>;

/** `lock` left out or null = the whole class. */
export type DictionarySeries = DictionaryClass & { lock?: SeriesName['lock'] };

export interface DictionaryLock extends LockName {
  target: string;
}

/**
 * Numbers for long values, in the order asked for. `seen` of a value is renewed when it is used, at most
 * `FRESH_MS` late: whoever removes unused values must leave that margin. Call one at a time.
 */
export interface Dictionary {
  locks: (names: readonly DictionaryLock[]) => Promise<number[]>;
  series: (names: readonly DictionarySeries[]) => Promise<number[]>;
  words: (words: readonly Bytes[]) => Promise<number[]>;
  target: (target: string) => Promise<number>;
  /** Numbers that are remembered, at once; null = not known, or to be asked for again. */
  readonly known: {
    /** False = nothing is known any more. */
    isFresh: () => boolean;
    lock: (name: DictionaryLock) => number | null;
    /** Of a whole class. */
    series: (name: DictionaryClass) => number | null;
    word: (word: Bytes) => number | null;
  };
  /** Forgets all numbers: the database was opened anew. */
  clear: () => void;
}

const REMEMBERED = 100_000;
/** Remembered numbers are asked for again after this. */
export const FRESH_MS = 60 * 60 * 1000;

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
    ['lock_id', 'bigint'],
  ],
  unique: ['digest'],
};

/** `most`: names of a kind that are remembered. */
export function createDictionary(
  backend: Backend,
  now: () => number,
  most = REMEMBERED,
): Dictionary {
  const targets = createNumbers(backend, { kind: TARGETS, names: textNames(), now, most });
  const words = createNumbers(backend, { kind: WORDS, names: textNames(), now, most });
  const locks = createNumbers(backend, { kind: LOCKS, names: lockNames(), now, most });
  const classes = createNumbers(backend, { kind: SERIES, names: classNames(), now, most });
  const single = createNumbers(backend, { kind: SERIES, names: singleNames(), now, most });

  async function target(name: string): Promise<number> {
    const [id] = await targets.of([name], async () => [{ bytes: textToBytes(name), extra: [] }]);
    if (id === undefined) throw new Error('a target has no number');
    return id;
  }

  async function lockEntries(missing: readonly DictionaryLock[]): Promise<Entry[]> {
    const entries: Entry[] = [];
    for (const { target: of, db, key } of missing) {
      entries.push({ bytes: key, extra: [db, await target(of)] });
    }
    return entries;
  }

  async function seriesEntries(missing: readonly DictionarySeries[]): Promise<Entry[]> {
    const named = missing.flatMap(({ target: of, lock }) =>
      lock ? [{ target: of, ...lock }] : [],
    );
    // All at once: one by one each new lock would be a message of its own.
    const lockIds = (await locks.of(named, lockEntries)).values();
    const entries: Entry[] = [];
    for (const name of missing) {
      entries.push({
        bytes: textToBytes(seriesKey(name)),
        extra: [
          await target(name.target),
          toBlob(textToBytes(name.class)),
          toBlob(textToBytes(name.namespace)),
          name.formatId,
          name.lock ? lockIds.next().value : null,
        ],
      });
    }
    return entries;
  }

  return {
    target,
    words: (list) =>
      words.of(list, async (missing) => missing.map((word) => ({ bytes: word, extra: [] }))),
    locks: (list) => locks.of(list, lockEntries),
    series: async (list) => {
      const ofClasses = await classes.of(
        list.filter(({ lock }) => !lock),
        seriesEntries,
      );
      const ofSingle = await single.of(
        list.filter(({ lock }) => lock),
        seriesEntries,
      );
      const [nextClass, nextSingle] = [ofClasses.values(), ofSingle.values()];
      return list.map(({ lock }) => (lock ? nextSingle : nextClass).next().value ?? 0);
    },
    known: {
      isFresh: () => [words, locks, classes].every((numbers) => numbers.isFresh()),
      lock: (name) => locks.known(name),
      series: (name) => classes.known(name),
      word: (word) => words.known(word),
    },
    clear: () => {
      for (const numbers of [targets, words, locks, classes, single]) numbers.clear();
    },
  };
}

// Callers hand in whole rows: only what names a thing may tell it apart.

const textNames = () => new NumberTree<string>([], (text) => text);

const lockNames = () =>
  new NumberTree<DictionaryLock>([({ target }) => target, ({ db }) => db], ({ key }) => key);

const classNames = () =>
  new NumberTree<DictionarySeries>(
    [({ target }) => target, ({ formatId }) => formatId, ({ namespace }) => namespace],
    (name) => name.class,
  );

const singleNames = () =>
  new NumberTree<DictionarySeries>(
    [
      ({ target }) => target,
      ({ formatId }) => formatId,
      ({ namespace }) => namespace,
      (name) => name.class,
      ({ lock }) => lock?.db ?? 0,
    ],
    ({ lock }) => lock?.key ?? '',
  );

/** What is stored as the digest of a series. */
function seriesKey(name: DictionarySeries): string {
  const { target, class: lockClass, namespace, formatId, lock } = name;
  const ofClass = `${target}\0${lockClass}\0${namespace}\0${formatId}`;
  return lock ? `${ofClass}\0${lock.db}:${lock.key}` : ofClass;
}

interface Entry {
  bytes: Bytes;
  /** Values of the kind's extra columns, in order. */
  extra: unknown[];
}

function createNumbers<N>(
  backend: Backend,
  {
    kind,
    names: remembered,
    now,
    most,
  }: { kind: Kind; names: NumberTree<N>; now: () => number; most: number },
) {
  let since = now();

  async function learn(leaves: readonly Leaf[], entries: readonly Entry[]): Promise<void> {
    const rows = entries.map(({ bytes, extra }, i) => ({
      leaf: leaves[i],
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
    for (const [i, { leaf }] of rows.entries()) if (leaf) leaf.id = ids[i] ?? null;
  }

  function clear(): void {
    remembered.clear();
    since = now();
  }

  const isFresh = (): boolean => now() - since <= FRESH_MS;

  /** `entriesOf` gives the rows of names that are not remembered, in their order. */
  async function of(
    names: readonly N[],
    entriesOf: (missing: readonly N[]) => Promise<Entry[]>,
  ): Promise<number[]> {
    if (remembered.size > most || !isFresh()) clear();
    const leaves = names.map((name) => remembered.leaf(name));
    const missing = new Map<Leaf, N>();
    for (const [i, leaf] of leaves.entries()) {
      const name = names[i];
      if (leaf.id === null && name !== undefined) missing.set(leaf, name);
    }
    if (missing.size > 0) {
      const entries = await entriesOf([...missing.values()]);
      await learn([...missing.keys()], entries);
    }
    return leaves.map(({ id }) => {
      if (id === null) throw new Error(`a row of ${kind.table} has no number`);
      return id;
    });
  }

  return { of, clear, isFresh, known: (name: N) => remembered.find(name)?.id ?? null };
}
