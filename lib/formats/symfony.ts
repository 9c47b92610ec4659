import type { Bytes } from '@/lib/protocol/bytes';
import { toMoment } from '@/lib/protocol/time';
import { NOISE, type Decoded, type LockFormat, type RawValue } from './format';
import type { ReleaseScript, RemovalScript } from './format';
import { holderOf, NO_COMPANIONS } from './token';

/** A member that is no holder: it stands beside the one that writes. */
const WRITE_MARK = '__write__';
/** Left for a millisecond by a process that looks what the server can do. */
const SUPPORT_PROBE = 'symfony_check_support_time';
const BASE64_32_BYTES = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

const hasWriteMark = (value: RawValue): boolean =>
  value.type === 'zset' && value.members.some(([member]) => member === WRITE_MARK);

function hasItsShape(value: RawValue | null): boolean {
  if (value?.type !== 'zset') return false;
  const tokens = value.members.filter(([member]) => member !== WRITE_MARK);
  return tokens.length > 0 && tokens.every(([member]) => BASE64_32_BYTES.test(member));
}

/** Scores are deadlines by Redis's clock; who is past its own counts no more. */
function decode(value: RawValue, now: number, clockMs: number): Decoded {
  if (value.type !== 'zset') {
    return { holders: [], broken: 'key is used for something else', fence: null };
  }
  const isWrite = value.members.some(
    ([member, score]) => member === WRITE_MARK && toMoment(score + clockMs) > now,
  );
  const role = isWrite ? 'writer' : 'reader';
  const holders = value.members.flatMap(([member, score]) => {
    if (member === WRITE_MARK) return [];
    const deadline = toMoment(score + clockMs);
    return [holderOf(member, {}, { deadline, stale: deadline <= now, role })];
  });
  const broken = holders.length === 0 ? 'the write mark stands without a holder' : null;
  return { holders, broken, fence: null };
}

const MARK = `
local function mark(key)
  return redis.call('ZSCORE', key, '${WRITE_MARK}') and '1' or '0'
end`;

/** ARGV: `1` when the write mark was seen, else `0`; then each member seen with its deadline. */
const RELEASE: ReleaseScript = {
  lua: `${MARK}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'zset' then return {-1} end
if mark(KEYS[1]) ~= ARGV[1] then return {-1} end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local inside = 0
for i = 2, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) then inside = inside + 1
  elseif tonumber(ARGV[i + 1]) > now then return {-1} end
end
if inside == 0 then return {-1} end
for i = 2, #ARGV, 2 do redis.call('ZREM', KEYS[1], ARGV[i]) end
redis.call('ZREM', KEYS[1], '${WRITE_MARK}')
return {1, -1}`,
  arguments: (key, seen) => ({
    keys: [key],
    args: [
      hasWriteMark(seen) ? '1' : '0',
      ...(seen.type === 'zset' ? seen.members : [])
        .filter(([member]) => member !== WRITE_MARK)
        .flatMap(([member, score]) => [member, `${score}`]),
    ],
  }),
  repeatWake: null,
};

/** One reader, or the writer with its mark. ARGV: the member, and the write mark as above. */
const REMOVE: RemovalScript = {
  lua: `${MARK}
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'zset' then return {-1} end
if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then return {0} end
if mark(KEYS[1]) ~= ARGV[2] then return {-1} end
redis.call('ZREM', KEYS[1], ARGV[1], '${WRITE_MARK}')
return {1, -1}`,
  arguments: (key: Bytes, member: Bytes, { value }) => ({
    keys: [key],
    args: [member, hasWriteMark(value) ? '1' : '0'],
  }),
};

/**
 * Symfony Lock's RedisStore since 5.2: a sorted set of tokens (32 random bytes in base64) and their deadlines;
 * with the mark `__write__` the one token writes, without it all read.
 */
export const symfony: LockFormat = {
  id: 'symfony',
  name: 'Symfony Lock',
  kind: 'read-write',
  type: 'zset',
  prefixes: [],
  matchesKey: () => true,
  nameIsProof: false,
  recognise: (_key, value) =>
    hasItsShape(value) ? { certainty: 'certain', because: { id: 'base64-32-bytes' } } : null,
  decode: (_key, value, { now, clockMs = 0 }) => decode(value, now, clockMs),
  companions: () => NO_COMPANIONS,
  sideKeys: {
    prefixes: [],
    read: (key) => (key.endsWith(SUPPORT_PROBE) ? NOISE : null),
  },
  expiry: 'always',
  renewal: 'zadd',
  scores: 'deadlines',
  ownLeases: true,
  waiters: 'poll',
  shorterLeaseMeansFinished: false,
  release: RELEASE,
  removeMember: REMOVE,
  releaseNotes: ['release-deletes', 'refresh-fails', 'wakes-nobody'],
  readOnly: false,
};
