import type { Decoded, LockFormat, ReleaseScript, WakeScript } from './format';
import {
  COMPARE_COUNTER_LUA,
  COUNTER,
  countIn,
  NO_COUNTER,
  recogniseCounter,
} from './redisson-counter';
import { latchChannel } from './redisson-names';
import { WAKE_LUA } from './redisson-scripts';
import { unnamedHolder } from './token';

const ID = 'redisson-latch';

function decode(count: number | null): Decoded {
  if (count === null) return NO_COUNTER;
  return {
    holders: count > 0 ? [unnamedHolder({ depth: count })] : [],
    broken: null,
    fence: null,
    permits: { total: null, free: null },
  };
}

/** Opens the latch as its last count-down does. ARGV: the count as seen, the channel. */
const RELEASE: ReleaseScript = {
  lua: `${WAKE_LUA}${COMPARE_COUNTER_LUA}
local woken = wake(ARGV[2], '0')
redis.call('DEL', KEYS[1])
return {1, woken}`,
  arguments: (key, seen) => ({
    keys: [key],
    args: [seen.type === 'string' ? seen.bytes : '', latchChannel(key)],
  }),
  repeatWake: null,
};

const WAKE: WakeScript = {
  lua: `${WAKE_LUA}
if redis.call('EXISTS', KEYS[1]) == 1 then return {-1} end
local woken = wake(ARGV[1], '0')
if woken == 0 then return {0} end
return {1, woken}`,
  arguments: (key) => ({ keys: [key], args: [latchChannel(key)] }),
};

/** Redisson's RCountDownLatch: how often it must still be counted down; the key goes with the last. */
export const redissonLatch: LockFormat = {
  ...COUNTER,
  id: ID,
  name: 'Redisson latch',
  kind: 'latch',
  recognise: (key, value, context) => {
    if (countIn(value) === null) return null;
    const traits = { id: ID, channels: [latchChannel(key)], suffix: ':countdownlatch' };
    return recogniseCounter(key, traits, context);
  },
  decode: (_key, value) => decode(countIn(value)),
  companions: (key) => ({ queue: null, channels: [latchChannel(key)] }),
  release: RELEASE,
  wake: WAKE,
  releaseNotes: ['latch-opens', 'wakes-all', 'nobody-named'],
};
