import { INBOX } from '@/lib/lock/names';
import type { Bytes } from '@/lib/protocol/bytes';
import type { ReleaseScript, RawValue } from './format';
import { channelSpellings, queueKey, timeoutsKey, waiterChannelPrefix } from './redisson-names';

/**
 * All scripts check first, publish next and delete last: whatever Redis may refuse (a channel, another
 * type) is refused before anything has changed.
 */

/** `at` is the index of the value in ARGV. */
export const STRING_RELEASE_LUA = (at: number): string => `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'string' or redis.call('GET', KEYS[1]) ~= ARGV[${at}] then return {-1} end
redis.call('DEL', KEYS[1])
return {1, -1}`;

/** Redisson listens to sharded channels (SPUBLISH) in clusters only, which are not watched. */
const PUBLISH = `
local function wake(channel)
  return redis.call('PUBLISH', channel, '0')
end`;

/** First queue entry whose deadline has not passed, and how many stand dead before it. */
const LIVE_HEAD = `
local function liveHead(list, timeouts, now)
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
end`;

/** `at` is the index of `now` in ARGV; channel count, channels, waiter channel prefix and fields follow. */
const compareHash = (at: number): string => `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'hash' then return {-1} end
local now, channels = tonumber(ARGV[${at}]), tonumber(ARGV[${at + 1}])
local fields = ${at + 3} + channels
if redis.call('HLEN', KEYS[1]) ~= (#ARGV - fields + 1) / 2 then return {-1} end
for i = fields, #ARGV, 2 do
  if redis.call('HGET', KEYS[1], ARGV[i]) ~= ARGV[i + 1] then return {-1} end
end
local woken = 0
for i = 1, channels do woken = woken + wake(ARGV[${at + 1} + i]) end
local head, dead = liveHead(KEYS[2], KEYS[3], now)
if head then woken = woken + wake(ARGV[fields - 1] .. head) end
for i = 1, dead do redis.call('ZREM', KEYS[3], redis.call('LPOP', KEYS[2])) end
redis.call('DEL', KEYS[1])
return {1, woken}`;

const hashArguments = (key: Bytes, seen: RawValue, now: number) => {
  const channels = channelSpellings(key);
  const fields = seen.type === 'hash' ? seen.fields.flat() : [];
  return {
    keys: [key, queueKey(key), timeoutsKey(key)],
    args: [now, channels.length, ...channels, waiterChannelPrefix(key), ...fields],
  };
};

/** A string lock: the whole value must still be the one seen. Nobody listens, so nobody is woken. */
export const RELEASE_STRING: ReleaseScript = {
  lua: STRING_RELEASE_LUA(1),
  arguments: (key, seen) => ({ keys: [key], args: [seen.type === 'string' ? seen.bytes : ''] }),
  repeatWake: null,
};

/**
 * A hash in Redisson's layout: every field and count must still be as seen; dead heads of the fair queue go,
 * the lock goes, and its channel and the new head's get `0`. The fencing counter is never touched.
 */
export const RELEASE_HASH: ReleaseScript = {
  lua: PUBLISH + LIVE_HEAD + compareHash(1),
  arguments: hashArguments,
  repeatWake: null,
};

/** A semaphore: the members seen must all still be there; others stay. Scores change with each refresh. */
export const RELEASE_MEMBERS: ReleaseScript = {
  lua: `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'zset' then return {-1} end
for i = 1, #ARGV do
  if not redis.call('ZSCORE', KEYS[1], ARGV[i]) then return {-1} end
end
for i = 1, #ARGV do redis.call('ZREM', KEYS[1], ARGV[i]) end
return {1, -1}`,
  arguments: (key, seen) => ({
    keys: [key],
    args: seen.type === 'zset' ? seen.members.map(([member]) => member) : [],
  }),
  repeatWake: null,
};

/**
 * Takes one waiter out of a fair queue and wakes the first live one behind it; a task of our own client
 * (version 8 of the uuid) hears of it in its inbox.
 * Returns `{1, woken}`, or `{0}` when that owner does not stand in the queue.
 */
export const DROP_WAITER = {
  lua: `${PUBLISH}
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
local woken = 0
if next and string.sub(next, 15, 15) == '8' then
  local task = 'try ' .. string.sub(next, 38) .. ' ' .. ARGV[4]
  woken = redis.call('PUBLISH', '${INBOX}' .. string.sub(next, 1, 36), task)
elseif next then
  woken = wake(ARGV[3] .. next)
end
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
