import { scriptFrom } from './shared.js';

/**
 * A semaphore: a sorted set of owners, score = epoch ms of each one's deadline. Every operation's extra begins
 * with the number of permits and a space. Its depth is the client's own affair: an owner has one permit.
 */
const SEMAPHORE = `
local permits

local function channel() return around('redisson_sc:') end

local function prepare()
  local count, rest = string.match(extra, '^(%d+) (.*)$')
  permits, extra = tonumber(count), rest
  call('ZREMRANGEBYSCORE', lock, '-inf', digits(now))
end

local function holds(owner) return call('ZSCORE', lock, owner) and true or false end

local function room() return call('ZCARD', lock) < permits end

local function may_pass() return false end

local function keep(owner, lease)
  call('ZADD', lock, digits(now + lease), owner)
  call('PEXPIREAT', lock, call('ZRANGE', lock, -1, -1, 'WITHSCORES')[2])
end

local function take(owner, lease)
  local token = next_fence(tag)
  keep(owner, lease)
  return token
end

-- Several hold it: the counter's value may be another's.
local function my_fence() return next_fence(tag) end

local function give_back(owner) call('ZREM', lock, owner) end

local function deepen() end

local function renew()
  if not holds(me) then return false end
  keep(me, ttl)
  return true
end

local function state()
  local first = call('ZRANGE', lock, 0, 0, 'WITHSCORES')
  if not first[1] then return -2, '' end
  return digits(first[2] - now), first[1]
end

local function announce() end
`;

export const SEMAPHORE_SCRIPT = scriptFrom('', SEMAPHORE);
