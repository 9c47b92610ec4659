import { Attempt, type Grant } from './attempt.js';
import { rateLimitedError, type AttemptRefusal } from './attempt-limit.js';
import { reportOnCluster } from './cluster-reports.js';
import type {
  AcquireOptions,
  Lock,
  LockClientOptions,
  LockEvent,
  RedisConnection,
} from './contract.js';
import { LockAcquisitionTimeoutException, LockError } from './errors.js';
import { Electorate } from './electorate.js';
import { HeldLock, holdOf } from './held-lock.js';
import { Hold, type Audience } from './hold.js';
import { Inbox } from './inbox.js';
import { newInstance, Presence } from './instance.js';
import { fromRedis } from './from-redis.js';
import { LeaseAdvisor } from './lease-advice.js';
import { reportsKey, type LockNames } from './names.js';
import {
  checkAcquireOptions,
  DEFAULT_TTL_MS,
  DEFAULT_WAIT_MS,
  validTtl,
  validWait,
} from './options.js';
import { Protection } from './protection.js';
import { IGNORED, type Sender } from './sender.js';
import { checkServer } from './server-check.js';
import { Tasks } from './task.js';
import { Waits } from './waits.js';
import { Watchdog } from './watchdog.js';

/** What is locked, and how: all that a kind of lock decides. */
export interface Way {
  name: string;
  names: LockNames;
  sender: Sender;
  /** Tells the ways to take one key apart, for entering again. */
  id: string;
  /** Behind the task in the owner: `:write` for a writer, else nothing. */
  suffix: string;
  /** The way whose hold by the same task would make this one wait for itself. */
  blockedBy?: string;
}

interface Wish {
  ttlMs: number;
  waitMs: number;
  fair: boolean;
  signal: AbortSignal | undefined;
  businessId: string | null;
}

/** What all kinds of lock of one client share: its tasks, holds, waits, connections and listeners. */
export class Engine implements Audience {
  readonly instance = newInstance();
  readonly tasks = new Tasks();
  readonly reports: 'off' | 'contended' | 'all';
  readonly electorate: Electorate;
  readonly #nodes: readonly RedisConnection[];
  readonly #options: LockClientOptions;
  readonly #watchdog = new Watchdog();
  readonly #waits: Waits;
  readonly #inboxes: readonly Inbox[];
  readonly #presences: readonly Presence[];
  readonly #protection: Protection | null;
  readonly #advisor: LeaseAdvisor | null;
  readonly #listeners = new Set<(event: LockEvent) => void>();
  readonly #ttlMs: number;
  readonly waitMs: number;
  readonly #fair: boolean;
  #opening: Promise<void> | null = null;
  #isOpen = false;
  #isClosed = false;

  constructor(nodes: readonly RedisConnection[], options: LockClientOptions) {
    this.#nodes = nodes;
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? DEFAULT_TTL_MS;
    this.waitMs = validWait(options.waitMs ?? DEFAULT_WAIT_MS);
    this.#fair = options.fair ?? true;
    this.reports = options.reports ?? 'contended';
    this.#waits = new Waits({
      instance: this.instance,
      emit: (event) => this.emit(event),
      log: options.log,
    });
    const listener = this.#listener();
    this.#inboxes = nodes.map((node) => new Inbox(node, this.instance, listener));
    this.#waits.inboxes = this.#inboxes;
    this.electorate = new Electorate({
      nodes,
      allowInsecure: options.allowInsecure ?? false,
      refused: (error) => this.#warn('A node of the Redlock has no vote', error),
    });
    const [redis] = nodes;
    if (!redis)
      throw new LockError('BAD_OPTIONS', 'Give either redis or nodes.', { option: 'redis' });
    const { limits, adaptiveLease, namespace = '' } = options;
    this.#protection = limits ? new Protection(redis, options) : null;
    this.#advisor = adaptiveLease
      ? new LeaseAdvisor({
          redis,
          namespace,
          bounds: adaptiveLease,
          onError: (error) => this.#warn(`The recommended leases cannot be read`, error),
        })
      : null;
    if (redis.isCluster && this.reports !== 'off') {
      this.on(reportOnCluster(redis, reportsKey(namespace), this.reports));
    }
    const { instance } = this;
    this.#presences = nodes.map((redis) => new Presence({ redis, instance, app: options.app }));
  }

  #listener(): ConstructorParameters<typeof Inbox>[2] {
    return {
      granted: (task, key, fence) => this.#waits.find(task, key)?.handedOver(fence),
      tryAgain: (task, key) => {
        if (task === null) this.#waits.tryKey(key);
        else this.#waits.find(task, key)?.beat();
      },
      revoked: (task, key) => this.#watchdog.find(`${this.instance}:${task}`, key)?.lose('revoked'),
      reconnected: () => this.#waits.beatAll(),
    };
  }

  on(listener: (event: LockEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  get isThere(): boolean {
    return this.#listeners.size > 0;
  }

  emit(event: LockEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #warn(what: string, cause: unknown): void {
    const error = fromRedis(cause);
    this.#options.log?.warn(`${what}: ${error.message}`);
    this.emit({ event: 'error', key: '', owner: this.instance, error });
  }

  /** Rejects like {@link take}, and with ACQUISITION_TIMEOUT where that resolves to null. */
  async acquire(way: Way, options: AcquireOptions): Promise<Lock> {
    const got = await this.#request(way, options);
    if (typeof got !== 'string') return got;
    const held = got ? ` by ${got}` : '';
    throw new LockAcquisitionTimeoutException(
      `The lock ${way.names.lock} is held${held}, and the attempt does not wait.`,
      { key: way.names.lock, owner: this.instance, holder: got || null, waitedMs: 0, waitMs: 0 },
    );
  }

  /** Null when the lock cannot be had and the options say not to wait. */
  async take(way: Way, options: AcquireOptions): Promise<Lock | null> {
    const got = await this.#request(way, options);
    return typeof got === 'string' ? null : got;
  }

  /** The lock, or who has it where the attempt does not wait. */
  #request(way: Way, options: AcquireOptions): Promise<Lock | string> {
    if (this.#isClosed) return Promise.reject(closed());
    if (!this.#isOpen) return this.#open().then(() => this.#request(way, options));
    const wish = this.#wish(way.name, options);
    if (wish.signal?.aborted) return Promise.reject(abortedBefore(way, wish.signal));
    const again = this.tasks.held(way.id);
    if (again) return again.enterAgain().then(() => new HeldLock(again));
    if (way.blockedBy !== undefined && this.tasks.held(way.blockedBy)) {
      return Promise.reject(blockedByItself(way));
    }
    const refusal = this.#protection?.admit() ?? null;
    if (refusal === null) return this.#attempt(way, wish);
    return Promise.resolve(refusal).then((refused) =>
      refused ? this.#refuse(way, refused) : this.#attempt(way, wish),
    );
  }

  #attempt(way: Way, wish: Wish): Promise<Lock | string> {
    const { task, note } = this.tasks.asker(way.id);
    const vacate = this.tasks.isInside ? this.tasks.occupy(task, way.id) : undefined;
    return new Promise((resolve, reject) => {
      const owner = `${this.instance}:${task}${way.suffix}`;
      const settle = {
        granted: (grant: Grant): void => {
          const hold = this.#hold(way, wish, { grant, owner, task, ended: vacate });
          note?.(hold);
          resolve(new HeldLock(hold));
        },
        refused: (holder: string): void => {
          vacate?.();
          resolve(holder);
        },
        failed: (error: Error): void => {
          vacate?.();
          reject(error);
        },
      };
      const { names, sender } = way;
      void new Attempt({ ...wish, names, sender, owner, task, waits: this.#waits, settle });
    });
  }

  #refuse(way: Way, refused: AttemptRefusal): never {
    const error = rateLimitedError(way.names.lock, refused);
    const owner = `${this.instance}:0`;
    this.emit({ event: 'refused', key: way.names.lock, owner, error });
    const count = this.#protection?.toReport() ?? 0;
    if (count > 0 && this.reports !== 'off') {
      way.sender.add(
        IGNORED,
        'x',
        way.names,
        owner,
        '0',
        JSON.stringify(['refused', 'count', `${count}`]),
      );
    }
    throw error;
  }

  /** Runs `work` with the lock held. Rejects with the work's error, else with LOST where the lease was lost. */
  async using<T>(
    way: Way,
    options: AcquireOptions,
    work: (lock: Lock) => Promise<T> | T,
  ): Promise<T> {
    const lock = await this.acquire(way, options);
    return this.hold(lock, (held) => this.tasks.inside(way.id, holdOf(lock), () => work(held)));
  }

  /** Runs `work`, then releases. */
  async hold<T>(lock: Lock, work: (lock: Lock) => Promise<T> | T): Promise<T> {
    let result: T;
    try {
      result = await work(lock);
    } catch (error) {
      // The work's own error says more than that its lock is gone as well.
      await lock.release().catch(() => undefined);
      throw error;
    }
    await lock.release();
    return result;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const attempt of [...this.#waits.asked, ...this.#waits.all]) attempt.end(closed());
    await Promise.allSettled([...this.#watchdog.holds].map((hold) => hold.close()));
    this.#watchdog.stop();
    if (this.#isOpen) await Promise.all(this.#presences.map((presence) => presence.stop()));
    for (const inbox of this.#inboxes) inbox.stop();
  }

  #open(): Promise<void> {
    this.#opening ??= this.#start().catch((error: unknown) => {
      this.#opening = null;
      throw this.#isClosed ? closed() : error;
    });
    return this.#opening;
  }

  async #start(): Promise<void> {
    const [only] = this.#nodes;
    if (only && this.#nodes.length === 1) {
      await checkServer(only, this.#options.allowInsecure ?? false);
    } else {
      await this.electorate.open();
    }
    await Promise.all(this.#inboxes.map((inbox) => inbox.start(this.#nodes.length > 1)));
    if (this.#isClosed) throw closed();
    for (const presence of this.#presences) presence.start();
    this.#isOpen = true;
  }

  #wish(name: string, options: AcquireOptions): Wish {
    checkAcquireOptions(options);
    return {
      ttlMs: options.ttlMs === undefined ? this.#leaseFor(name) : validTtl(options.ttlMs),
      waitMs: options.waitMs === undefined ? this.waitMs : validWait(options.waitMs),
      fair: options.fair ?? this.#fair,
      signal: options.signal,
      businessId: options.businessId ?? null,
    };
  }

  #leaseFor(name: string): number {
    return this.#advisor?.leaseFor(name, this.#ttlMs, performance.now()) ?? this.#ttlMs;
  }

  #hold(
    way: Way,
    wish: Wish,
    got: { grant: Grant; owner: string; task: string; ended: (() => void) | undefined },
  ): Hold {
    const { grant, owner, task, ended } = got;
    const { fence, waitedMs, sentAt } = grant;
    const { businessId, ttlMs, fair } = wish;
    const hold = new Hold({
      names: way.names,
      name: way.name,
      sender: way.sender,
      owner,
      task,
      ttlMs,
      fence,
      sentAt,
      waitedMs,
      businessId,
      fair,
      reports: {
        release: this.reports === 'all' || (this.reports === 'contended' && waitedMs > 0),
        loss: this.reports !== 'off',
      },
      keeper: this.#watchdog,
      audience: this,
      ended,
    });
    if (this.isThere) {
      const about = { key: way.names.lock, owner, fence, waitedMs };
      this.emit({ event: 'granted', ...about, ...(businessId === null ? {} : { businessId }) });
    }
    return hold;
  }
}

const closed = (): LockError =>
  new LockError('CLIENT_CLOSED', 'This lock client is closed; make another one.');

const abortedBefore = (way: Way, signal: AbortSignal): LockError =>
  new LockError(
    'ABORTED',
    `The attempt at ${way.names.lock} was given up by its signal before it began.`,
    { key: way.names.lock, waitedMs: 0 },
    signal.reason,
  );

const blockedByItself = (way: Way): LockError =>
  new LockError(
    'BAD_OPTIONS',
    `This task reads under ${way.names.lock} and would wait for itself; release the read lock before taking the write lock.`,
    { key: way.names.lock },
  );
