import type { Bytes } from '@/lib/protocol/bytes';
import type { BesideKeys, Decoded, LockFormat, ReleaseScript, WakeScript } from './format';
import {
  COMPARE_COUNTER_LUA,
  COUNTER,
  countIn,
  NO_COUNTER,
  recogniseCounter,
} from './redisson-counter';
import { permitsKey, semaphoreChannels } from './redisson-names';
import { WAKE_LUA } from './redisson-scripts';
import { unnamedHolder } from './token';

const ID = 'redisson-semaphore';

const hasPermits = (key: Bytes, beside: BesideKeys | undefined): boolean =>
  beside?.get(permitsKey(key))?.value?.type === 'zset';

/** Somebody holds every permit there is, or nobody is kept out. */
function decode(free: number | null): Decoded {
  if (free === null) return NO_COUNTER;
  const permits = { total: null, free: Math.max(0, free) };
  return { holders: free > 0 ? [] : [unnamedHolder()], broken: null, fence: null, permits };
}

/**
 * One permit more; the number in the message is how many threads an instance may wake. ARGV: the count as
 * seen, then the channels.
 */
const RELEASE: ReleaseScript = {
  lua: `${WAKE_LUA}${COMPARE_COUNTER_LUA}
local free = string.format('%d', math.max(1, tonumber(ARGV[1]) + 1))
local woken = wake_all(2, #ARGV - 1, free)
redis.call('INCRBY', KEYS[1], 1)
return {1, woken}`,
  arguments: (key, seen) => ({
    keys: [key],
    args: [seen.type === 'string' ? seen.bytes : '', ...semaphoreChannels(key)],
  }),
  repeatWake: null,
};

const WAKE: WakeScript = {
  lua: `${WAKE_LUA}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
local free = kind == 'string' and tonumber(redis.call('GET', KEYS[1])) or 0
if free < 1 then return {-1} end
local woken = wake_all(1, #ARGV, string.format('%d', free))
if woken == 0 then return {0} end
return {1, woken}`,
  arguments: (key) => ({ keys: [key], args: semaphoreChannels(key) }),
};

/** Redisson's RSemaphore: the number of free permits, and nothing of who holds the others. */
export const redissonSemaphore: LockFormat = {
  ...COUNTER,
  id: ID,
  name: 'Redisson semaphore',
  kind: 'semaphore',
  recognise: (key, value, context) => {
    if (countIn(value) === null || hasPermits(key, context.beside)) return null;
    const traits = { id: ID, channels: semaphoreChannels(key), suffix: ':semaphore' };
    return recogniseCounter(key, traits, context);
  },
  decode: (_key, value) => decode(countIn(value)),
  companions: (key) => ({ queue: null, channels: semaphoreChannels(key) }),
  release: RELEASE,
  wake: WAKE,
  releaseNotes: ['adds-permit', 'wakes-waiters', 'nobody-named'],
};
