import { formatTable } from '@/lib/formats';
import { classify } from '@/lib/analysis/lock-class';
import { said } from '@/lib/messages/in-english';
import type { Bytes } from '@/lib/protocol/bytes';
import { CodedError, isCodedError } from '@/lib/protocol/errors';
import type { Settings } from '@/server/config';
import { createCommandConnections } from '@/server/redis/command-connections';
import { createEventClient, unavailable, withinTimeout } from '@/server/redis/connection-options';
import { EventConnection } from '@/server/redis/event-connection';
import { compileGlob } from '@/server/redis/glob';
import { isRefusal } from '@/server/redis/redis-error';
import type { LockRecord } from '@/server/state/lock-record';
import { createLockTable } from '@/server/state/lock-table';
import type { LockTable } from '@/server/state/table-contract';
import { createCompanionFinder, type CompanionFinder } from '@/server/watch/companion-finder';
import { KeyReader } from '@/server/watch/key-reader';
import type { InstanceObservation, ReadObservation } from '@/server/watch/observation';
import { createWaiterProbe } from '@/server/watch/waiter-probe';
import type { Redis } from 'ioredis';
import type { InstanceLook } from './instances';

/** One lock as it is now. */
export interface Reading {
  /** What Redis holds at the key, with its queue and its fencing counter. */
  read: ReadObservation;
  /** Null when no format recognises the key. */
  record: LockRecord | null;
}

/** A look at locks from outside: reads what is there and changes nothing. */
export interface LockView {
  readonly table: Pick<LockTable, 'get' | 'all' | 'size'>;
  readonly now: () => number;
  /**
   * Reads a key that somebody says is a lock. Throws TARGET_UNAVAILABLE, CAPABILITY_MISSING.
   */
  readNow: (db: number, key: Bytes) => Promise<Reading>;
  /** Asks for a read that {@link LockView.settled} waits for. */
  request: (db: number, key: Bytes) => void;
  /** Resolves when no more than `limit` of the reads asked for are open. Throws TARGET_UNAVAILABLE. */
  settled: (limit: number) => Promise<void>;
  /** The lock that a name stands for: itself, the one it belongs to, or none. */
  lockOf: (key: Bytes) => Bytes | null;
  /** Counts who listens on the locks' channels. False = this user may not ask. */
  countWaiters: (db: number) => Promise<boolean>;
  /** Takes what instances say of themselves into the locks that they hold or wait for. */
  noteInstances: (looks: ReadonlyMap<string, InstanceLook>) => void;
  /** An ordinary connection. Rejects with TARGET_UNAVAILABLE. */
  redis: (db: number) => Promise<Redis>;
  close: () => Promise<void>;
}

export interface LockViewOptions {
  /** With user and password. */
  url: string;
  db: number;
  /** Globs whose keys are locks whatever they hold. */
  patterns: readonly Bytes[];
  now: () => number;
}

/** Connects. Rejects with TARGET_UNAVAILABLE and one sentence that says what to check. */
export async function openLockView(options: LockViewOptions): Promise<LockView> {
  const { url, db, now } = options;
  const commands = createCommandConnections(url);
  const declared = createDeclared(options.patterns);
  const companions = createCompanionFinder(formatTable);
  const table = createLockTable({
    target: new URL(url).host,
    formats: formatTable,
    isDeclared: declared.has,
    classify,
  });
  const changed: { db: number; key: Bytes }[] = [];
  const waiters = createWaiterProbe({
    probes: table.probeable,
    waiterChannel: companions.waiterChannel,
    deliver: (observations) => void table.apply(observations),
    onAlivenessChanged: (ofDb, key) => changed.push({ db: ofDb, key }),
    now,
  });
  const opened = Promise.withResolvers<void>();
  const lost = createLoss(url);
  const connection = new EventConnection(createEventClient(url, db), {
    db,
    now,
    handlers: {
      onOpen: () => opened.resolve(),
      onClose: () => {
        lost.happened(connection.lastError);
        reader.reset();
      },
      onKeyspace: () => undefined,
      onChunkEnd: () => reader.chunkEnded(),
    },
  });
  const reader = new KeyReader({
    connection,
    now,
    companionsOf: companions.companionsOf,
    isAlive: waiters.isAlive,
    deliver: (read) => {
      if (read.queue !== null) waiters.observe(read);
      const isFirst = needsCompanions(read, declared.has(read.db, read.key), companions);
      if (isFirst) reader.request(read.db, read.key, read.cause);
      table.apply([read]);
    },
    // Who asked for the key is told by its own rejection; of a sweep the key is left out.
    onRefused: () => undefined,
  });
  const close = async (): Promise<void> => {
    reader.reset();
    await connection.close();
    await commands.close();
  };
  try {
    await connection.open();
    await withinTimeout(opened.promise);
  } catch (error) {
    await close();
    throw unavailable(url, error);
  }
  reader.open();

  const settled = (limit: number): Promise<void> => lost.orDone(reader.drained(limit));
  return {
    table,
    now,
    readNow: async (ofDb, key) => {
      declared.add(ofDb, key);
      companions.learn(key);
      const read = await lost.orDone(withinTimeout(reader.readNow(ofDb, key)));
      return { read, record: table.get(ofDb, key) ?? null };
    },
    request: (ofDb, key) => reader.request(ofDb, key, 'sweep'),
    settled,
    lockOf: (key) => {
      const side = formatTable.sideKey(key);
      if (!side) return key;
      if (side.parent !== null) companions.learn(side.parent);
      return side.parent;
    },
    countWaiters: async (ofDb) => {
      try {
        await waiters.run(await commands.of(ofDb));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        return false;
      }
      for (const ref of changed.splice(0)) reader.request(ref.db, ref.key, 'sweep');
      await settled(0);
      return true;
    },
    noteInstances: (looks) => {
      const told = [...looks].filter(([, look]) => look !== 'not-told');
      table.apply(told.map(([instance, look]) => observationOf(instance, look, now())));
    },
    redis: commands.of,
    close,
  };
}

const observationOf = (instance: string, look: InstanceLook, at: number): InstanceObservation => ({
  kind: 'instance',
  at,
  instance,
  facts: typeof look === 'string' ? null : look,
});

/** Opens a view of the Redis that the settings name, and closes it when `look` is done. */
export async function withLockView<T>(
  { redis, watchPatterns }: Pick<Settings, 'redis' | 'watchPatterns'>,
  look: (view: LockView) => Promise<T>,
): Promise<T> {
  const { url, db } = redis;
  const view = await openLockView({ url, db, patterns: watchPatterns, now: Date.now });
  try {
    return await look(view);
  } finally {
    await view.close();
  }
}

/** The end of the connection, which ends what waits for an answer. */
function createLoss(url: string) {
  const loss = Promise.withResolvers<never>();
  // Told to who asks; with nobody asking it is no failure.
  loss.promise.catch(() => undefined);
  return {
    happened: (error: Error | null): void => loss.reject(error ?? lostError()),
    orDone: async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await Promise.race([work, loss.promise]);
      } catch (error) {
        throw isCodedError(error) ? error : unavailable(url, error);
      }
    },
  };
}

const lostError = (): CodedError =>
  new CodedError('TARGET_UNAVAILABLE', said('unreachable:lost', {}));

/** What the operator calls a lock: by pattern, or key by key. */
function createDeclared(patterns: readonly Bytes[]) {
  const tests = patterns.map(compileGlob);
  const keys = new Set<string>();
  return {
    add: (db: number, key: Bytes): void => void keys.add(`${db}:${key}`),
    has: (db: number, key: Bytes): boolean =>
      keys.has(`${db}:${key}`) || tests.some((matches) => matches(key)),
  };
}

/** Whether a key was read without the queue and counter that locks of its kind have. */
function needsCompanions(
  read: ReadObservation,
  isDeclared: boolean,
  companions: CompanionFinder,
): boolean {
  if (read.queue !== null || read.value === null || read.value.type === 'string') return false;
  const context = { declared: isDeclared, now: read.at };
  const found = formatTable.recognise(read.key, read.value, context);
  return found?.format.companions(read.key).queue != null && companions.learn(read.key);
}
