import { scriptOf } from '../scripts/run-script.js';

const CLOCK = `
local time = redis.call('TIME')
local nowUs = time[1] * 1000000 + time[2]
local nowMs = math.floor(nowUs / 1000)
local function digits(n) return string.format('%.0f', n) end
`;

/**
 * Whoever holds a smaller fence than the highest that began a run of this task, or began this run under another
 * one, has been succeeded. Fences are compared in the script that writes, so that no pause lies between.
 */
const FENCED = `
local fence = ARGV[1]
local function succeeded()
  local highest = tonumber(redis.call('HGET', KEYS[1], 'fence') or '0')
  return tonumber(fence) < highest
end
local function mine()
  return not succeeded() and redis.call('HGET', KEYS[2], 'fence') == fence
end
`;

/**
 * KEYS: run, queue. ARGV: id, payload, channel. Returns 1 when this made the run, 0 when the id was known.
 * Idempotent by the run's key. The queue is in µs, so that runs keep the order of their triggers.
 */
export const TRIGGER = scriptOf(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
${CLOCK}
redis.call('HSET', KEYS[1], 'payload', ARGV[2], 'state', 'waiting', 'triggeredAt', digits(nowMs))
redis.call('ZADD', KEYS[2], digits(nowUs), ARGV[1])
redis.call('PUBLISH', ARGV[3], ARGV[1])
return 1
`);

/**
 * KEYS: run, queue, state. ARGV: id, due at (epoch ms), channel. Returns 1 when this made the run, 0 when the last
 * one made by the interval has not ended or the id was known. So runs of a slow task never pile up.
 */
export const SCHEDULE = scriptOf(`
local last = redis.call('HGET', KEYS[3], 'scheduled')
if last and redis.call('ZSCORE', KEYS[2], last) then return 0 end
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
${CLOCK}
redis.call('HSET', KEYS[3], 'scheduled', ARGV[1])
redis.call('HSET', KEYS[1], 'payload', '', 'state', 'waiting', 'triggeredAt', digits(nowMs))
redis.call('ZADD', KEYS[2], digits(ARGV[2] * 1000), ARGV[1])
redis.call('PUBLISH', ARGV[3], ARGV[1])
return 1
`);

/**
 * KEYS: queue, state. Returns Redis's clock in epoch ms, the id of the run due first or '', ms until it is due
 * (0 or less: now), and 1 when the last run made by the interval has not ended. Reads only.
 */
export const LOOK = scriptOf(`
${CLOCK}
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
local last = redis.call('HGET', KEYS[2], 'scheduled')
local pending = last and redis.call('ZSCORE', KEYS[1], last) and 1 or 0
if not first[1] then return { digits(nowMs), '', '0', pending } end
return { digits(nowMs), first[1], digits(math.ceil((first[2] - nowUs) / 1000)), pending }
`);

/**
 * KEYS: state, run, queue. ARGV: fence, id, runner. Returns 1 when the run was taken over, else 0, and
 * the run's hash as fields and values; or 'LOST' for a
 * smaller fence than one that began a run before, 'ENDED' for a run that ended or whose record is gone. From
 * here on the runner before is refused; what it had acknowledged is in the answer. A run found running was left
 * by its process: \`takeovers\` counts these, \`stalled\` those since the last acknowledgement.
 */
export const BEGIN = scriptOf(`
${FENCED}
if succeeded() then return 'LOST' end
if not redis.call('ZSCORE', KEYS[3], ARGV[2]) then return 'ENDED' end
local state = redis.call('HGET', KEYS[2], 'state')
if not state then
  redis.call('ZREM', KEYS[3], ARGV[2])
  return 'ENDED'
end
${CLOCK}
redis.call('HSET', KEYS[1], 'fence', fence)
local takenOver = state == 'running' and redis.call('HGET', KEYS[2], 'fence') ~= fence
if takenOver then
  redis.call('HINCRBY', KEYS[2], 'takeovers', 1)
  redis.call('HINCRBY', KEYS[2], 'stalled', 1)
end
redis.call('HSET', KEYS[2], 'state', 'running', 'fence', fence, 'runner', ARGV[3])
if redis.call('HEXISTS', KEYS[2], 'startedAt') == 0 then
  redis.call('HSET', KEYS[2], 'startedAt', digits(nowMs))
end
return { takenOver and 1 or 0, redis.call('HGETALL', KEYS[2]) }
`);

/**
 * KEYS: state, run. ARGV: fence, number of this acknowledgement, field (\`progress\` or \`step:<name>\`), value.
 * Returns 1, or 0 when the run is another's by now. The number follows the last one kept or equals it: the same
 * runner's command may come twice when its answer was lost, and counts once.
 */
export const ACKNOWLEDGE = scriptOf(`
${FENCED}
if not mine() or redis.call('HGET', KEYS[2], 'state') ~= 'running' then return 0 end
local last = tonumber(redis.call('HGET', KEYS[2], 'acknowledged') or '0')
if tonumber(ARGV[2]) == last then return 1 end
if tonumber(ARGV[2]) ~= last + 1 then return 0 end
redis.call('HSET', KEYS[2], 'acknowledged', ARGV[2], 'stalled', '0', ARGV[3], ARGV[4])
return 1
`);

/**
 * KEYS: state, run, queue. ARGV: fence, id, new state (\`done\`, \`failed\` or \`waiting\`), the attempts
 * that ended so far, field (\`result\` or \`error\`; '' for neither), value, ms (for \`waiting\` until it is due again,
 * else how long to keep the record), channel. Returns 1, or 0 when the run is another's by now. Counts once when it
 * comes twice.
 */
export const SETTLE = scriptOf(`
${FENCED}
if not mine() then return 0 end
if redis.call('HGET', KEYS[2], 'state') ~= 'running' then return 1 end
${CLOCK}
redis.call('HSET', KEYS[2], 'state', ARGV[3], 'attempts', ARGV[4])
if ARGV[5] ~= '' then redis.call('HSET', KEYS[2], ARGV[5], ARGV[6]) end
if ARGV[3] == 'waiting' then
  redis.call('ZADD', KEYS[3], digits(nowUs + ARGV[7] * 1000), ARGV[2])
else
  redis.call('HSET', KEYS[2], 'endedAt', digits(nowMs))
  redis.call('ZREM', KEYS[3], ARGV[2])
  redis.call('PEXPIRE', KEYS[2], ARGV[7])
end
redis.call('PUBLISH', ARGV[8], ARGV[2])
return 1
`);
