import { INBOX } from '@/lib/lock/names';
import type { Bytes } from '@/lib/protocol/bytes';
import type { RawValue, ReleaseScript, WakeScript } from './format';
import { channelSpellings, queueKey, timeoutsKey, waiterChannelPrefix } from './redisson-names';

/**
 * All scripts check first, publish next and delete last: whatever Redis may refuse (a channel, another
 * type, a command) is refused before anything has changed. Where two commands change something, the second is
 * tried before in a form that changes nothing.
 */

/** Redisson listens to sharded channels in clusters of 7.0 and later; elsewhere nobody hears of those. */
export const WAKE_LUA = `
local function wake(channel, message)
  local woken = redis.call('PUBLISH', channel, message)
  local sharded = redis.pcall('SPUBLISH', channel, message)
  if type(sharded) == 'number' then woken = woken + sharded end
  return woken
end
local function wake_all(first, count, message)
  local woken = 0
  for i = first, first + count - 1 do woken = woken + wake(ARGV[i], message) end
  return woken
end`;

/**
 * First queue entry whose deadline has not passed, and how many stand dead before it. A task of our own
 * client (version 8 of the uuid) hears in its inbox, any other owner on a channel of its own.
 */
export const QUEUE_LUA = `
local function live_head(list, timeouts, now)
  if redis.call('TYPE', list).ok ~= 'list' then return false, 0 end
  local scored = redis.call('TYPE', timeouts).ok == 'zset'
  local dead = 0
  while true do
    local head = redis.call('LINDEX', list, dead)
    if not head then return false, dead end
    local score = scored and redis.call('ZSCORE', timeouts, head)
    if not score or tonumber(score) > now then return head, dead end
    dead = dead + 1
  end
end
local function wake_owner(owner, prefix, lock)
  if string.sub(owner, 15, 15) ~= '8' or string.byte(owner, 37) ~= 58 then
    return wake(prefix .. owner, '0')
  end
  local text = 'try ' .. string.sub(owner, 38) .. ' ' .. lock
  return redis.call('PUBLISH', '${INBOX}' .. string.sub(owner, 1, 36), text)
end
local function wake_head(now, prefix)
  local head, dead = live_head(KEYS[2], KEYS[3], now)
  return head and wake_owner(head, prefix, KEYS[1]) or 0, dead
end
local function may_drop(dead)
  if dead == 0 then return end
  redis.call('LPOP', KEYS[2], 0)
  redis.call('ZREM', KEYS[3], '')
end
local function drop(dead)
  for i = 1, dead do redis.call('ZREM', KEYS[3], redis.call('LPOP', KEYS[2])) end
end`;

/** Every field and count of the hash must be as seen; `first` is the index of the first of them in ARGV. */
const COMPARE_HASH_LUA = `
local function differs(first)
  if redis.call('HLEN', KEYS[1]) ~= (#ARGV - first + 1) / 2 then return true end
  for i = first, #ARGV, 2 do
    if redis.call('HGET', KEYS[1], ARGV[i]) ~= ARGV[i + 1] then return true end
  end
  return false
end`;

const HEAD = WAKE_LUA + QUEUE_LUA;

/** ARGV of all that follow: now, message, number of channels, the channels, a waiter's channel, the fields. */
const READ_ARGUMENTS = `
local now, message, channels = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
local prefix = ARGV[4 + channels]`;

/**
 * A hash in Redisson's layout: every field and count must still be as seen; dead heads of the fair queue go,
 * the lock goes, and its channel and the new head's hear of it. The fencing counter is never touched.
 * KEYS: the lock, its queue, the queue's deadlines. `rest` runs before the lock is deleted and knows `woken`;
 * `gone` are the keys that go.
 */
export const hashReleaseLua = ({
  rest = '',
  gone = 'KEYS[1]',
} = {}): string => `${HEAD}${COMPARE_HASH_LUA}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'hash' then return {-1} end${READ_ARGUMENTS}
if differs(5 + channels) then return {-1} end
local woken = wake_all(4, channels, message)
local heads, dead = wake_head(now, prefix)
woken = woken + heads
may_drop(dead)${rest}
redis.call('DEL', ${gone})
drop(dead)
return {1, woken}`;

/** The same for a lock that is free: dead heads of its queue go, and whoever waits hears of it. */
export const wakeLua = (rest = ''): string => `${HEAD}
if redis.call('EXISTS', KEYS[1]) == 1 then return {-1} end${READ_ARGUMENTS}
local woken = wake_all(4, channels, message)
local heads, dead = wake_head(now, prefix)
woken = woken + heads
may_drop(dead)${rest}
drop(dead)
if woken == 0 and dead == 0 then return {0} end
return {1, woken}`;

/** What a lock's waiters listen to, and hear. */
export interface WakeUp {
  message: Bytes;
  channels: readonly Bytes[];
  /** A waiter's own channel begins with it. */
  waiterPrefix: Bytes;
}

/** KEYS and ARGV of the scripts above; `fields` are those of the hash as seen. */
export const hashArguments = (
  key: Bytes,
  { message, channels, waiterPrefix }: WakeUp,
  { now, fields = [] }: { now: number; fields?: readonly [Bytes, Bytes][] },
) => ({
  keys: [key, queueKey(key), timeoutsKey(key)],
  args: [now, message, channels.length, ...channels, waiterPrefix, ...fields.flat()],
});

export const fieldsOf = (seen: RawValue): readonly [Bytes, Bytes][] =>
  seen.type === 'hash' ? seen.fields : [];

/** Where waiters of a plain or fair lock listen. */
export const lockWakeUp = (key: Bytes): WakeUp => ({
  message: '0',
  channels: channelSpellings(key),
  waiterPrefix: waiterChannelPrefix(key),
});

export const RELEASE_HASH: ReleaseScript = {
  lua: hashReleaseLua(),
  arguments: (key, seen, now) =>
    hashArguments(key, lockWakeUp(key), { now, fields: fieldsOf(seen) }),
  repeatWake: null,
};

export const WAKE_HASH: WakeScript = {
  lua: wakeLua(),
  arguments: (key, now) => hashArguments(key, lockWakeUp(key), { now }),
};

/**
 * Takes one waiter out of a fair queue and wakes the first live one behind it.
 * Returns `{1, woken}`, or `{0}` when that owner does not stand in the queue.
 */
export const DROP_WAITER = {
  lua: `${HEAD}
if redis.call('TYPE', KEYS[1]).ok ~= 'list' then return {0} end
local scored = redis.call('TYPE', KEYS[2]).ok == 'zset'
local queued, next = false, nil
for _, waiter in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if waiter == ARGV[1] then
    queued = true
  elseif not next then
    local score = scored and redis.call('ZSCORE', KEYS[2], waiter)
    if not score or tonumber(score) > tonumber(ARGV[2]) then next = waiter end
  end
end
if not queued then return {0} end
if scored then redis.call('ZREM', KEYS[2], '') end
local woken = next and wake_owner(next, ARGV[3], ARGV[4]) or 0
redis.call('LREM', KEYS[1], 0, ARGV[1])
if scored then redis.call('ZREM', KEYS[2], ARGV[1]) end
return {1, woken}`,
  arguments: (
    key: Bytes,
    owner: Bytes,
    now: number,
  ): { keys: Bytes[]; args: (Bytes | number)[] } => ({
    keys: [queueKey(key), timeoutsKey(key)],
    args: [owner, now, waiterChannelPrefix(key), key],
  }),
};
