import { Attempt } from './attempt.js';
import { rateLimitedError, type AttemptRefusal } from './attempt-limit.js';
import { Audience } from './audience.js';
import { ownerOf, type Claim, type Way } from './claim.js';
import { clusterReports, reportEvents, type WriteReport } from './cluster-reports.js';
import { Connections } from './connections.js';
import type { AcquireOptions, Lock, LockClientOptions, RedisConnection } from './contract.js';
import { HeldLock, holdOf } from './held-lock.js';
import { Hold } from './hold.js';
import type { Household } from './household.js';
import type { InboxListener } from './inbox.js';
import { newInstance } from './instance.js';
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
import { abortedBefore, blockedByItself, closed, refused, unanswered } from './refusals.js';
import { IGNORED } from './sender.js';
import { Tasks } from './task.js';
import { Waits } from './waits.js';
import { Watchdog } from './watchdog.js';

/** A Redis that does not answer keeps nobody from closing: leases and presences end by themselves. */
const CLOSE_MS = 1000;

/** Even an attempt that does not wait gives a new connection this long. */
const LEAST_PATIENCE_MS = 1000;

/** What `work` resolves to, or undefined after `ms`. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}

/** What all kinds of lock of one client share: its tasks, holds, waits, connections and listeners. */
export class Engine {
  readonly instance = newInstance();
  readonly tasks = new Tasks();
  readonly reports: 'off' | 'contended' | 'all';
  readonly audience = new Audience();
  readonly connections: Connections;
  readonly waitMs: number;
  readonly #log: LockClientOptions['log'];
  readonly #ttlMs: number;
  readonly #fair: boolean;
  readonly #watchdog = new Watchdog();
  readonly #household: Household;
  readonly #waits: Waits;
  readonly #protection: Protection | null;
  /** Null where reports go with the operations, or nowhere. */
  readonly #reportBeside: WriteReport | null = null;
  readonly #advisor: LeaseAdvisor | null;
  #closing: Promise<void> | null = null;

  /** `nodes` are the client's connections: one, or those of a Redlock. */
  constructor(nodes: readonly [RedisConnection, ...RedisConnection[]], options: LockClientOptions) {
    this.#log = options.log;
    this.#ttlMs = options.ttlMs ?? DEFAULT_TTL_MS;
    this.waitMs = validWait(options.waitMs ?? DEFAULT_WAIT_MS);
    this.#fair = options.fair ?? true;
    this.reports = options.reports ?? 'contended';
    this.#household = {
      keeper: this.#watchdog,
      isTaken: (task, key) => this.#waits.isTaken(task, key),
      audience: this.audience,
      reports: this.reports,
    };
    this.connections = new Connections({
      nodes,
      instance: this.instance,
      client: options,
      listener: this.#listener(),
      refused: (error) => this.#warn('A node of the Redlock has no vote', error),
    });
    this.#waits = new Waits({
      instance: this.instance,
      inboxes: this.connections.inboxes,
      isHeld: (task, key) => this.#watchdog.find(task, key) !== undefined,
      audience: this.audience,
      log: options.log,
    });
    const [redis] = nodes;
    const { limits, adaptiveLease, namespace = '' } = options;
    this.#protection = limits
      ? new Protection(redis, options, (way, count) => this.#reportRefusals(way, count))
      : null;
    const onError = (error: unknown): void =>
      this.#warn('The recommended leases cannot be read', error);
    this.#advisor = adaptiveLease
      ? new LeaseAdvisor({ redis, namespace, bounds: adaptiveLease, onError })
      : null;
    if (redis.isCluster && this.reports !== 'off') {
      this.#reportBeside = clusterReports(redis, reportsKey(namespace));
      this.audience.on(reportEvents(this.#reportBeside, this.reports));
    }
  }

  #listener(): InboxListener {
    return {
      granted: (task, key, fence) => this.#waits.find(task, key)?.handedOver(fence),
      tryAgain: (task, key) => {
        if (task === null) this.#waits.tryKey(key);
        else this.#waits.find(task, key)?.beat();
      },
      revoked: (task, key) => this.#watchdog.find(task, key)?.lose('revoked'),
      reconnected: () => this.#waits.beatAll(),
    };
  }

  #warn(what: string, cause: unknown): void {
    const error = fromRedis(cause);
    this.#log?.warn(`${what}: ${error.message}`);
    this.audience.emit({ event: 'error', key: '', owner: this.instance, error });
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
    if (this.#closing) return Promise.reject(closed());
    checkAcquireOptions(options);
    if (options.signal?.aborted) return Promise.reject(abortedBefore(way, options.signal));
    if (!this.connections.isOpen) {
      return this.#open(way, options).then(() => this.#request(way, options, orElse));
    }
    const again = this.#heldAlready(way);
    if (again) return again.enterAgain().then(() => new HeldLock(again));
    if (way.blockedBy !== undefined && this.tasks.held(way.blockedBy)) {
      return Promise.reject(blockedByItself(way));
    }
    const refusal = this.#protection?.admit() ?? null;
    if (refusal === null) return this.#attempt(way, options, orElse);
    return Promise.resolve(refusal).then((over) => {
      if (over) return this.#refuse(way, over);
      if (this.#closing) throw closed();
      if (options.signal?.aborted) throw abortedBefore(way, options.signal);
      return this.#attempt(way, options, orElse);
    });
  }

  #heldAlready({ id, pair, blockedBy }: Way): Hold | null {
    const held = this.tasks.held(id);
    if (held || pair === undefined || blockedBy !== undefined) return held;
    return this.tasks.ownWrite(id, pair);
  }

  #attempt<T>(way: Way, options: AcquireOptions, orElse: (holder: string) => T): Promise<Lock | T> {
    const { task, isNew, note } = this.tasks.asker(way.id, way.pair);
    const claim = this.#claim(way, { task: task + way.suffix, isNewTask: isNew }, options);
    const vacate = this.tasks.isInside ? this.tasks.occupy(task, way.id) : undefined;
    return new Promise<Lock | T>((resolve, reject) => {
      void new Attempt(claim, this.#waits, {
        granted: (grant) => {
          const hold = new Hold(claim, grant, this.#household, vacate);
          note?.(hold);
          if (this.audience.isThere) this.#tellGranted(hold);
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

  #claim(way: Way, asker: Pick<Claim, 'task' | 'isNewTask'>, options: AcquireOptions): Claim {
    const { ttlMs, waitMs, fair, signal, businessId } = options;
    return {
      way,
      instance: this.instance,
      ...asker,
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
    this.audience.emit({
      event: 'granted',
      ...about,
      ...(businessId === null ? {} : { businessId }),
    });
  }

  #refuse(way: Way, over: AttemptRefusal): never {
    const error = rateLimitedError(way.key, over);
    this.audience.emit({ event: 'refused', key: way.key, owner: `${this.instance}:0`, error });
    this.#protection?.refused(way);
    throw error;
  }

  #reportRefusals({ key, sender }: Way, count: number): void {
    if (this.reports === 'off') return;
    const fields = ['count', `${count}`];
    if (this.#reportBeside) {
      this.#reportBeside({ event: 'refused', key, owner: `${this.instance}:0` }, fields);
    } else {
      sender.add(IGNORED, 'x', key, '0', this.#ttlMs, JSON.stringify(['refused', ...fields]));
    }
  }

  /** Runs `work` with the lock held. Rejects with the work's error, else with LOST where the lease was lost. */
  async using<T>(
    way: Way,
    options: AcquireOptions,
    work: (lock: Lock) => Promise<T> | T,
  ): Promise<T> {
    const lock = await this.tasks.apart(() => this.acquire(way, options));
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

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#protection?.stop();
    const attempts = [...this.#waits.asked, ...this.#waits.all].map((one) => one.end(closed()));
    const holds = [...this.#watchdog.holds].map((hold) => hold.close());
    const left = Promise.allSettled([...attempts, ...holds, this.connections.leave()]);
    await within(CLOSE_MS, left);
    this.#watchdog.stop();
    this.connections.stopListening();
  }

  /** Opens what the first attempt needs, for no longer than that attempt would wait. */
  async #open(way: Way, { waitMs = this.waitMs, signal }: AcquireOptions): Promise<void> {
    const leastMs = Math.max(LEAST_PATIENCE_MS, validWait(waitMs));
    const opened = this.connections.open().then(
      () => true,
      (error: unknown) => {
        throw this.#closing ? closed() : error;
      },
    );
    const heard = new AbortController();
    const aborted =
      signal &&
      new Promise<false>((resolve) => {
        const once = { once: true, signal: heard.signal };
        signal.addEventListener('abort', () => resolve(false), once);
      });
    const either = aborted ? Promise.race([opened, aborted]) : opened;
    const isOpen = await within(leastMs, either).finally(() => heard.abort());
    if (signal?.aborted) throw abortedBefore(way, signal);
    if (!isOpen) throw unanswered(way, leastMs);
  }

  #leaseFor(name: string): number {
    return this.#advisor?.leaseFor(name, this.#ttlMs, performance.now()) ?? this.#ttlMs;
  }
}
