import { said } from '@/lib/messages/in-english';
import { createHash } from 'node:crypto';
import type { Bytes } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import type { EventConnection } from '@/server/redis/event-connection';
import { isKeyRefusal, refusalKind } from '@/server/redis/redis-error';
import { RespError, type RespValue } from '@/server/redis/resp-reader';
import type { ReadCause, ReadObservation } from './observation';
import { readPlainly } from './plain-read';
import { createReadPace, type ReadPace } from './read-pace';
import { ReadQueue, type Batch } from './read-queue';
import { decodeScriptResult } from './read-reply';
import { READ_SCRIPT, type KeyContent, type ReadCompanions } from './read-script';
import { ReadsInFlight } from './reads-in-flight';
import { createReplyClock } from './reply-clock';
import { slotBatches } from './slot-batches';

/** Redis names a cached script by the SHA-1 of its text. */
const READ_SCRIPT_SHA = createHash('sha1').update(READ_SCRIPT, 'latin1').digest('hex');
/** Scripts under way at once: enough to keep Redis fed, few enough that events are not held up. */
const MAX_IN_FLIGHT = 4;
/** Sweeps and rotations leave half of that to events and questions. */
const MAX_BACKGROUND_IN_FLIGHT = 2;
/** Every command of a release, on a key that does not exist and channels that nobody listens to. */
const RELEASE_PROBE = `redis.call('DEL', KEYS[1]) redis.call('ZREM', KEYS[1], '')
redis.call('LREM', KEYS[1], 0, '') redis.call('LPOP', KEYS[1])
for i = 1, #ARGV do redis.call('PUBLISH', ARGV[i], '') end return 1`;
const PROBE_KEY = 'lockscope:canary:release';
const PROBE_CHANNELS = [
  'redisson_lock__channel:{lockscope:canary}',
  'redisson_rwlock:{lockscope:canary}',
  'lockscope:inbox:canary',
];
/** After LOADING, BUSY and the like. */
const RETRY_DELAY_MS = 250;

type EvalCommand = 'EVAL_RO' | 'EVAL';

export interface KeyReaderOptions {
  connection: EventConnection;
  now: () => number;
  companionsOf: (key: Bytes) => ReadCompanions | null;
  /** Whether the server is a node of a cluster. Left out = it is none. */
  isCluster?: () => boolean;
  /** Whether a subscriber of the waiter's channel was seen; null = not probed yet. */
  isAlive: (key: Bytes, owner: Bytes) => boolean | null;
  /** Wake-up channels of this key that somebody listens to. Left out = nobody looks. */
  listened?: (key: Bytes) => readonly Bytes[] | undefined;
  /** Whether it tells anything how long a key lay untouched. Left out = it does. */
  mayAskIdle?: () => boolean;
  /** So many keys were asked how long they lay untouched. */
  onIdleAsked?: (keys: number) => void;
  /** Called in stream order. */
  deliver: (observation: ReadObservation) => void;
  /** A key could not be read. */
  onRefused: (message: string) => void;
}

/**
 * Turns "read this key" into few scripts on the event connection. Requests for one key within a turn are
 * one read; a read that is under way already covers every event that arrives before its reply.
 */
export class KeyReader {
  readonly #options: KeyReaderOptions;
  readonly #queue = new ReadQueue();
  readonly #pace: ReadPace;
  readonly #inFlight = new ReadsInFlight();
  readonly #clock = createReplyClock();
  #flushScheduled = false;
  #open = false;
  /** Grows with every connection, so that answers of an old one are told apart. */
  #epoch = 0;
  #evalCommand: EvalCommand | null = 'EVAL_RO';
  #isScriptCached = false;
  /** It refused keys of several slots: a node of a cluster that does not say so. */
  #refusesSlots = false;
  #idle: (() => void)[] = [];
  #pausedUntil = 0;

  constructor(options: KeyReaderOptions) {
    this.#options = options;
    this.#pace = createReadPace(options.now);
  }

  get mayEval(): boolean {
    return this.#evalCommand !== null;
  }

  /** Number of keys that wait in the background. */
  get backlog(): number {
    return this.#queue.backlog;
  }

  /** The connection stands: reading may begin. */
  open(): void {
    this.#open = true;
    this.#epoch++;
    this.#isScriptCached = false;
    this.#clock.reset();
  }

  /** The connection was lost: what was asked is void, a resync will ask again. */
  reset(): void {
    this.#open = false;
    this.#epoch++;
    const lost = new CodedError('TARGET_UNAVAILABLE', said('unreachable:lost', {}));
    this.#inFlight.clear(lost);
    this.#queue.clear(lost);
    this.#wakeIdle();
  }

  /** Finds out how scripts may be run; `done` tells whether one that does what a release does may. */
  probeEval(done: (mayWrite: boolean) => void): void {
    const { connection } = this.#options;
    let mayRead = false;
    connection.send(['EVAL_RO', 'return 1', 0], (reply) => {
      mayRead = !(reply instanceof RespError);
    });
    const isAllowed = (reply: RespValue): boolean =>
      !(reply instanceof RespError && refusalKind(reply.message) !== 'other');
    connection.send(['EVAL', 'return 1', 0], (reply) => {
      this.#evalCommand = mayRead ? 'EVAL_RO' : isAllowed(reply) ? 'EVAL' : null;
    });
    connection.send(['EVAL', RELEASE_PROBE, 1, PROBE_KEY, ...PROBE_CHANNELS], (reply) => {
      done(isAllowed(reply));
    });
  }

  /** `isLikely` false = nothing but its value can tell whether the key is a lock: it may wait for those that are. */
  request(db: number, key: Bytes, cause: ReadCause, isLikely = true): void {
    if (!this.#open) return;
    if (cause === 'event' && this.mayEval && this.#inFlight.has(db, key)) return;
    this.#queue.add(db, key, cause, isLikely);
    this.#schedule();
  }

  /** An event said that the key is gone: what was asked because of earlier events need not be read. */
  withdraw(db: number, key: Bytes): void {
    this.#queue.withdraw(db, key);
  }

  /** Rejects with TARGET_UNAVAILABLE when there is no connection, CAPABILITY_MISSING when refused. */
  async readNow(db: number, key: Bytes): Promise<ReadObservation> {
    if (!this.#open) {
      throw new CodedError('TARGET_UNAVAILABLE', said('unreachable:now', {}));
    }
    return await new Promise<ReadObservation>((resolve, reject) => {
      this.#queue.wait(db, key, [{ resolve, reject }]);
      this.request(db, key, 'asked');
    });
  }

  /** Resolves when no more than `limit` background keys wait; with 0, when all are answered. */
  async drained(limit: number): Promise<void> {
    const isBusy = (): boolean =>
      this.backlog > limit || (limit === 0 && this.#inFlight.backgroundBatches > 0);
    while (this.#open && isBusy()) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  /** True for a `keymiss` that our own read of an absent key caused. */
  isOwnMiss(db: number, key: Bytes): boolean {
    return this.#inFlight.isOwnMiss(db, key, this.mayEval);
  }

  /** To be called after each read of the socket. */
  chunkEnded(): void {
    this.#inFlight.chunkEnded();
  }

  #schedule(): void {
    if (this.#flushScheduled || !this.#open) return;
    this.#flushScheduled = true;
    const flush = (): void => {
      this.#flushScheduled = false;
      this.#flush();
    };
    const delayMs = this.#queue.hasUrgent ? this.#pace.take() : 0;
    // A microtask runs after the socket read that asked, so one read serves all its events.
    if (delayMs === 0) queueMicrotask(flush);
    else setTimeout(flush, delayMs);
  }

  #flush(): void {
    if (!this.#open || this.#options.now() < this.#pausedUntil) return;
    while (this.#inFlight.batches < MAX_IN_FLIGHT) {
      const mayTakeBackground = this.#inFlight.backgroundBatches < MAX_BACKGROUND_IN_FLIGHT;
      const batch =
        this.#queue.take('urgent') ??
        this.#queue.take('doubtful') ??
        (mayTakeBackground ? this.#queue.take('background') : null);
      if (!batch) return;
      if (this.#evalCommand === null) this.#sendPlain(batch);
      else this.#sendScripts(batch, this.#evalCommand);
    }
  }

  #sendScripts(batch: Batch, command: EvalCommand): void {
    const isCluster = this.#refusesSlots || this.#options.isCluster?.() === true;
    const parts = isCluster ? slotBatches(batch) : [batch];
    for (const part of parts) this.#sendScript(part, command);
  }

  #sendScript(batch: Batch, command: EvalCommand): void {
    const epoch = this.#epoch;
    const sentAt = this.#options.now();
    this.#inFlight.begin(batch);
    const { mayAskIdle = () => true } = this.#options;
    const asksIdle = batch.causes.includes('reconcile') && mayAskIdle();
    if (asksIdle) this.#options.onIdleAsked?.(batch.keys.length);
    const extra: (Bytes | number)[] = [asksIdle ? 1 : 0];
    const beside = batch.keys.map((key, i) => {
      const companions = this.#options.companionsOf(key);
      if (!companions) return [];
      const { list = '', timeouts = '', wishes = '', fence = '' } = companions.queue ?? {};
      extra.push(i + 1, list, timeouts, wishes, fence);
      extra.push(companions.beside.length, ...companions.beside);
      return companions.beside;
    });
    const [name, script] = this.#isScriptCached
      ? [command.replace('EVAL', 'EVALSHA'), READ_SCRIPT_SHA]
      : [command, READ_SCRIPT];
    this.#options.connection.sendIn(
      batch.db,
      [name, script, batch.keys.length, ...batch.keys, ...extra],
      (reply) => {
        if (epoch !== this.#epoch) return;
        if (reply instanceof RespError) this.#onRefusal(batch, command, reply);
        else this.#onReply(batch, reply, { sentAt, beside });
        this.#finish(batch);
      },
    );
  }

  #onReply(
    batch: Batch,
    reply: RespValue,
    { sentAt, beside }: { sentAt: number; beside: readonly (readonly Bytes[])[] },
  ): void {
    this.#isScriptCached = true;
    const results = Array.isArray(reply) ? reply : [];
    const serverAt = results[batch.keys.length];
    const at = this.#options.now();
    const lateMs =
      typeof serverAt === 'number' ? this.#clock.lateness({ serverAt, sentAt, at }) : 0;
    const clockMs = typeof serverAt === 'number' ? at - lateMs - serverAt : undefined;
    batch.keys.forEach((key, i) => {
      const result = results[i] ?? null;
      // The keys before it filled the reply.
      if (result === null && i > 0) return this.#askAgain(batch, i);
      const content = decodeScriptResult(result, beside[i]);
      if (content instanceof RespError) this.#refuse(batch, key, content);
      else {
        const pttl = content.pttl === null ? null : Math.max(0, content.pttl - lateMs);
        this.#deliver(batch, i, { ...content, pttl }, clockMs);
      }
    });
  }

  #onRefusal(batch: Batch, command: EvalCommand, error: RespError): void {
    const kind = refusalKind(error.message);
    // One forbidden key refuses the whole script; read one by one, each has its own answer.
    if (isKeyRefusal(error.message)) this.#sendPlain(batch);
    else {
      if (kind === 'no-script') this.#isScriptCached = false;
      else if (error.message.startsWith('CROSSSLOT')) this.#refusesSlots = true;
      else if (kind === 'other') this.#pauseReading();
      else if (command === this.#evalCommand) {
        this.#evalCommand = command === 'EVAL_RO' ? 'EVAL' : null;
      }
      batch.keys.forEach((_, i) => this.#askAgain(batch, i));
    }
  }

  #sendPlain(batch: Batch): void {
    const epoch = this.#epoch;
    this.#inFlight.begin(batch);
    let left = batch.keys.length;
    batch.keys.forEach((key, i) => {
      const request = { key, companions: this.#options.companionsOf(key) };
      readPlainly(this.#options.connection, batch.db, request, (content) => {
        if (epoch !== this.#epoch) return;
        if (content instanceof RespError) this.#refuse(batch, key, content);
        else if (content === null) this.#askAgain(batch, i);
        else this.#deliver(batch, i, content);
        left--;
        if (left === 0) this.#finish(batch);
      });
    });
  }

  #deliver(batch: Batch, index: number, content: KeyContent, clockMs?: number): void {
    const { db } = batch;
    const key = batch.keys[index] ?? '';
    const listened = this.#options.listened?.(key);
    this.#inFlight.answered(db, key, content.value === null);
    const observation: ReadObservation = {
      kind: 'read',
      at: this.#options.now(),
      db,
      key,
      cause: batch.causes[index] ?? 'asked',
      ...(batch.checked.has(key) && { isCheck: true as const }),
      value: content.value,
      pttl: content.pttl,
      queue:
        content.queue?.map((entry) => ({
          ...entry,
          alive: this.#options.isAlive(key, entry.owner),
        })) ?? null,
      fence: content.fence,
      beside: content.beside,
      ...(content.idleSeconds !== null && { idleMs: content.idleSeconds * 1000 }),
      ...(listened && { listened }),
      ...(clockMs !== undefined && { clockMs }),
    };
    this.#options.deliver(observation);
    for (const waiter of batch.waiters.get(key) ?? []) waiter.resolve(observation);
  }

  #refuse(batch: Batch, key: Bytes, error: RespError): void {
    this.#options.onRefused(error.message);
    const refused = new CodedError(
      'CAPABILITY_MISSING',
      said('forbidden:read', { error: error.message }),
    );
    for (const waiter of batch.waiters.get(key) ?? []) waiter.reject(refused);
  }

  #askAgain(batch: Batch, index: number): void {
    const key = batch.keys[index] ?? '';
    const waiters = batch.waiters.get(key);
    if (waiters) this.#queue.wait(batch.db, key, waiters);
    if (batch.checked.has(key)) this.#queue.add(batch.db, key, 'check');
    this.#queue.add(batch.db, key, batch.causes[index] ?? 'asked');
  }

  #pauseReading(): void {
    this.#pausedUntil = this.#options.now() + RETRY_DELAY_MS;
    setTimeout(() => this.#schedule(), RETRY_DELAY_MS + 1).unref();
  }

  #finish(batch: Batch): void {
    this.#inFlight.end(batch);
    this.#wakeIdle();
    this.#schedule();
  }

  #wakeIdle(): void {
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }
}
