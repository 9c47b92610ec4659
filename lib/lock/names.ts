import { LockError } from './errors.js';

/**
 * Keys and channels of the wire format; `scripts/shared.ts` builds those around a lock in Lua. They are Redisson's
 * (RedissonObject.prefixName): `PREFIX:{KEY}`, or bare `PREFIX:KEY` when the key already contains a `{`, so
 * that all of them share the lock's slot in a cluster.
 */
export const DEFAULT_PREFIX = 'qoder:lock:';
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

/** Where clients of other libraries hear of a lock's release; the prefix is the kind's. */
export const channelOf = (key: string, prefix: string): string => derived(prefix, key);

/** The lock's fencing counter. */
export const fenceKey = (key: string): string => derived(FENCE, key);

/** A stream; one for each namespace, so that it can be granted alone. */
export const reportsKey = (namespace: string): string =>
  namespace ? `lockscope:reports:${namespace}` : 'lockscope:reports';

/** A hash from lock class (`order_sync:*`) to the lease in ms that the console recommends. */
export const adviceKey = (namespace: string): string =>
  namespace ? `lockscope:advice:${namespace}` : 'lockscope:advice';

/** The namespace's attempts left in this second. */
export const limitKey = (namespace: string): string =>
  namespace ? `lockscope:limit:${namespace}` : 'lockscope:limit';

/** Returns the Redis key of a lock's name. Throws EMPTY_KEY, BAD_OPTIONS for a name that is no text. */
export function keyOf(prefix: string, namespace: string, name: string): string {
  if (typeof name !== 'string' || name.trim() === '') {
    if (typeof name !== 'string' && name !== undefined && name !== null) throw notText(name);
    throw new LockError(
      'EMPTY_KEY',
      'The name of a lock is empty, so that everybody would compete for one lock; give it the id of what it protects.',
      { prefix, namespace },
    );
  }
  return namespace ? `${prefix}${namespace}:${name}` : prefix + name;
}

const notText = (name: unknown): LockError =>
  new LockError('BAD_OPTIONS', `The name of a lock is a ${typeof name}; give it as text.`, {
    option: 'name',
  });
