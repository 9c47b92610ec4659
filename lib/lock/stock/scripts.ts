import type { RedisConnection } from '../contract.js';
import { runScript, scriptOf, type Script } from '../scripts/run-script.js';
import { redisFailure } from './redis-failure.js';

/**
 * `open(k)` opens the segment at KEYS[k], followed by its two ledgers; nil when it is missing or of another number
 * of segments than ARGV[1]: the caller's layout is out of date.
 *
 * Orders are written to one ledger for `memory` ms; then the other, by now as old, is emptied and takes over. So
 * an entry lives at least `memory` and at most twice that, without a timer or a key for each order. The marker
 * `since` carries the ledger's time to live from its birth, for when nobody comes any more. `turns` tells whether
 * there is a previous ledger at all: the first `memory` ms, most sales long, do without asking it.
 */
const OPEN = `
local call = redis.call
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function open(k)
  local state = call('HMGET', KEYS[k], 'segments', 'left', 'sold', 'ledger', 'turned', 'memory', 'turns')
  if state[1] ~= ARGV[1] then return nil end
  local ledger, memory = tonumber(state[4]), tonumber(state[6])
  if now - tonumber(state[5]) >= memory then
    ledger = 3 - ledger
    call('UNLINK', KEYS[k + ledger])
    call('HSET', KEYS[k + ledger], 'since', now)
    call('PEXPIRE', KEYS[k + ledger], 2 * memory)
    state[7] = tonumber(state[7]) + 1
    call('HSET', KEYS[k], 'ledger', ledger, 'turned', now, 'turns', state[7])
  end
  return {
    key = KEYS[k], left = tonumber(state[2]), sold = tonumber(state[3]),
    current = KEYS[k + ledger], previous = state[7] ~= '0' and KEYS[k + 3 - ledger]
  }
end
`;

/** For the scripts that look up one entry of one segment. */
const OPEN_ONE = `${OPEN}
local segment = open(1)
if not segment then return false end
local current, previous = segment.current, segment.previous
local entry = call('HGET', current, ARGV[2]) or previous and call('HGET', previous, ARGV[2])
`;

/**
 * Deducts a batch of orders, each wholly or not at all, in their order.
 * KEYS: three for each segment. ARGV from 2, for each segment: number of orders, then ledger field and quantity of each.
 * Returns for each segment nil (`open`), or a list: what it has left, then for each order
 * 0 too little here · 1 deducted · 2 deducted before · 3 deducted before with another quantity · 4 given back.
 * May reach Redis twice: the ledger is written in the same script.
 */
export const SELL = scriptOf(`${OPEN}
local function sell(segment, first, count)
  local fields = {}
  for i = 1, count do fields[i] = ARGV[first + 2 * i - 2] end
  local known = call('HMGET', segment.current, unpack(fields))
  local before = segment.previous and call('HMGET', segment.previous, unpack(fields)) or {}
  local left, answer, entries, seen = segment.left, {}, {}, {}
  for i, field in ipairs(fields) do
    local quantity = tonumber(ARGV[first + 2 * i - 1])
    local held = tonumber(seen[field] or known[i] or before[i] or nil)
    local code = 0
    if held then
      code = held == quantity and 2 or held > 0 and 3 or 4
    elseif quantity <= left then
      left, code = left - quantity, 1
      seen[field] = quantity
      entries[#entries + 1] = field
      entries[#entries + 1] = quantity
    end
    answer[i + 1] = code
  end
  if #entries > 0 then
    call('HSET', segment.current, unpack(entries))
    call('HSET', segment.key, 'left', left, 'sold', segment.sold + segment.left - left)
  end
  answer[1] = left
  return answer
end

local answers, at = {}, 2
for k = 1, #KEYS, 3 do
  local count, segment = tonumber(ARGV[at]), open(k)
  answers[#answers + 1] = segment and sell(segment, at + 1, count) or false
  at = at + 1 + 2 * count
end
return answers`);

/**
 * Gives an order back and closes it: its entry becomes minus its quantity, or 0 where nothing was known of it.
 * KEYS: segment, two ledgers. ARGV: segments, ledger field. Returns quantity, 1 when it was given back before. May reach Redis twice.
 */
export const GIVE_BACK = scriptOf(`${OPEN_ONE}
local held = tonumber(entry or nil)
if held and held <= 0 then return {-held, 1} end
held = held or 0
call('HSET', current, ARGV[2], held == 0 and 0 or -held)
if held > 0 then
  call('HSET', segment.key, 'left', segment.left + held, 'sold', segment.sold - held)
  call('HINCRBY', segment.key, 'moves', 1)
end
return {held, 0}`);

/**
 * Adds a delivery, the whole of it to this segment, so that a crash leaves none of it half done.
 * KEYS: segment, two ledgers. ARGV: segments, ledger field, quantity. Returns 1 added · 2 added before · 3 added before with another quantity.
 */
export const RESTOCK = scriptOf(`${OPEN_ONE}
if entry then return entry == ARGV[3] and 2 or 3 end
call('HSET', current, ARGV[2], ARGV[3])
call('HSET', segment.key, 'left', segment.left + tonumber(ARGV[3]))
call('HINCRBY', segment.key, 'stocked', ARGV[3])
call('HINCRBY', segment.key, 'moves', 1)
return 1`);

/**
 * First half of a move between segments. `to:<receiver>` counts all units ever given to that receiver; it never
 * falls, so that a late or repeated second half cannot count twice.
 * KEYS: donor. ARGV: segments, receiver, quantity wanted. Returns that count. Repeated, it moves more; none is lost.
 */
export const TAKE = scriptOf(`
local state = redis.call('HMGET', KEYS[1], 'segments', 'left')
if state[1] ~= ARGV[1] then return false end
local left = tonumber(state[2])
local quantity = math.min(left, tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'left', left - quantity)
redis.call('HINCRBY', KEYS[1], 'moves', 1)
return redis.call('HINCRBY', KEYS[1], 'to:' .. ARGV[2], quantity)`);

/**
 * Second half: the receiver takes in what the donor's count has above its own. Idempotent; a smaller count, of
 * somebody who was paused, does nothing. KEYS: receiver. ARGV: segments, donor, the donor's count. Returns units added.
 */
export const PUT = scriptOf(`
local state = redis.call('HMGET', KEYS[1], 'segments', 'from:' .. ARGV[2])
if state[1] ~= ARGV[1] then return false end
local added = tonumber(ARGV[3]) - tonumber(state[2] or 0)
if added <= 0 then return 0 end
redis.call('HINCRBY', KEYS[1], 'left', added)
redis.call('HINCRBY', KEYS[1], 'moves', 1)
redis.call('HSET', KEYS[1], 'from:' .. ARGV[2], ARGV[3])
return added`);

/** All fields of the segments at KEYS; in one Redis, the state of one moment. */
export const SURVEY = scriptOf(`
local states = {}
for i, key in ipairs(KEYS) do states[i] = redis.call('HGETALL', key) end
return states`);

/**
 * Fixes what a set-up wants, unless one did before. KEYS: control. ARGV: quantity, segments, memory in ms.
 * Returns 1 when it was new, then the stored quantity, segments, memory, state.
 */
export const CLAIM = scriptOf(`
local isNew = redis.call('EXISTS', KEYS[1]) == 0
if isNew then
  redis.call('HSET', KEYS[1], 'quantity', ARGV[1], 'segments', ARGV[2], 'memory', ARGV[3], 'state', 'setting-up')
end
local stored = redis.call('HMGET', KEYS[1], 'quantity', 'segments', 'memory', 'state')
return {isNew and 1 or 0, stored[1], stored[2], stored[3], stored[4]}`);

/** Creates a segment that is not there. KEYS: segment, two ledgers. ARGV: segments, its share, memory in ms. Returns 1 when it was new. */
export const FOUND = scriptOf(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('UNLINK', KEYS[2], KEYS[3])
redis.call('HSET', KEYS[2], 'since', now)
redis.call('PEXPIRE', KEYS[2], 2 * ARGV[3])
redis.call('HSET', KEYS[1], 'segments', ARGV[1], 'left', ARGV[2], 'sold', 0, 'stocked', ARGV[2], 'moves', 0,
  'ledger', 1, 'turned', now, 'turns', 0, 'memory', ARGV[3])
return 1`);

/** Throws LockError REDIS_… and WRONG_TYPE. */
export async function runStockScript(
  redis: RedisConnection,
  script: Script,
  { keys, args = [] }: { keys: readonly string[]; args?: readonly string[] },
): Promise<unknown> {
  try {
    return await runScript(redis, script, [keys.length, ...keys, ...args]);
  } catch (error) {
    throw redisFailure(error);
  }
}
