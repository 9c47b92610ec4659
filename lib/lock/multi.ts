import type { AcquireOptions, Lock, Lockable } from './contract.js';
import type { Way } from './claim.js';
import type { Engine } from './engine.js';
import { createLeaseSignal, type LeaseSignal } from './lease-signal.js';
import { LockAcquisitionTimeoutException, LockError } from './errors.js';

type Work<T> = (lock: Lock) => Promise<T> | T;

/**
 * Several locks as one: taken one after another in the order of their keys' UTF-16 code units, whatever the
 * order given, so that two of them never wait for each other; all or none.
 */
export function createMulti(engine: Engine, ways: readonly Way[]): Lockable {
  const ordered = [...new Map(ways.map((way) => [way.id, way])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  if (ordered.length === 0) {
    throw new LockError('BAD_OPTIONS', 'multi() needs the names of the locks to take.', {
      option: 'names',
    });
  }
  // Outside of any task, what is taken together has one owner.
  const acquire = (options: AcquireOptions): Promise<Lock> =>
    engine.tasks.isInside
      ? takeAll(engine, ordered, options)
      : engine.tasks.open(() => takeAll(engine, ordered, options));
  return {
    acquire: async (options = {}) => acquire(options),
    tryAcquire: async (options = {}) => {
      try {
        return await acquire({ ...options, waitMs: 0 });
      } catch (error) {
        if (error instanceof LockAcquisitionTimeoutException) return null;
        throw error;
      }
    },
    using: async <T>(first: AcquireOptions | Work<T>, second?: Work<T>): Promise<T> => {
      const [options, work] = typeof first === 'function' ? [{}, first] : [first, second];
      if (!work) {
        throw new LockError(
          'BAD_OPTIONS',
          'using() needs the work to do while the locks are held.',
        );
      }
      return engine.tasks.open(async () => {
        const locks = await takeAll(engine, ordered, options);
        return engine.hold(locks, (held) => engine.tasks.apart(() => work(held)));
      });
    },
  };
}

async function takeAll(engine: Engine, ways: Way[], options: AcquireOptions): Promise<Lock> {
  const endsAt = performance.now() + (options.waitMs ?? engine.waitMs);
  const locks: Lock[] = [];
  try {
    for (const way of ways) {
      const waitMs = options.waitMs === 0 ? 0 : Math.max(1, endsAt - performance.now());
      locks.push(await engine.acquire(way, { ...options, waitMs }));
    }
    // One may have been lost while the rest was waited for.
    for (const lock of locks) lock.assertHeld();
  } catch (error) {
    await Promise.allSettled(locks.reverse().map((lock) => lock.release()));
    throw error;
  }
  return new MultiLock(locks);
}

class MultiLock implements Lock {
  readonly #locks: Lock[];
  #signal: LeaseSignal | null = null;
  #released: Promise<void> | null = null;

  constructor(locks: Lock[]) {
    this.#locks = locks;
  }

  get #first(): Lock {
    const [first] = this.#locks;
    if (!first) throw new LockError('NOT_HELD', 'There is no lock in this group.');
    return first;
  }

  get name(): string {
    return this.#locks.map(({ name }) => name).join(',');
  }
  get key(): string {
    return this.#locks.map(({ key }) => key).join(',');
  }
  get owner(): string {
    return this.#first.owner;
  }
  /** The greatest of theirs. */
  get fence(): number {
    return Math.max(...this.#locks.map(({ fence }) => fence));
  }
  get depth(): number {
    return this.#first.depth;
  }
  get ttlMs(): number {
    return Math.min(...this.#locks.map(({ ttlMs }) => ttlMs));
  }
  get businessId(): string | null {
    return this.#first.businessId;
  }
  get waitedMs(): number {
    return this.#locks.reduce((sum, { waitedMs }) => sum + waitedMs, 0);
  }
  get remainingMs(): number {
    return Math.min(...this.#locks.map(({ remainingMs }) => remainingMs));
  }
  get isHeld(): boolean {
    return this.#locks.every(({ isHeld }) => isHeld);
  }
  get signal(): AbortSignal {
    if (!this.#signal) {
      const signals = this.#locks.map(({ signal }) => signal);
      const together = createLeaseSignal(
        () => signals.find(({ aborted }) => aborted)?.reason ?? null,
      );
      for (const signal of signals)
        signal.addEventListener('abort', together.abort, { once: true });
      this.#signal = together;
    }
    return this.#signal.signal;
  }

  assertHeld(): void {
    for (const lock of this.#locks) lock.assertHeld();
  }

  async extend(ttlMs?: number): Promise<void> {
    await Promise.all(this.#locks.map((lock) => lock.extend(ttlMs)));
  }

  release(): Promise<void> {
    this.#released ??= this.#releaseAll();
    return this.#released;
  }

  async #releaseAll(): Promise<void> {
    const ended = await Promise.allSettled(this.#locks.toReversed().map((lock) => lock.release()));
    const failed = ended.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.release();
  }
}
