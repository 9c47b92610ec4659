import type { Redis } from 'ioredis';
import { formatTable } from '@/lib/formats';
import { classify } from '@/lib/analysis/lock-class';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Settings } from '@/server/config';
import {
  createCommandConnections,
  type CommandConnections,
} from '@/server/redis/command-connections';
import { createEventClient, unavailable, withinTimeout } from '@/server/redis/connection-options';
import { EventConnection } from '@/server/redis/event-connection';
import { isRefusal } from '@/server/redis/redis-error';
import type { LockRecord } from '@/server/state/lock-record';
import { createLockTable } from '@/server/state/lock-table';
import type { LockTable } from '@/server/state/table-contract';
import { createCompanionFinder } from '@/server/watch/companion-finder';
import { KeyReader } from '@/server/watch/key-reader';
import type { ReadObservation } from '@/server/watch/observation';
import { createPubsubQuestions } from '@/server/watch/pubsub';
import { createWaiterProbe, type WaiterProbe } from '@/server/watch/waiter-probe';
import { createConnectionLoss, type ConnectionLoss } from './connection-loss';
import { createDeclared } from './declared';
import type { InstanceLook } from './instances';

/** One lock as it is now. */
export interface Reading {
  /** What Redis holds at the key, with its queue and its fencing counter. */
  read: ReadObservation;
  /** Null when no format recognises the key. */
  record: LockRecord | null;
}

export interface LockViewOptions {
  /** With user and password. */
  url: string;
  db: number;
  /** Globs whose keys are locks whatever they hold. */
  patterns: readonly Bytes[];
  now: () => number;
}

/** A look at locks from outside, by the parts that the console reads with: changes nothing. */
export class LockView {
  readonly now: () => number;
  readonly #url: string;
  readonly #commands: CommandConnections;
  readonly #declared: ReturnType<typeof createDeclared>;
  readonly #companions = createCompanionFinder(formatTable);
  readonly #table: LockTable;
  readonly #waiters: WaiterProbe;
  readonly #connection: EventConnection;
  readonly #reader: KeyReader;
  readonly #loss: ConnectionLoss;
  readonly #opened = Promise.withResolvers<void>();
  /** Locks whose waiters were found to live or to have gone, to be read again. */
  readonly #stale: { db: number; key: Bytes }[] = [];

  constructor({ url, db, patterns, now }: LockViewOptions) {
    this.now = now;
    this.#url = url;
    this.#loss = createConnectionLoss(url);
    this.#commands = createCommandConnections(url);
    this.#declared = createDeclared(patterns);
    this.#table = createLockTable({
      target: new URL(url).host,
      formats: formatTable,
      isDeclared: this.#declared.has,
      classify,
    });
    this.#waiters = createWaiterProbe({
      pubsub: createPubsubQuestions({ mayShard: () => true, now }),
      probes: this.#table.probeable,
      waiterChannel: this.#companions.waiterChannel,
      deliver: (observations) => void this.#table.apply(observations),
      onAlivenessChanged: (ofDb, key) => this.#stale.push({ db: ofDb, key }),
      now,
    });
    this.#connection = new EventConnection(createEventClient(url, db), {
      db,
      now,
      handlers: {
        onOpen: () => this.#opened.resolve(),
        onClose: () => this.#onClose(),
        onKeyspace: () => undefined,
        onChunkEnd: () => this.#reader.chunkEnded(),
      },
    });
    this.#reader = new KeyReader({
      connection: this.#connection,
      now,
      companionsOf: this.#companions.companionsOf,
      isAlive: this.#waiters.isAlive,
      deliver: (read) => this.#onRead(read),
      // Who asked for the key is told by its own rejection; of a scan the key is left out.
      onRefused: () => undefined,
    });
  }

  /** Rejects with TARGET_UNAVAILABLE and one sentence that says what to check. */
  async open(): Promise<void> {
    try {
      await this.#connection.open();
      await withinTimeout(this.#opened.promise);
    } catch (error) {
      await this.close();
      throw unavailable(this.#url, error);
    }
    this.#reader.open();
  }

  async close(): Promise<void> {
    this.#reader.reset();
    await this.#connection.close();
    await this.#commands.close();
  }

  /** Every lock that was read and recognised. */
  locks(): Iterable<LockRecord> {
    return this.#table.all();
  }

  lock(db: number, key: Bytes): LockRecord | null {
    return this.#table.get(db, key) ?? null;
  }

  /** An ordinary connection. Rejects with TARGET_UNAVAILABLE. */
  readonly redis = (db: number): Promise<Redis> => this.#commands.of(db);

  /** Reads a key that somebody says is a lock. Rejects with TARGET_UNAVAILABLE, CAPABILITY_MISSING. */
  async readNow(db: number, key: Bytes): Promise<Reading> {
    this.#declared.add(db, key);
    this.#companions.learn(key);
    const read = await this.#loss.orDone(withinTimeout(this.#reader.readNow(db, key)));
    return { read, record: this.lock(db, key) };
  }

  /** Asks for a read that {@link settled} waits for. */
  request(db: number, key: Bytes): void {
    this.#reader.request(db, key, 'sweep');
  }

  /** Resolves when no more than `limit` of the reads asked for are open. Rejects with TARGET_UNAVAILABLE. */
  async settled(limit: number): Promise<void> {
    await this.#loss.orDone(this.#reader.drained(limit));
  }

  /** The lock that a name stands for: itself, the one it belongs to, or none. */
  lockOf(key: Bytes): Bytes | null {
    const side = formatTable.sideKey(key);
    if (!side) return key;
    if (side.parent !== null) this.#companions.learn(side.parent);
    return side.parent;
  }

  /** Counts who listens on the locks' channels. False = this user may not ask. */
  async countWaiters(db: number): Promise<boolean> {
    try {
      await this.#waiters.run(await this.redis(db));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return false;
    }
    for (const { db: ofDb, key } of this.#stale.splice(0)) this.request(ofDb, key);
    await this.settled(0);
    return true;
  }

  /** Takes what instances say of themselves into the locks that they hold or wait for. */
  noteInstances(looks: ReadonlyMap<string, InstanceLook>): void {
    const at = this.now();
    const told = [...looks].filter(([, look]) => look !== 'not-told');
    this.#table.apply(
      told.map(([instance, look]) => ({
        kind: 'instance',
        at,
        instance,
        facts: typeof look === 'string' ? null : look,
      })),
    );
  }

  #onClose(): void {
    this.#loss.happened(this.#connection.lastError);
    this.#reader.reset();
  }

  #onRead(read: ReadObservation): void {
    if (read.queue !== null) this.#waiters.observe(read);
    if (this.#lacksCompanions(read)) this.#reader.request(read.db, read.key, read.cause);
    this.#table.apply([read]);
  }

  /** Whether a key was read without the queue and counter that locks of its kind have. */
  #lacksCompanions({ db, key, value, queue, at }: ReadObservation): boolean {
    if (queue !== null || value === null || value.type === 'string') return false;
    const context = { declared: this.#declared.has(db, key), now: at };
    const found = formatTable.recognise(key, value, context);
    return found?.format.companions(key).queue != null && this.#companions.learn(key);
  }
}

/** Opens a view of the Redis that the settings name, and closes it when `look` is done. */
export async function withLockView<T>(
  { redis, watchPatterns }: Pick<Settings, 'redis' | 'watchPatterns'>,
  look: (view: LockView) => Promise<T>,
): Promise<T> {
  const { url, db } = redis;
  const view = new LockView({ url, db, patterns: watchPatterns, now: Date.now });
  await view.open();
  try {
    return await look(view);
  } finally {
    await view.close();
  }
}
