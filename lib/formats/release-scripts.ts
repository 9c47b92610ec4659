import type { RemovalScript, ReleaseScript } from './format';

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

/** A string lock: the whole value must still be the one seen. Nobody listens, so nobody is woken. */
export const RELEASE_STRING: ReleaseScript = {
  lua: STRING_RELEASE_LUA(1),
  arguments: (key, seen) => ({ keys: [key], args: [seen.type === 'string' ? seen.bytes : ''] }),
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

/** One member of a sorted set; scores change with each refresh. */
export const REMOVE_MEMBER: RemovalScript = {
  lua: `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'zset' then return {-1} end
if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then return {0} end
return {1, -1}`,
  arguments: (key, member) => ({ keys: [key], args: [member] }),
};
