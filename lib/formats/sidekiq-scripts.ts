import type { Bytes } from '@/lib/protocol/bytes';
import type { BesideKeys, BesideReleaseScript, ReleaseScript, WakeScript } from './format';
import { DIGESTS, EXPIRING_DIGESTS, namesAround } from './sidekiq-names';

/** As long as the library leaves the element for whoever blocks. */
const SENTINEL_MS = 5000;

/** A user who may not set a time to live is refused before anything has changed. */
const SENTINEL = `
redis.call('PEXPIRE', KEYS[3], ${SENTINEL_MS})
redis.call('DEL', KEYS[3])
redis.call('LPUSH', KEYS[3], '1')
redis.call('PEXPIRE', KEYS[3], ${SENTINEL_MS})`;

/** Who was seen to hold it and since when, -1 first where that was not read. */
function holdersSeen(locked: Bytes, beside: BesideKeys | undefined): (Bytes | number)[] {
  const seen = beside?.get(locked);
  if (!seen) return [-1];
  if (seen.value === null) return [0];
  if (seen.value.type !== 'hash' || seen.value.truncated) return [-1];
  return [seen.value.fields.length, ...seen.value.fields.flat()];
}

/** The hash KEYS[2] names who is in ARGV from `from` on (how many, then each with its time), and nobody else. */
const HOLDERS_AS_SEEN = `
local function is_held_as_seen(from)
  local held = redis.call('TYPE', KEYS[2]).ok
  if held ~= 'none' and held ~= 'hash' then return false end
  if redis.call('HLEN', KEYS[2]) ~= tonumber(ARGV[from]) then return false end
  for i = from + 1, #ARGV, 2 do
    if redis.call('HGET', KEYS[2], ARGV[i]) ~= ARGV[i + 1] then return false end
  end
  return true
end`;

/** A user who may not take the digest out of the indexes is refused before a waiter is told. */
const DELETE = `
local function remove_from_indexes(member)
  for i = 6, 7 do
    if redis.call('TYPE', KEYS[i]).ok == 'zset' then redis.call('ZREM', KEYS[i], member) end
  end
end
remove_from_indexes('')${SENTINEL}
redis.call('DEL', KEYS[1], KEYS[2], KEYS[4], KEYS[5])
remove_from_indexes(KEYS[1])
return {1, -1}`;

function keysOf(digest: Bytes): Bytes[] {
  const { locked, queued, primed, info } = namesAround(digest);
  return [digest, locked, queued, primed, info, DIGESTS, EXPIRING_DIGESTS];
}

/**
 * What the library's own delete and unlock do together: all keys of the digest and its entries in both
 * indexes go, and one element is left for a waiter. The digest and, where it was read, the hash of holders
 * must still be as seen.
 */
export const RELEASE_DIGEST: ReleaseScript = {
  lua: `${HOLDERS_AS_SEEN}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'string' or redis.call('GET', KEYS[1]) ~= ARGV[1] then return {-1} end
if tonumber(ARGV[2]) >= 0 and not is_held_as_seen(2) then return {-1} end${DELETE}`,
  arguments: (key, seen, _now, beside) => {
    const digest = seen.type === 'string' ? seen.bytes : '';
    return { keys: keysOf(key), args: [digest, ...holdersSeen(namesAround(key).locked, beside)] };
  },
  repeatWake: null,
};

/** The same where the hash of holders is all there is: version 9, and jobs that share a digest. */
export const RELEASE_HASH: BesideReleaseScript = {
  lua: `${HOLDERS_AS_SEEN}
if redis.call('EXISTS', KEYS[1]) == 1 then return {-1} end
if redis.call('EXISTS', KEYS[2]) == 0 then return {0} end
if not is_held_as_seen(1) then return {-1} end${DELETE}`,
  arguments: (key, beside) => ({
    keys: keysOf(key),
    args: holdersSeen(namesAround(key).locked, beside),
  }),
};

/** Leaves the element that an unlock leaves. Nobody is blocked on a list that has one. */
export const WAKE_DIGEST: WakeScript = {
  lua: `
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then return {-1} end
local kind = redis.call('TYPE', KEYS[3]).ok
if kind ~= 'none' then return {0} end${SENTINEL}
return {1, -1}`,
  arguments: (key) => {
    const { locked, queued } = namesAround(key);
    return { keys: [key, locked, queued], args: [] };
  },
};
