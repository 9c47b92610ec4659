import { createHash } from 'node:crypto';
import type { Bytes } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import type { EventConnection } from '@/server/redis/event-connection';
import { isKeyRefusal, refusalKind } from '@/server/redis/redis-error';
import { RespError, type RespValue } from '@/server/redis/resp-reader';
import type { ReadCause, ReadObservation } from './observation';
import { readPlainly } from './plain-read';
import {
  decodeScriptResult,
  READ_SCRIPT,
  type KeyContent,
  type ReadCompanions,
} from './read-script';

/** Redis names a cached script by the SHA-1 of its text. */
const READ_SCRIPT_SHA = createHash('sha1').update(READ_SCRIPT, 'latin1').digest('hex');

const KEYS_PER_SCRIPT = 100;
/** Scripts under way at once: enough to keep Redis fed, few enough that events are not held up. */
const MAX_IN_FLIGHT = 4;
/** Sweeps and rotations leave half of that to events and questions. */
const MAX_BACKGROUND_IN_FLIGHT = 2;
/** After LOADING, BUSY and the like. */
const RETRY_DELAY_MS = 250;

type EvalCommand = 'EVAL_RO' | 'EVAL';
type Waiter = {
  resolve: (observation: ReadObservation) => void;
  reject: (error: unknown) => void;
};

interface Batch {
  db: number;
  keys: Bytes[];
  causes: ReadCause[];
  waiters: Map<Bytes, Waiter[]>;
  background: boolean;
}

export interface KeyReaderOptions {
  connection: EventConnection;
  now: () => number;
  companionsOf: (key: Bytes) => ReadCompanions;
  /** Whether a subscriber of the waiter's channel was seen; null = not probed yet. */
  isAlive: (db: number, key: Bytes, owner: Bytes) => boolean | null;
  /** Called in stream order. */
  deliver: (observation: ReadObservation) => void;
  /** A key could not be read. */
  onRefused: (message: string) => void;
}

/** Events and questions are answered at once, the rest when nothing else is to do. */
const isBackground = (cause: ReadCause): boolean =>
  cause === 'sweep' || cause === 'reconcile' || cause === 'resync';

/**
 * Turns "read this key" into few scripts on the event connection. Requests for one key within a turn are
 * one read; a read that is under way already covers every event that arrives before its reply.
 */
export class KeyReader {
  readonly #options: KeyReaderOptions;
  readonly #urgent = new Map<number, Map<Bytes, ReadCause>>();
  readonly #background = new Map<number, Map<Bytes, ReadCause>>();
  readonly #waiting = new Map<number, Map<Bytes, Waiter[]>>();
  readonly #inFlight = new Map<number, Map<Bytes, number>>();
  #batches = 0;
  #backgroundBatches = 0;
  #flushScheduled = false;
  #open = false;
  #epoch = 0;
  #evalCommand: EvalCommand | null = 'EVAL_RO';
  #scriptSha: string | null = null;
  /** Reads under way whose own `keymiss` has come, and answered ones whose has not. */
  readonly #missesSeen = new Set<string>();
  readonly #missesOwed = new Map<string, number>();
  #idle: (() => void)[] = [];
  #pausedUntil = 0;

  constructor(options: KeyReaderOptions) {
    this.#options = options;
  }

  get mayEval(): boolean {
    return this.#evalCommand !== null;
  }

  /** Number of keys that wait in the background. */
  get backlog(): number {
    let count = 0;
    for (const keys of this.#background.values()) count += keys.size;
    return count;
  }

  /** The connection stands: reading may begin. */
  open(): void {
    this.#open = true;
    this.#epoch++;
    this.#scriptSha = null;
    this.#schedule();
  }

  /** The connection was lost: what was asked is void, a resync will ask again. */
  reset(): void {
    this.#open = false;
    this.#epoch++;
    this.#batches = 0;
    this.#backgroundBatches = 0;
    this.#inFlight.clear();
    this.#urgent.clear();
    this.#background.clear();
    this.#missesSeen.clear();
    this.#missesOwed.clear();
    const gone = new CodedError('TARGET_UNAVAILABLE', 'The connection to Redis was lost.');
    for (const keys of this.#waiting.values()) {
      for (const waiters of keys.values()) for (const waiter of waiters) waiter.reject(gone);
    }
    this.#waiting.clear();
    this.#wakeIdle();
  }

  /** Finds out how scripts may be run; `done` tells whether writing ones (releases) may. */
  probeEval(done: (mayWrite: boolean) => void): void {
    const { connection } = this.#options;
    let mayRead = false;
    connection.send(['EVAL_RO', 'return 1', 0], (reply) => {
      mayRead = !(reply instanceof RespError);
    });
    connection.send(['EVAL', 'return 1', 0], (reply) => {
      const mayWrite = !(reply instanceof RespError && refusalKind(reply.message) !== 'other');
      this.#evalCommand = mayRead ? 'EVAL_RO' : mayWrite ? 'EVAL' : null;
      done(mayWrite);
    });
  }

  request(db: number, key: Bytes, cause: ReadCause): void {
    if (!this.#open) return;
    if (cause === 'event' && this.mayEval && this.#inFlight.get(db)?.has(key)) return;
    const background = isBackground(cause);
    const urgent = this.#urgent.get(db);
    if (background && urgent?.has(key)) return;
    const queue = background ? this.#background : this.#urgent;
    let keys = queue.get(db);
    if (!keys) queue.set(db, (keys = new Map()));
    const before = keys.get(key);
    if (before === undefined || cause === 'event') keys.set(key, cause);
    this.#schedule();
  }

  /** Rejects with TARGET_UNAVAILABLE when there is no connection, CAPABILITY_MISSING when refused. */
  async readNow(db: number, key: Bytes): Promise<ReadObservation> {
    if (!this.#open) {
      throw new CodedError('TARGET_UNAVAILABLE', 'Redis cannot be reached at the moment.');
    }
    return await new Promise<ReadObservation>((resolve, reject) => {
      const keys = this.#waiting.get(db) ?? new Map<Bytes, Waiter[]>();
      this.#waiting.set(db, keys);
      keys.set(key, [...(keys.get(key) ?? []), { resolve, reject }]);
      this.request(db, key, 'asked');
    });
  }

  /** Resolves when no more than `limit` background keys wait. */
  async drained(limit: number): Promise<void> {
    while (this.#open && this.backlog > limit) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  /**
   * True for a `keymiss` that our own read of an absent key caused. Redis announces it before the reply
   * (7.0) or right behind it (7.2 and later); a script misses a key once, plain commands several times.
   */
  isOwnMiss(db: number, key: Bytes): boolean {
    const id = `${db}:${key}`;
    if (this.#missesOwed.delete(id)) return true;
    if (this.#inFlight.get(db)?.has(key) !== true) return false;
    if (this.mayEval && this.#missesSeen.has(id)) return false;
    this.#missesSeen.add(id);
    return true;
  }

  /** One socket read is done: misses still owed from before the last one will not come. */
  chunkEnded(): void {
    for (const [id, age] of this.#missesOwed) {
      if (age > 0) this.#missesOwed.delete(id);
      else this.#missesOwed.set(id, age + 1);
    }
  }

  #schedule(): void {
    if (this.#flushScheduled || !this.#open) return;
    this.#flushScheduled = true;
    // A microtask runs after the socket read that asked, so one read serves all its events.
    queueMicrotask(() => {
      this.#flushScheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    if (this.#options.now() < this.#pausedUntil) return;
    while (this.#open && this.#batches < MAX_IN_FLIGHT) {
      const batch = this.#take(this.#urgent, false);
      if (!batch) break;
      this.#send(batch);
    }
    while (
      this.#open &&
      this.#backgroundBatches < MAX_BACKGROUND_IN_FLIGHT &&
      this.#batches < MAX_IN_FLIGHT
    ) {
      const batch = this.#take(this.#background, true);
      if (!batch) break;
      this.#send(batch);
    }
  }

  #take(queue: Map<number, Map<Bytes, ReadCause>>, background: boolean): Batch | null {
    for (const [db, keys] of queue) {
      if (keys.size === 0) continue;
      const batch: Batch = { db, keys: [], causes: [], waiters: new Map(), background };
      const waiting = this.#waiting.get(db);
      for (const [key, cause] of keys) {
        batch.keys.push(key);
        batch.causes.push(cause);
        keys.delete(key);
        const waiters = waiting?.get(key);
        if (waiters) {
          batch.waiters.set(key, waiters);
          waiting?.delete(key);
        }
        if (batch.keys.length === KEYS_PER_SCRIPT) break;
      }
      return batch;
    }
    return null;
  }

  #send(batch: Batch): void {
    this.#batches++;
    if (batch.background) this.#backgroundBatches++;
    let flying = this.#inFlight.get(batch.db);
    if (!flying) this.#inFlight.set(batch.db, (flying = new Map()));
    for (const key of batch.keys) flying.set(key, (flying.get(key) ?? 0) + 1);
    if (this.#evalCommand === null) this.#sendPlain(batch);
    else this.#sendScript(batch, this.#evalCommand);
  }

  #sendScript(batch: Batch, command: EvalCommand): void {
    const epoch = this.#epoch;
    const extra: Bytes[] = [];
    for (const key of batch.keys) {
      const { list, timeouts, fence } = this.#options.companionsOf(key);
      extra.push(list, timeouts, fence);
    }
    const byHash = this.#scriptSha !== null;
    const name = byHash ? command.replace('EVAL', 'EVALSHA') : command;
    const script = this.#scriptSha ?? READ_SCRIPT;
    this.#options.connection.sendIn(
      batch.db,
      [name, script, batch.keys.length, ...batch.keys, ...extra],
      (reply) => {
        if (epoch !== this.#epoch) return;
        this.#finish(batch);
        if (reply instanceof RespError) this.#onBatchError(batch, command, reply);
        else this.#onBatch(batch, reply, byHash);
        this.#schedule();
      },
    );
  }

  #onBatch(batch: Batch, reply: RespValue, byHash: boolean): void {
    // EVAL has put the script into Redis's cache; from now on its hash is enough.
    if (!byHash) this.#scriptSha = READ_SCRIPT_SHA;
    if (!Array.isArray(reply)) return;
    batch.keys.forEach((key, i) => {
      const content = decodeScriptResult(reply[i] ?? null);
      if (content instanceof RespError) this.#refuseKey(batch, key, content);
      else this.#deliver(batch, i, content);
    });
  }

  #onBatchError(batch: Batch, command: EvalCommand, error: RespError): void {
    const kind = refusalKind(error.message);
    if (kind === 'no-script') {
      this.#scriptSha = null;
      this.#requeue(batch);
    } else if (command === 'EVAL_RO' && kind === 'unknown-command') {
      if (this.#evalCommand === 'EVAL_RO') this.#evalCommand = 'EVAL';
      this.#requeue(batch);
    } else if (isKeyRefusal(error.message)) {
      // One forbidden key refuses the whole script; read one by one, each has its own answer.
      for (const key of batch.keys) this.#hold(batch.db, key);
      this.#batches++;
      if (batch.background) this.#backgroundBatches++;
      this.#sendPlain(batch);
    } else if (kind === 'no-permission' || kind === 'unknown-command') {
      this.#evalCommand = null;
      this.#requeue(batch);
    } else {
      this.#pauseAndRequeue(batch);
    }
  }

  #hold(db: number, key: Bytes): void {
    const flying = this.#inFlight.get(db) ?? new Map<Bytes, number>();
    this.#inFlight.set(db, flying);
    flying.set(key, (flying.get(key) ?? 0) + 1);
  }

  #sendPlain(batch: Batch): void {
    const epoch = this.#epoch;
    let left = batch.keys.length;
    batch.keys.forEach((key, i) => {
      const request = { key, companions: this.#options.companionsOf(key) };
      readPlainly(this.#options.connection, batch.db, request, (content) => {
        if (epoch !== this.#epoch) return;
        if (content instanceof RespError) this.#refuseKey(batch, key, content);
        else if (content === null) this.#requeueKey(batch, i);
        else this.#deliver(batch, i, content);
        left--;
        if (left > 0) return;
        this.#finish(batch);
        this.#schedule();
      });
    });
  }

  #deliver(batch: Batch, index: number, content: KeyContent): void {
    const key = batch.keys[index] ?? '';
    this.#settleMiss(`${batch.db}:${key}`, content.value === null);
    const observation: ReadObservation = {
      kind: 'read',
      at: this.#options.now(),
      db: batch.db,
      key,
      cause: batch.causes[index] ?? 'asked',
      value: content.value,
      pttl: content.pttl,
      queue:
        content.queue?.map(({ owner, deadline }) => ({
          owner,
          deadline,
          alive: this.#options.isAlive(batch.db, key, owner),
        })) ?? null,
      fence: content.fence,
    };
    this.#options.deliver(observation);
    for (const waiter of batch.waiters.get(key) ?? []) waiter.resolve(observation);
  }

  #settleMiss(id: string, absent: boolean): void {
    const seen = this.#missesSeen.delete(id);
    if (absent && !seen) this.#missesOwed.set(id, 0);
  }

  #refuseKey(batch: Batch, key: Bytes, error: RespError): void {
    this.#options.onRefused(error.message);
    const refused = new CodedError(
      'CAPABILITY_MISSING',
      `Redis refused the read: ${error.message}`,
    );
    for (const waiter of batch.waiters.get(key) ?? []) waiter.reject(refused);
  }

  #requeueKey(batch: Batch, index: number): void {
    const key = batch.keys[index] ?? '';
    const waiters = batch.waiters.get(key);
    if (waiters) {
      const waiting = this.#waiting.get(batch.db) ?? new Map<Bytes, Waiter[]>();
      this.#waiting.set(batch.db, waiting);
      waiting.set(key, [...waiters, ...(waiting.get(key) ?? [])]);
    }
    this.request(batch.db, key, batch.causes[index] ?? 'asked');
  }

  #requeue(batch: Batch): void {
    batch.keys.forEach((_, i) => this.#requeueKey(batch, i));
  }

  #pauseAndRequeue(batch: Batch): void {
    this.#pausedUntil = this.#options.now() + RETRY_DELAY_MS;
    this.#requeue(batch);
    setTimeout(() => this.#schedule(), RETRY_DELAY_MS + 1).unref();
  }

  #finish(batch: Batch): void {
    this.#batches--;
    if (batch.background) this.#backgroundBatches--;
    const flying = this.#inFlight.get(batch.db);
    for (const key of batch.keys) {
      const count = flying?.get(key) ?? 0;
      if (count > 1) flying?.set(key, count - 1);
      else flying?.delete(key);
    }
    if (this.#idle.length > 0) this.#wakeIdle();
  }

  #wakeIdle(): void {
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}
