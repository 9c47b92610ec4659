import { AsyncLocalStorage } from 'node:async_hooks';
import type { Lock, LockClient } from '../contract.js';
import { isLockError, LockLostError } from '../errors.js';
import { attemptRun } from './attempt.js';
import { createBell } from './bell.js';
import type { TaskDefinition, TaskEvent } from './contract.js';
import type { TaskKeys } from './keys.js';
import type { NextRun, RunStore } from './run-store.js';

/** Messages are hints; a lane looks by itself this often, so that a missed one costs less than the 3 s of a takeover. */
const SWEEP_MS = 2000;
const AFTER_ERROR_MS = 1000;
/** Runs that end sooner than this need no successor in waiting, and so make no waiters. */
const STANDBY_AFTER_MS = 250;
/** How long work that was told to end may take to tell so, before its lock is given up under it. */
const FAREWELL_MS = 200;

/** A lane outlives whoever starts it, and so belongs to no line of work whose locks it could enter again. */
const outside = AsyncLocalStorage.snapshot();

export interface LaneOptions {
  client: LockClient;
  keys: TaskKeys;
  definition: TaskDefinition;
  store: RunStore;
  leaseMs: number;
  keepMs: number;
  emit: (event: TaskEvent) => void;
}

/**
 * One task in one process.
 *
 * | mode | holds | leads out |
 * |---|---|---|
 * | idle | no run is due | a message, the time of the next run, the sweep |
 * | standing by | a run is due and another process has the lock: waits for it, in order | the lock is granted |
 * | serving | has the lock, runs what is due one after another | nothing is due, the lock is lost |
 *
 * A standby that finds nothing due when its turn comes gives the lock on at once.
 */
export class Lane {
  readonly #options: LaneOptions;
  readonly #closing = new AbortController();
  readonly #givenUp = new AbortController();
  readonly #bell = createBell(this.#closing.signal);
  #running: Promise<void> | null = null;
  #lock: Lock | null = null;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= outside(async () => await this.#cycle());
  }

  ring(): void {
    this.#bell.ring();
  }

  /** See TaskRunner.close. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort();
    if (!this.#running) return;
    if (await endsWithin(this.#running, graceMs)) return;
    this.#givenUp.abort();
    if (await endsWithin(this.#running, FAREWELL_MS)) return;
    if (this.#lock) await this.#release(this.#lock);
  }

  async #cycle(): Promise<void> {
    const { emit, keys } = this.#options;
    while (!this.#closing.signal.aborted) {
      try {
        const next = await this.#look();
        if (isDue(next)) await this.#serve();
        else await this.#bell.sleep(next.id === null ? SWEEP_MS : Math.min(next.dueInMs, SWEEP_MS));
      } catch (error) {
        const code = isLockError(error) ? error.code : null;
        if (code === 'ABORTED' && this.#closing.signal.aborted) return;
        emit({ event: 'error', task: keys.task, error });
        if (code === 'CLIENT_CLOSED') return;
        await this.#bell.pause(AFTER_ERROR_MS);
      }
    }
  }

  /** What is next, after seeing to it that the interval's next run stands in the queue. */
  async #look(): Promise<NextRun> {
    const { definition, store } = this.#options;
    const next = await store.look();
    const { everyMs } = definition;
    if (everyMs === undefined || next.isScheduled) return next;
    const dueAt = (Math.floor(next.now / everyMs) + 1) * everyMs;
    await store.schedule(`every:${dueAt}`, dueAt);
    return await store.look();
  }

  async #serve(): Promise<void> {
    const lock = await this.#take();
    if (!lock) return;
    this.#lock = lock;
    try {
      let goesOn = true;
      while (goesOn && !this.#closing.signal.aborted) goesOn = await this.#runNext(lock);
    } finally {
      this.#lock = null;
      await this.#release(lock);
    }
  }

  /** At once, or after waiting in the lock's queue. */
  async #take(): Promise<Lock | null> {
    const { client, keys, leaseMs, store } = this.#options;
    const free = await client.tryAcquire(keys.lockName, { ttlMs: leaseMs });
    if (free) return free;
    await this.#bell.sleep(Math.min(STANDBY_AFTER_MS, leaseMs / 4));
    if (!isDue(await store.look())) return null;
    const signal = this.#closing.signal;
    return await client.acquire(keys.lockName, { ttlMs: leaseMs, waitMs: Infinity, signal });
  }

  /** False when nothing is due or the lock is lost. */
  async #runNext(lock: Lock): Promise<boolean> {
    const { keys, store } = this.#options;
    const next = await store.look();
    if (next.id === null || next.dueInMs > 0) return false;
    const begun = await store.begin(next.id, lock);
    if (begun === 'ENDED') return true;
    if (begun === 'LOST') {
      if (lock.isHeld) throw outOfOrder(keys.task, lock.fence);
      return false;
    }
    const [closing, givenUp] = [this.#closing.signal, this.#givenUp.signal];
    await attemptRun({ ...this.#options, begun, lock, closing, givenUp });
    return lock.isHeld;
  }

  async #release(lock: Lock): Promise<void> {
    try {
      await lock.release();
    } catch (error) {
      // What ran under it was told already; a lock that is lost needs no release.
      if (!isLockError(error) || (error.code !== 'LOST' && error.code !== 'NOT_HELD')) throw error;
    }
  }
}

/** Only a fencing counter that went back does this, as after a restore of part of the data. */
function outOfOrder(task: string, fence: number): LockLostError {
  return new LockLostError(
    `The lock of ${task} was granted with fence ${fence}, smaller than one that began a run before; nothing can run under it.`,
    { task, fence, reason: 'fenced' },
  );
}

const isDue = ({ id, dueInMs }: NextRun): boolean => id !== null && dueInMs <= 0;

async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  const ended = await Promise.race([work.then(() => true), over]);
  clearTimeout(timer);
  return ended;
}
