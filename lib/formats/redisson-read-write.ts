import type { Bytes } from '@/lib/protocol/bytes';
import { toMoment } from '@/lib/protocol/time';
import type {
  BesideKeys,
  Decoded,
  Holder,
  LockFormat,
  RawValue,
  ReleaseScript,
  RemovalScript,
  WakeScript,
} from './format';
import { isOwnOwner } from './qoder-owner';
import { decodeHolders, redisson, redissonCompanions } from './redisson';
import { readerLeaseKey, readWriteChannel } from './redisson-names';
import {
  fieldsOf,
  hashArguments,
  hashReleaseLua,
  QUEUE_LUA,
  WAKE_LUA,
  wakeLua,
  type WakeUp,
} from './redisson-scripts';
import { holderOf, reentryCount, UUID_NUMBER } from './token';

const WRITER = ':write';
/** More of one reader's holds are not looked at; more in all would make one read dear. */
const MAX_HOLDS = 16;
const MAX_LEASES = 64;

const isWriter = (owner: Bytes): boolean => owner.endsWith(WRITER);

type Mode = 'read' | 'write';

/** Mode and owners with their counts; null for any other hash. */
function contentOf(value: RawValue | null): { mode: Mode; owners: [Bytes, number][] } | null {
  let mode: Mode | null = null;
  const owners: [Bytes, number][] = [];
  for (const [field, text] of value?.type === 'hash' ? value.fields : []) {
    if (field === 'mode') {
      if (text !== 'read' && text !== 'write') return null;
      mode = text;
      continue;
    }
    const count = reentryCount(text);
    if (count === null || !UUID_NUMBER.test(field)) return null;
    owners.push([field, count]);
  }
  return mode !== null && owners.length > 0 ? { mode, owners } : null;
}

/** The leases of a reader's holds, the last taken first. */
const leasesOf = (key: Bytes, owner: Bytes, count: number): Bytes[] =>
  isWriter(owner)
    ? []
    : Array.from({ length: Math.max(0, Math.min(MAX_HOLDS, count)) }, (_, i) =>
        readerLeaseKey(key, owner, count - i),
      );

/** The leases of all readers: the last hold of each before the one before. */
function leaseKeys(key: Bytes, value: RawValue | null): Bytes[] {
  const readers = (contentOf(value)?.owners ?? []).map(([owner, count]) =>
    leasesOf(key, owner, count),
  );
  const keys: Bytes[] = [];
  for (let round = 0; round < MAX_HOLDS; round++) {
    for (const leases of readers) keys.push(...leases.slice(round, round + 1));
  }
  return keys.slice(0, MAX_LEASES);
}

/** A reader holds until the last of its leases ends; one whose leases are all gone holds nothing. */
function readHolder(
  [owner, count]: [Bytes, number],
  leases: readonly Bytes[],
  { now, beside }: { now: number; beside: BesideKeys | undefined },
): Holder {
  const match = UUID_NUMBER.exec(owner);
  const known = leases.flatMap((lease) => beside?.get(lease) ?? []);
  const remaining = known.flatMap(({ value, pttl }) => (value && pttl !== null ? [pttl] : []));
  const isGone =
    known.length > 0 && known.length === leases.length && known.every(({ value }) => !value);
  return holderOf(
    owner,
    { instance: match?.[1] ?? null, thread: match?.[2] ?? null },
    {
      depth: count,
      role: isWriter(owner) ? 'writer' : 'reader',
      deadline: remaining.length > 0 ? toMoment(now + Math.max(...remaining)) : null,
      stale: isGone,
    },
  );
}

function decode(
  key: Bytes,
  value: RawValue,
  context: { now: number; beside: BesideKeys | undefined },
): Decoded {
  const content = contentOf(value);
  if (!content) return decodeHolders(null);
  // The writer first: while it writes it is the holder, though it may read as well.
  const owners = content.owners.toSorted(([a], [b]) => Number(isWriter(b)) - Number(isWriter(a)));
  return decodeHolders(
    owners.map((owner) => readHolder(owner, leasesOf(key, owner[0], owner[1]), context)),
  );
}

/** `0` wakes one thread of each waiting instance, as after a read; `1` all of them, as after a write. */
const wakeUp = (key: Bytes, mode: Mode): WakeUp => {
  const channel = readWriteChannel(key);
  return {
    message: mode === 'read' ? '0' : '1',
    channels: [channel],
    waiterPrefix: `${channel}:`,
  };
};

const withLeases = ({ keys, args }: ReturnType<typeof hashArguments>, leases: Bytes[]) => ({
  keys: [...keys, ...leases],
  args,
});

/** The lock and the leases: refused for all or for none. */
const LOCK_AND_LEASES = 'KEYS[1], unpack(KEYS, 4)';

const RELEASE: ReleaseScript = {
  lua: hashReleaseLua({ gone: LOCK_AND_LEASES }),
  arguments: (key, seen, now) =>
    withLeases(
      hashArguments(key, wakeUp(key, contentOf(seen)?.mode ?? 'write'), {
        now,
        fields: fieldsOf(seen),
      }),
      leaseKeys(key, seen),
    ),
  repeatWake: null,
};

const WAKE: WakeScript = {
  lua: wakeLua(),
  arguments: (key, now) => hashArguments(key, wakeUp(key, 'write'), { now }),
};

/**
 * KEYS as in a release; ARGV: now, channel, prefix of a waiter's channel, owner, its count as seen. The last
 * owner takes the lock with it; where a writer leaves readers behind they go on as such (its own downgrade).
 */
const REMOVE: RemovalScript = {
  lua: `${WAKE_LUA}${QUEUE_LUA}
local lock, channel, owner = KEYS[1], ARGV[2], ARGV[4]
local kind = redis.call('TYPE', lock).ok
if kind == 'none' then return {0} end
local count = kind == 'hash' and redis.call('HGET', lock, owner)
if kind ~= 'hash' or (count and count ~= ARGV[5]) then return {-1} end
if not count then return {0} end
local wrote = string.sub(owner, -6) == '${WRITER}'
redis.call('HDEL', lock, '')
if wrote then redis.call('HSET', lock, 'mode', redis.call('HGET', lock, 'mode') or 'write') end
local is_last = redis.call('HLEN', lock) == redis.call('HEXISTS', lock, 'mode') + 1
local woken, gone = 0, 0
if is_last or wrote then
  woken = wake(channel, redis.call('HGET', lock, 'mode') == 'read' and '0' or '1')
  local heads, dead = wake_head(tonumber(ARGV[1]), ARGV[3])
  woken = woken + heads
  may_drop(dead)
  gone = dead
end
if is_last then
  redis.call('DEL', ${LOCK_AND_LEASES})
else
  if #KEYS > 3 then redis.call('DEL', unpack(KEYS, 4)) end
  redis.call('HDEL', lock, owner)
  if wrote then redis.call('HSET', lock, 'mode', 'read') end
end
drop(gone)
return {1, woken}`,
  arguments: (key, owner, { value, now }) => {
    const count = fieldsOf(value).find(([field]) => field === owner)?.[1] ?? '';
    const { keys } = hashArguments(key, wakeUp(key, 'read'), { now });
    const channel = readWriteChannel(key);
    return {
      keys: [...keys, ...leasesOf(key, owner, reentryCount(count) ?? 0)],
      args: [now, channel, `${channel}:`, owner, count],
    };
  },
};

/**
 * Redisson's read-write lock (RedissonReadLock, RedissonWriteLock): a hash with `mode`, readers
 * `<client uuid>:<thread>` and a writer `<client uuid>:<thread>:write`; each hold of a reader has a lease of its own.
 */
export const redissonReadWrite: LockFormat = {
  ...redisson,
  id: 'redisson-read-write',
  name: 'Redisson read-write lock',
  kind: 'read-write',
  recognise: (_key, value) => {
    const content = contentOf(value);
    if (!content || content.owners.some(([owner]) => isOwnOwner(owner))) return null;
    return { certainty: 'certain', because: { id: 'mode-field' } };
  },
  decode: (key, value, { now, beside }) => decode(key, value, { now, beside }),
  beside: leaseKeys,
  companions: (key) => ({ ...redissonCompanions(key), channels: [readWriteChannel(key)] }),
  release: RELEASE,
  wake: WAKE,
  removeMember: REMOVE,
  releaseNotes: ['release-deletes', 'wakes-waiters', 'watchdog-stops', 'one-reader'],
};
