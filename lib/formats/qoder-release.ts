import { INBOX } from '@/lib/lock/names';
import type { Bytes } from '@/lib/protocol/bytes';
import type { ReleaseScript, WakeScript } from './format';
import { isOwnOwner } from './qoder-owner';
import {
  channelSpellings,
  queueKey,
  readWriteChannel,
  timeoutsKey,
  waiterChannelPrefix,
} from './redisson-names';
import { RELEASE_STRING, STRING_RELEASE_LUA } from './release-scripts';

/** Readers that stand at the head together go in together; more than this find out by themselves. */
const MOST_WOKEN = 64;

/**
 * KEYS: the lock, its queue, the queue's deadlines, then keys that go with the lock. ARGV: type, number of
 * channels, channels, prefix of a waiter's channel; then what was seen.
 *
 * Whoever heads the queue is asked to attempt again (`try`) and not granted the lock here: a console needs
 * no right to write holders then. Deadlines in the queue are by Redis's clock, so that is what they are
 * compared with. A lost `try` costs half a second: the waiters' next beat hands the lock on.
 */
const own = (guard: string): string => `
local lock, queue, timeouts = KEYS[1], KEYS[2], KEYS[3]
local channels = tonumber(ARGV[2])
local seen = 4 + channels
local kind = redis.call('TYPE', lock).ok
${guard}
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local woken = 0

local function is_ours(owner)
  return string.match(owner, '^%x+%-%x+%-8%x+%-%x+%-%x+:%d') ~= nil and string.byte(owner, 37) == 58
end
local function tell(owner, word)
  local text = word .. ' ' .. string.sub(owner, 38) .. ' ' .. lock
  return redis.call('PUBLISH', '${INBOX}' .. string.sub(owner, 1, 36), text)
end
local function wake(owner)
  if is_ours(owner) then woken = woken + tell(owner, 'try')
  else woken = woken + redis.call('PUBLISH', ARGV[seen - 1] .. owner, '0') end
end
local function is_reader(owner) return string.sub(owner, -6) ~= ':write' end

-- Wakes the first living waiters, 'together' decides how many; returns how many dead ones stand first.
local function wake_heads(together)
  if redis.call('TYPE', queue).ok ~= 'list' then return 0 end
  local scored = redis.call('TYPE', timeouts).ok == 'zset'
  local dead, awake, first = 0, 0, nil
  for at, owner in ipairs(redis.call('LRANGE', queue, 0, ${MOST_WOKEN - 1})) do
    local score = scored and redis.call('ZSCORE', timeouts, owner)
    if score and tonumber(score) <= now then
      if awake == 0 then dead = at end
    elseif awake > 0 and not together(awake, first, owner) then
      break
    else
      first = first or owner
      awake = awake + 1
      wake(owner)
    end
  end
  return dead
end
local function announce(word)
  for i = 1, channels do woken = woken + redis.call('PUBLISH', ARGV[2 + i], word) end
end
-- A user who may not take the dead out is refused before anything has changed.
local function may_drop(dead)
  if dead == 0 then return end
  redis.call('LPOP', queue, 0)
  redis.call('ZREM', timeouts, '')
end
local function drop(dead)
  for i = 1, dead do redis.call('ZREM', timeouts, redis.call('LPOP', queue)) end
end
`;

const OWN = own(`if kind == 'none' then return {0} end
if kind ~= ARGV[1] then return {-1} end`);

/** Of a lock that is free. ARGV[1]: what its channels are told. */
const wakeLua = (together: string): string => `${own(`if kind ~= 'none' then return {-1} end`)}
announce(ARGV[1])
local dead = wake_heads(function(_, first, owner) return ${together} end)
may_drop(dead)
drop(dead)
if woken == 0 and dead == 0 then return {0} end
return {1, woken}`;

const COMPARE_HASH = `
if redis.call('HLEN', lock) ~= (#ARGV - seen + 1) / 2 then return {-1} end
for i = seen, #ARGV, 2 do
  if redis.call('HGET', lock, ARGV[i]) ~= ARGV[i + 1] then return {-1} end
end
for i = seen, #ARGV, 2 do
  if is_ours(ARGV[i]) then tell(ARGV[i], 'revoked') end
end
local shared = redis.call('HEXISTS', lock, 'mode') == 1
announce(shared and '1' or '0')
local dead = wake_heads(function(_, first, owner)
  return shared and is_reader(first) and is_reader(owner)
end)
may_drop(dead)
redis.call('DEL', lock, unpack(KEYS, 4))
drop(dead)
return {1, woken}`;

const COMPARE_MEMBERS = `
for i = seen, #ARGV do
  if not redis.call('ZSCORE', lock, ARGV[i]) then return {-1} end
end
for i = seen, #ARGV do
  if is_ours(ARGV[i]) then tell(ARGV[i], 'revoked') end
end
local removed = #ARGV - seen + 1
local dead = wake_heads(function(awake) return awake < removed end)
may_drop(dead)
for i = seen, #ARGV do redis.call('ZREM', lock, ARGV[i]) end
drop(dead)
return {1, woken}`;

interface Seen {
  /** The type seen; of a wake-up, what its channels are told. */
  type: string;
  /** Where clients of other libraries wait, and what a waiter's own channel begins with. */
  channels: Bytes[];
  waiterPrefix: Bytes;
  parts: Bytes[];
  /** Keys that go with the lock. */
  others?: Bytes[];
}

const argumentsFor = (key: Bytes, { type, channels, waiterPrefix, parts, others = [] }: Seen) => ({
  keys: [key, queueKey(key), timeoutsKey(key), ...others],
  args: [type, channels.length, ...channels, waiterPrefix, ...parts],
});

/** A read-write lock has a channel of its own, as in Redisson. */
function channelsOf(key: Bytes, fields: readonly [Bytes, Bytes][]) {
  if (!fields.some(([field]) => field === 'mode')) {
    return { channels: channelSpellings(key), waiterPrefix: waiterChannelPrefix(key) };
  }
  const channel = readWriteChannel(key);
  return { channels: [channel], waiterPrefix: `${channel}:` };
}

/** The leases of a read-write lock's readers: a string for each of a reader's holds (RedissonReadLock). */
function readerLeases(key: Bytes, fields: readonly [Bytes, Bytes][]): Bytes[] {
  if (!fields.some(([field, text]) => field === 'mode' && text === 'read')) return [];
  const slot = key.includes('{') ? key : `{${key}}`;
  return fields.flatMap(([owner, count]) =>
    isOwnOwner(owner)
      ? Array.from({ length: Math.min(MOST_WOKEN, Number(count) || 0) }, (_, i) => {
          return `${slot}:${owner}:rwlock_timeout:${i + 1}`;
        })
      : [],
  );
}

/**
 * A lock of our own client. The whole hash must still be as seen; its owners are told `revoked`, the channels
 * `0` (`1` for a read-write lock), and the first living waiters `try`. A string is compared and deleted: nobody listens for those.
 */
export const RELEASE_OWN: ReleaseScript = {
  lua: `if ARGV[1] == 'string' then ${STRING_RELEASE_LUA(2)} end
${OWN}${COMPARE_HASH}`,
  arguments: (key, seen, now) => {
    if (seen.type === 'string') {
      const { keys, args } = RELEASE_STRING.arguments(key, seen, now);
      return { keys, args: ['string', ...args] };
    }
    const fields = seen.type === 'hash' ? seen.fields : [];
    return argumentsFor(key, {
      ...{ type: 'hash', parts: fields.flat(), others: readerLeases(key, fields) },
      ...channelsOf(key, fields),
    });
  },
  repeatWake: null,
};

/** A semaphore of our own client: the members seen must all still be there; others stay. */
export const RELEASE_OWN_MEMBERS: ReleaseScript = {
  lua: OWN + COMPARE_MEMBERS,
  arguments: (key, seen) =>
    argumentsFor(key, {
      ...{ type: 'zset', channels: [], waiterPrefix: waiterChannelPrefix(key) },
      parts: seen.type === 'zset' ? seen.members.map(([member]) => member) : [],
    }),
  repeatWake: null,
};

/** Wakes the first living waiter of a free lock, and clients of other libraries. */
export const WAKE_OWN: WakeScript = {
  lua: wakeLua('false'),
  arguments: (key) =>
    argumentsFor(key, {
      ...{ type: '0', channels: channelSpellings(key), parts: [] },
      waiterPrefix: waiterChannelPrefix(key),
    }),
};

/** The same of a read-write lock: readers that stand at the head together are all woken. */
export const WAKE_OWN_READERS: WakeScript = {
  lua: wakeLua('is_reader(first) and is_reader(owner)'),
  arguments: (key) => {
    const channel = readWriteChannel(key);
    return argumentsFor(key, {
      ...{ type: '1', channels: [channel], parts: [] },
      waiterPrefix: `${channel}:`,
    });
  },
};

/** The same of a semaphore: nothing says how many places it has, so that all are woken who may find one. */
export const WAKE_OWN_MEMBERS: WakeScript = {
  lua: wakeLua('true'),
  arguments: (key) =>
    argumentsFor(key, {
      ...{ type: '', channels: [], parts: [] },
      waiterPrefix: waiterChannelPrefix(key),
    }),
};
