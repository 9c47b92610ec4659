import type { Bytes } from '@/lib/protocol/bytes';
import {
  NOISE,
  type Companions,
  type Decoded,
  type Holder,
  type LockFormat,
  type RawValue,
  type SideKey,
} from './format';
import {
  channelSpellings,
  FENCE_PREFIX,
  fenceKey,
  keyFromDerived,
  keyFromPermits,
  LATCH_PREFIX,
  QUEUE_PREFIX,
  queueKey,
  TIMEOUTS_PREFIX,
  timeoutsKey,
  wishesKey,
  waiterChannelPrefix,
} from './redisson-names';
import { inboxOf } from './qoder-owner';
import { RELEASE_HASH, WAKE_HASH } from './redisson-scripts';
import { holderOf, reentryCount, UUID_NUMBER, UUID_SOURCE } from './token';

/** `<client uuid>:<thread>[:<transaction>]`. */
function readHolder(field: Bytes, depth: number): Holder | null {
  const match = UUID_NUMBER.exec(field);
  return match && holderOf(field, { instance: match[1], thread: match[2] }, { depth });
}

/**
 * The holders of a hash whose every field reads as one and whose values are counts; null for any other
 * hash (a read-write lock has a field `mode`, a multi-lock has base64 fields).
 */
export function hashHolders(
  value: RawValue | null,
  read: (field: Bytes, depth: number) => Holder | null,
): Holder[] | null {
  if (value?.type !== 'hash' || value.truncated || value.fields.length === 0) return null;
  const holders: Holder[] = [];
  for (const [field, count] of value.fields) {
    const depth = reentryCount(count);
    const holder = depth === null ? null : read(field, depth);
    if (!holder) return null;
    holders.push(holder);
  }
  return holders;
}

export function decodeHolders(holders: Holder[] | null): Decoded {
  if (holders) return { holders, broken: null, fence: null };
  return { holders: [], broken: 'key is used for something else', fence: null };
}

/** The names around a lock in Redisson's layout, whichever of its kinds it is. */
export function redissonCompanions(key: Bytes): Companions {
  const prefix = waiterChannelPrefix(key);
  return {
    queue: {
      list: queueKey(key),
      timeouts: timeoutsKey(key),
      wishes: wishesKey(key),
      waiterChannel: (owner) => inboxOf(owner) ?? prefix + owner,
    },
    channels: channelSpellings(key),
    fence: fenceKey(key),
  };
}

const SIDE_PREFIXES = [QUEUE_PREFIX, TIMEOUTS_PREFIX];
/** A reader's lease: `{NAME}:<reader>:rwlock_timeout:<hold>`. */
const RWLOCK_TIMEOUT = ':rwlock_timeout:';
const MOST_DIGITS = 24;
const READER_LEASE = new RegExp(
  `^([\\s\\S]+):${UUID_SOURCE}:-?\\d{1,20}(?::[^:]+)?:rwlock_timeout:\\d+$`,
);
/** Longer names are no leases of a reader: what was searched for them would be dear. */
const MAX_LEASE_NAME = 1024;

function isDigitAt(key: Bytes, at: number): boolean {
  const code = key.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}

/** Without a regular expression: asked for every event on any key, many of which end in a number. */
function isLeaseName(key: Bytes): boolean {
  const least = Math.max(0, key.length - MOST_DIGITS);
  let end = key.length;
  while (end > least && isDigitAt(key, end - 1)) end--;
  return key.endsWith(RWLOCK_TIMEOUT, end);
}

function leaseParent(key: Bytes): SideKey {
  const match = key.length > MAX_LEASE_NAME ? null : READER_LEASE.exec(key);
  return match ? { parent: keyFromDerived(match[1] ?? '') } : NOISE;
}

function readSideKey(key: Bytes): SideKey | null {
  if (key.startsWith('redisson_')) {
    for (const prefix of SIDE_PREFIXES) {
      if (key.startsWith(prefix)) return { parent: keyFromDerived(key.slice(prefix.length)) };
    }
    // It moves in the step that takes the lock, whose own event has the lock read.
    if (key.startsWith(LATCH_PREFIX) || key.startsWith(FENCE_PREFIX)) return NOISE;
  }
  if (isDigitAt(key, key.length - 1)) return isLeaseName(key) ? leaseParent(key) : null;
  const counter = keyFromPermits(key);
  return counter === null ? null : { parent: counter };
}

/** What locks in Redisson's layout have in common, whichever library's they are. */
export const redissonLayout: LockFormat = {
  id: 'redisson',
  name: 'Redisson',
  kind: 'mutex',
  type: 'hash',
  prefixes: [],
  matchesKey: () => true,
  nameIsProof: false,
  recognise: (_key, value) =>
    hashHolders(value, readHolder) && {
      certainty: 'certain',
      because: { id: 'hash-uuid-thread' },
    },
  decode: (_key, value) => decodeHolders(hashHolders(value, readHolder)),
  companions: redissonCompanions,
  sideKeys: { prefixes: SIDE_PREFIXES, read: readSideKey },
  expiry: 'always',
  renewal: 'expire',
  // lockWatchdogTimeout, where nobody changed it; with a leaseTime of its own a lock is never renewed.
  watchdog: { leaseMs: 30_000 },
  waiters: 'pubsub',
  shorterLeaseMeansFinished: false,
  release: RELEASE_HASH,
  releaseNotes: ['release-deletes', 'wakes-waiters', 'watchdog-stops', 'fencing-kept'],
  readOnly: false,
};

/** Redisson RLock, also its spin and fenced kinds (RedissonLock, RedissonBaseLock). */
export const redisson: LockFormat = { ...redissonLayout, wake: WAKE_HASH };
