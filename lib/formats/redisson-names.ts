import type { Bytes } from '@/lib/protocol/bytes';

/**
 * The names Redisson derives from a lock's key (RedissonObject.prefixName): `PREFIX:{NAME}`, or bare
 * `PREFIX:NAME` when the name already contains a `{`.
 */
export const QUEUE_PREFIX = 'redisson_lock_queue:';
export const TIMEOUTS_PREFIX = 'redisson_lock_timeout:';
export const FENCE_PREFIX = 'redisson_lock_token:';
export const LATCH_PREFIX = 'redisson_unlock_latch:';
export const CHANNEL_PREFIX = 'redisson_lock__channel:';

const derived = (prefix: Bytes, key: Bytes): Bytes =>
  key.includes('{') ? prefix + key : `${prefix}{${key}}`;

export const queueKey = (key: Bytes): Bytes => derived(QUEUE_PREFIX, key);
export const timeoutsKey = (key: Bytes): Bytes => derived(TIMEOUTS_PREFIX, key);
/** Our own client's, named after the same rule. */
export const wishesKey = (key: Bytes): Bytes => derived('lockscope:wishes:', key);
export const fenceKey = (key: Bytes): Bytes => derived(FENCE_PREFIX, key);

/** Names after a lock's own: `{NAME}:SUFFIX`, or bare `NAME:SUFFIX` (RedissonObject.suffixName). */
const suffixed = (key: Bytes, suffix: Bytes): Bytes =>
  key.includes('{') ? `${key}:${suffix}` : `{${key}}:${suffix}`;

const TIMEOUT_END = ':timeout';
/** A zset of permits and their deadlines beside the counter of an expirable semaphore. */
export const permitsKey = (key: Bytes): Bytes => suffixed(key, 'timeout');
/** The counter's key, where this may be the name of its permits. */
export const keyFromPermits = (name: Bytes): Bytes | null =>
  name.endsWith(TIMEOUT_END) ? keyFromDerived(name.slice(0, -TIMEOUT_END.length)) : null;

/** The lease of one of a reader's holds, counted from 1 (RedissonReadLock). */
export const readerLeaseKey = (key: Bytes, reader: Bytes, hold: number): Bytes =>
  suffixed(key, `${reader}:rwlock_timeout:${hold}`);

/** Where the read-write lock announces that it is free. */
export const readWriteChannel = (key: Bytes): Bytes => derived('redisson_rwlock:', key);

/** A waiter of the fair lock listens on this followed by its own id. */
export const waiterChannelPrefix = (key: Bytes): Bytes => `${derived(CHANNEL_PREFIX, key)}:`;

/**
 * The channels whose subscribers wait for a lock. node-redisson leaves the braces out only when the name
 * *starts* with `{`, so that for a name like `a{b}` the two libraries listen on different channels.
 * Its spelling is the last.
 */
export const channelSpellings = (key: Bytes): Bytes[] => spellings(CHANNEL_PREFIX, key);

/** Where free permits of a semaphore are announced, of either kind. */
export const semaphoreChannels = (key: Bytes): Bytes[] => spellings('redisson_sc:', key);

/** Where a latch announces that it is set, and that it is open; its braces are never left out. */
export const latchChannel = (key: Bytes): Bytes => `redisson_countdownlatch__channel__{${key}}`;

function spellings(prefix: Bytes, key: Bytes): Bytes[] {
  const java = derived(prefix, key);
  const node = key.startsWith('{') ? prefix + key : `${prefix}{${key}}`;
  return java === node ? [java] : [java, node];
}

/**
 * The lock's key out of a derived name's rest, or null when no name gives it. `{X}` is read as the key `X`:
 * the key `{X}` would give the same name, and plain names are the rule.
 */
export function keyFromDerived(rest: Bytes): Bytes | null {
  if (!rest.includes('{')) return null;
  const inner = rest.slice(1, -1);
  return rest.startsWith('{') && rest.endsWith('}') && !inner.includes('{') ? inner : rest;
}
