import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { AcquireOptions, Lock } from '@/lib/lock/index';
import { LockAcquisitionTimeoutException, LockError } from '@/lib/lock/index';
import type { LockUnderTest } from '@/test/support/lock-fleet/messages';
import { pause } from '@/test/support/pause';

/**
 * Locks as people write them, each with one well-known mistake: they show that the fleet's judgement can fail.
 * `never-lost`: `SET NX PX`, which believes that it holds for as long as it likes; `foreign-release`: deletes
 * the key whoever holds it; `no-exclusion`: does not look whether it is held; `early-fence`: counts the fence
 * before it has the lock; `same-fence`: counts it in its own process.
 */
export const MISTAKES = [
  'never-lost',
  'foreign-release',
  'no-exclusion',
  'early-fence',
  'same-fence',
] as const;
export type Mistake = (typeof MISTAKES)[number];
/** `sound` makes none: it shows that the judgement can also be good. */
export type Toy = Mistake | 'sound';

/** KEYS: lock, fence. ARGV: owner, lease in ms. Returns the fence, or null while it is held. */
const SET_AND_COUNT = `
if not redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2], 'NX') then return nil end
return redis.call('INCR', KEYS[2])`;
const COMPARE_AND_DELETE = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;
const RETRY_MS = 5;

interface Attempt {
  key: string;
  owner: string;
  ttlMs: number;
}

export function createToyLocks(redis: Redis, toy: Toy, ttlMs: number): LockUnderTest {
  const attempt = createAttempt(redis, toy);
  const release = async ({ key, owner }: Attempt): Promise<void> => {
    if (toy === 'foreign-release') await redis.del(key);
    else await redis.eval(COMPARE_AND_DELETE, 1, key, owner);
  };
  const acquire = async (name: string, options: AcquireOptions = {}): Promise<Lock> => {
    const asked = { key: name, owner: randomUUID(), ttlMs };
    const until = performance.now() + (options.waitMs ?? 30_000);
    for (;;) {
      const at = performance.now();
      const fence = await attempt(asked);
      const endsAt = toy === 'never-lost' ? Infinity : at + ttlMs;
      if (fence !== null) {
        return toyLock({ ...asked, fence, endsAt, release: async () => await release(asked) });
      }
      if (options.signal?.aborted) throw new LockError('ABORTED', 'aborted');
      if (performance.now() > until) throw new LockAcquisitionTimeoutException('timed out', {});
      await pause(RETRY_MS);
    }
  };
  return {
    acquire,
    tryAcquire: async (name) => await acquire(name, { waitMs: 0 }).catch(() => null),
    using: usingOf(acquire),
    close: async () => {},
  };
}

/** Returns what tries once and answers the fence, or null while the lock is held. */
function createAttempt(redis: Redis, toy: Toy): (attempt: Attempt) => Promise<number | null> {
  let localFence = 0;
  const fenceOf = (key: string): string => `fence:${key}`;
  if (toy === 'no-exclusion') {
    return async ({ key, owner, ttlMs }) => {
      await redis.set(key, owner, 'PX', ttlMs);
      return await redis.incr(fenceOf(key));
    };
  }
  if (toy === 'early-fence') {
    return async ({ key, owner, ttlMs }) => {
      const fence = await redis.incr(fenceOf(key));
      await pause(1);
      return (await redis.set(key, owner, 'PX', ttlMs, 'NX')) ? fence : null;
    };
  }
  return async ({ key, owner, ttlMs }) => {
    const fence = await redis.eval(SET_AND_COUNT, 2, key, fenceOf(key), owner, ttlMs);
    if (fence === null) return null;
    return toy === 'same-fence' ? ++localFence : Number(fence);
  };
}

function usingOf(acquire: LockUnderTest['acquire']): LockUnderTest['using'] {
  return async <T>(
    name: string,
    ...rest: [(lock: Lock) => Promise<T> | T] | [AcquireOptions, (lock: Lock) => Promise<T> | T]
  ): Promise<T> => {
    const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest;
    const lock = await acquire(name, options);
    try {
      return await work(lock);
    } finally {
      await lock.release();
    }
  };
}

function toyLock(
  hold: Attempt & { fence: number; endsAt: number; release: Lock['release'] },
): Lock {
  const { key, release, endsAt } = hold;
  const isHeld = (): boolean => performance.now() < endsAt;
  return {
    ...hold,
    name: key,
    depth: 1,
    businessId: null,
    waitedMs: 0,
    get remainingMs() {
      return Math.max(0, endsAt - performance.now());
    },
    get isHeld() {
      return isHeld();
    },
    get signal() {
      return isHeld() ? new AbortController().signal : AbortSignal.abort();
    },
    assertHeld: () => {},
    extend: async () => {},
    [Symbol.asyncDispose]: release,
  };
}
