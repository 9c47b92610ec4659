import { Attempt } from './attempt.js';
import { rateLimitedError, type AttemptRefusal } from './attempt-limit.js';
import { ownerOf, type Claim, type Way } from './claim.js';
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
import { Hold, type Audience, type Household } from './hold.js';
import { Inbox } from './inbox.js';
import { newInstance, Presence } from './instance.js';
import { fromRedis } from './from-redis.js';
import { LeaseAdvisor } from './lease-advice.js';
import { reportsKey } from './names.js';
import {
  checkAcquireOptions,
  DEFAULT_TTL_MS,
  DEFAULT_WAIT_MS,
  validTtl,
  validWait,
} from './options.js';
import { Protection } from './protection.js';
import { IGNORED } from './sender.js';
import { checkServer } from './server-check.js';
import { Tasks } from './task.js';
import { Waits } from './waits.js';
import { Watchdog } from './watchdog.js';

/** A Redis that does not answer keeps nobody from closing: leases and presences end by themselves. */
const CLOSE_MS = 1000;

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, patience]);
  clearTimeout(timer);
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
  readonly #household: Household;
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
    this.#household = { keeper: this.#watchdog, audience: this, reports: this.reports };
    this.#waits = new Waits({
      instance: this.instance,
      emit: (event) => this.emit(event),
      log: options.log,
    });
    const listener = this.#listener();
    this.#inboxes = nodes.map((node) => new Inbox(node, this.instance, listener));
    this.#waits.inboxes = this.#inboxes;
    this.#waits.isHeld = (task, key) => this.#watchdog.find(task, key) !== undefined;
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
      granted: (task, key) => this.#waits.find(task, key)?.handedOver(),
      tryAgain: (task, key) => {
        if (task === null) this.#waits.tryKey(key);
        else this.#waits.find(task, key)?.beat();
      },
      revoked: (task, key) => this.#watchdog.find(task, key)?.lose('revoked'),
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
  acquire(way: Way, options: AcquireOptions): Promise<Lock> {
    return this.#request(way, options, (holder) => {
      throw refused(way, this.instance, holder);
    });
  }

  /** Null when the lock cannot be had and the options say not to wait. */
  take(way: Way, options: AcquireOptions): Promise<Lock | null> {
    return this.#request(way, options, () => null);
  }

  /** `orElse` tells what comes of an attempt that does not wait, from who holds the lock. */
  #request<T>(way: Way, options: AcquireOptions, orElse: (holder: string) => T): Promise<Lock | T> {
    if (this.#isClosed) return Promise.reject(closed());
    if (!this.#isOpen) return this.#open().then(() => this.#request(way, options, orElse));
    checkAcquireOptions(options);
    if (options.signal?.aborted) return Promise.reject(abortedBefore(way, options.signal));
    const again = this.tasks.held(way.id);
    if (again) return again.enterAgain().then(() => new HeldLock(again));
    if (way.blockedBy !== undefined && this.tasks.held(way.blockedBy)) {
      return Promise.reject(blockedByItself(way));
    }
    const refusal = this.#protection?.admit() ?? null;
    if (refusal === null) return this.#attempt(way, options, orElse);
    return Promise.resolve(refusal).then((over) =>
      over ? this.#refuse(way, over) : this.#attempt(way, options, orElse),
    );
  }

  #attempt<T>(way: Way, options: AcquireOptions, orElse: (holder: string) => T): Promise<Lock | T> {
    const { task, note } = this.tasks.asker(way.id);
    const vacate = this.tasks.isInside ? this.tasks.occupy(task, way.id) : undefined;
    const claim = this.#claim(way, task + way.suffix, options);
    return new Promise<Lock | T>((resolve, reject) => {
      void new Attempt(claim, this.#waits, {
        granted: (fence, sentAt, waitedMs) => {
          const hold = new Hold(claim, { fence, sentAt, waitedMs }, this.#household, vacate);
          note?.(hold);
          if (this.isThere) this.#tellGranted(hold);
          resolve(new HeldLock(hold));
        },
        refused: (holder) => {
          vacate?.();
          try {
            resolve(orElse(holder));
          } catch (error) {
            reject(error);
          }
        },
        failed: (error) => {
          vacate?.();
          reject(error);
        },
      });
    });
  }

  #claim(way: Way, task: string, options: AcquireOptions): Claim {
    const { ttlMs, waitMs, fair, signal, businessId } = options;
    return {
      way,
      instance: this.instance,
      task,
      ttlMs: ttlMs === undefined ? this.#leaseFor(way.name) : validTtl(ttlMs),
      waitMs: waitMs === undefined ? this.waitMs : validWait(waitMs),
      fair: fair ?? this.#fair,
      signal,
      businessId: businessId ?? null,
    };
  }

  #tellGranted({ claim, fence, waitedMs }: Hold): void {
    const { businessId } = claim;
    const about = { key: claim.way.key, owner: ownerOf(claim), fence, waitedMs };
    this.emit({ event: 'granted', ...about, ...(businessId === null ? {} : { businessId }) });
  }

  #refuse(way: Way, over: AttemptRefusal): never {
    const error = rateLimitedError(way.key, over);
    this.emit({ event: 'refused', key: way.key, owner: `${this.instance}:0`, error });
    const count = this.#protection?.toReport() ?? 0;
    if (count > 0 && this.reports !== 'off') {
      const report = JSON.stringify(['refused', 'count', `${count}`]);
      way.sender.add(IGNORED, 'x', way.key, '0', this.#ttlMs, report);
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
    const holds = [...this.#watchdog.holds].map((hold) => hold.close());
    const presences = this.#isOpen ? this.#presences.map((presence) => presence.stop()) : [];
    await within(CLOSE_MS, Promise.allSettled([...holds, ...presences]));
    this.#watchdog.stop();
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

  #leaseFor(name: string): number {
    return this.#advisor?.leaseFor(name, this.#ttlMs, performance.now()) ?? this.#ttlMs;
  }
}

const closed = (): LockError =>
  new LockError('CLIENT_CLOSED', 'This lock client is closed; make another one.');

const abortedBefore = (way: Way, signal: AbortSignal): LockError =>
  new LockError(
    'ABORTED',
    `The attempt at ${way.key} was given up by its signal before it began.`,
    { key: way.key, waitedMs: 0 },
    signal.reason,
  );

const blockedByItself = (way: Way): LockError =>
  new LockError(
    'BAD_OPTIONS',
    `This task reads under ${way.key} and would wait for itself; release the read lock before taking the write lock.`,
    { key: way.key },
  );

const refused = (way: Way, instance: string, holder: string): LockError =>
  new LockAcquisitionTimeoutException(
    `The lock ${way.key} is held${holder && ` by ${holder}`}, and the attempt does not wait.`,
    { key: way.key, owner: instance, holder: holder || null, waitedMs: 0, waitMs: 0 },
  );
