import { LockError } from './errors.js';

/**
 * Every key and channel of the wire format, built in this file only. The names around a lock are Redisson's
 * (RedissonObject.prefixName): `PREFIX:{KEY}`, or bare `PREFIX:KEY` when the key already contains a `{`, so
 * that all of them share the lock's slot in a cluster.
 */
export interface LockNames {
  lock: string;
  /** List of the waiters' owners, head first. */
  queue: string;
  /** Sorted set of the same owners; score = epoch ms until which that waiter counts as alive. */
  timeouts: string;
  /** Fencing counter. */
  fence: string;
  /** Where clients of other libraries announce and await its release. */
  channel: string;
}

export const DEFAULT_PREFIX = 'qoder:lock:';
export const QUEUE = 'redisson_lock_queue:';
export const TIMEOUTS = 'redisson_lock_timeout:';
export const FENCE = 'redisson_lock_token:';
export const CHANNEL = 'redisson_lock__channel:';
export const RW_CHANNEL = 'redisson_rwlock:';
export const SEMAPHORE_CHANNEL = 'redisson_sc:';
/** Followed by the client's uuid: grants, wake-ups and revocations for its tasks. */
export const INBOX = 'lockscope:inbox:';
/** Followed by the client's uuid: a hash of host, ip, pid, app and startedAt that lives while the client does. */
export const INSTANCE = 'lockscope:instance:';

const derived = (prefix: string, key: string): string =>
  key.includes('{') ? prefix + key : `${prefix}{${key}}`;

/** `channelPrefix` is the kind's: {@link CHANNEL}, {@link RW_CHANNEL} or {@link SEMAPHORE_CHANNEL}. */
export function lockNames(key: string, channelPrefix = CHANNEL): LockNames {
  return {
    lock: key,
    queue: derived(QUEUE, key),
    timeouts: derived(TIMEOUTS, key),
    fence: derived(FENCE, key),
    channel: derived(channelPrefix, key),
  };
}

/** A stream; one for each namespace, so that it can be granted alone. */
export const reportsKey = (namespace: string): string =>
  namespace ? `lockscope:reports:${namespace}` : 'lockscope:reports';

/** A hash from lock class (`order_sync:*`) to the lease in ms that the console recommends. */
export const adviceKey = (namespace: string): string =>
  namespace ? `lockscope:advice:${namespace}` : 'lockscope:advice';

/** The namespace's attempts left in this second. */
export const limitKey = (namespace: string): string =>
  namespace ? `lockscope:limit:${namespace}` : 'lockscope:limit';

/** Returns the Redis key of a lock's name. Throws EMPTY_KEY. */
export function keyOf(prefix: string, namespace: string, name: string): string {
  if (typeof name !== 'string' || name.trim() === '') {
    throw new LockError(
      'EMPTY_KEY',
      'The name of a lock is empty, so that everybody would compete for one lock; give it the id of what it protects.',
      { prefix, namespace },
    );
  }
  return namespace ? `${prefix}${namespace}:${name}` : prefix + name;
}
