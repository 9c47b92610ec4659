import type { Bytes } from '@/lib/protocol/bytes';
import { toMoment } from '@/lib/protocol/time';
import type {
  BesideKeys,
  Decoded,
  Holder,
  LockFormat,
  ReleaseScript,
  RemovalScript,
  WakeScript,
} from './format';
import { COUNTER, countIn, NO_COUNTER, recogniseCounter } from './redisson-counter';
import { permitsKey, semaphoreChannels } from './redisson-names';
import { WAKE_LUA } from './redisson-scripts';
import { hexOf } from './raw-bytes';
import { holderOf } from './token';

const ID = 'redisson-permits';
const SUFFIX = ':permitexpirablesemaphore';
const PERMIT_BYTES = 16;
/** The score of a permit that was taken without a lease (RedissonPermitExpirableSemaphore). */
const NEVER = 922_337_203_685_477;

interface Permits {
  members: readonly [Bytes, number][];
  /** Of all of them; the members may be cut. */
  size: number;
}

const NO_PERMITS: Permits = { members: [], size: 0 };

function permitsBeside(key: Bytes, beside: BesideKeys | undefined): Permits {
  const value = beside?.get(permitsKey(key))?.value;
  return value?.type === 'zset' ? value : NO_PERMITS;
}

function readPermit([permit, score]: [Bytes, number], now: number): Holder {
  const deadline = score >= NEVER ? null : toMoment(score);
  return holderOf(
    permit,
    { id: hexOf(permit) },
    { role: 'permit', deadline, stale: deadline !== null && deadline <= now },
  );
}

/** Expired permits come back when somebody next asks for one: until then they are neither held nor free. */
function decode(free: number | null, { members, size }: Permits, now: number): Decoded {
  if (free === null) return NO_COUNTER;
  return {
    holders: members.map((permit) => readPermit(permit, now)),
    broken: null,
    fence: null,
    permits: { total: free + size, free: Math.max(0, free) },
  };
}

/**
 * KEYS: counter, permits. ARGV: number of channels, the channels, the permits to give back. They must all be
 * held still. A permit taken out and not given back would be lost for good, so whether it may be counted up is tried
 * first.
 */
const GIVE_BACK = `${WAKE_LUA}
if redis.call('EXISTS', KEYS[1]) == 0 or redis.call('EXISTS', KEYS[2]) == 0 then return {0} end
if redis.call('TYPE', KEYS[1]).ok ~= 'string' or redis.call('TYPE', KEYS[2]).ok ~= 'zset' then return {-1} end
local channels = tonumber(ARGV[1])
local first = 2 + channels
local count = #ARGV - first + 1
for i = first, #ARGV do
  if not redis.call('ZSCORE', KEYS[2], ARGV[i]) then return {-1} end
end
if count == 0 then return {-1} end
local free = tonumber(redis.call('GET', KEYS[1]))
if not free then return {-1} end
redis.call('INCRBY', KEYS[1], 0)
local woken = wake_all(2, channels, string.format('%d', math.max(1, free + count)))
for i = first, #ARGV do redis.call('ZREM', KEYS[2], ARGV[i]) end
redis.call('INCRBY', KEYS[1], count)
return {1, woken}`;

function giveBackArguments(key: Bytes, permits: readonly Bytes[]) {
  const channels = semaphoreChannels(key);
  return {
    keys: [key, permitsKey(key)],
    args: [channels.length, ...channels, ...permits],
  };
}

const RELEASE: ReleaseScript = {
  lua: GIVE_BACK,
  arguments: (key, _seen, _now, beside) =>
    giveBackArguments(
      key,
      permitsBeside(key, beside).members.map(([permit]) => permit),
    ),
  repeatWake: null,
};

const REMOVE: RemovalScript = {
  lua: `
if redis.call('TYPE', KEYS[2]).ok == 'zset' and not redis.call('ZSCORE', KEYS[2], ARGV[#ARGV]) then
  return {0}
end${GIVE_BACK}`,
  arguments: (key, permit) => giveBackArguments(key, [permit]),
};

/** Whoever is woken first takes back what has expired. ARGV: now, then the channels. */
const WAKE: WakeScript = {
  lua: `${WAKE_LUA}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
local free = kind == 'string' and tonumber(redis.call('GET', KEYS[1])) or 0
if redis.call('TYPE', KEYS[2]).ok == 'zset' then
  free = free + redis.call('ZCOUNT', KEYS[2], 0, ARGV[1])
end
if free < 1 then return {-1} end
local woken = wake_all(2, #ARGV - 1, string.format('%d', free))
if woken == 0 then return {0} end
return {1, woken}`,
  arguments: (key, now) => ({
    keys: [key, permitsKey(key)],
    args: [now, ...semaphoreChannels(key)],
  }),
};

/** Redisson's RPermitExpirableSemaphore: free permits in a counter, those taken in a zset beside it. */
export const redissonPermits: LockFormat = {
  ...COUNTER,
  id: ID,
  name: 'Redisson expirable semaphore',
  kind: 'semaphore',
  recognise: (key, value, context) => {
    if (countIn(value) === null) return null;
    const { members } = permitsBeside(key, context.beside);
    if (members.length > 0 && members.every(([permit]) => permit.length === PERMIT_BYTES)) {
      return { certainty: 'certain', because: { id: 'timeout-zset' } };
    }
    return recogniseCounter(key, { id: ID, channels: [], suffix: SUFFIX }, context);
  },
  decode: (key, value, { now, beside }) => decode(countIn(value), permitsBeside(key, beside), now),
  beside: (key, value) =>
    countIn(value) !== null || (value === null && key.endsWith(SUFFIX)) ? [permitsKey(key)] : [],
  companions: (key) => ({ queue: null, channels: semaphoreChannels(key) }),
  ownLeases: true,
  release: RELEASE,
  wake: WAKE,
  removeMember: REMOVE,
  releaseNotes: ['permits-returned', 'wakes-waiters', 'unlock-fails', 'no-lease'],
};
