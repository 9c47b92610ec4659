import { scriptFrom } from './shared.js';

/** The uncontended path: no key and no queue to take it, no queue to leave it. */
const QUICK = `
local function take(owner, lease, business_id)
  if business_id == '' then call('HSET', lock, owner, '1', 'since', digits(now))
  else call('HSET', lock, owner, '1', 'since', digits(now), 'business', business_id) end
  call('PEXPIRE', lock, lease)
  return next_fence()
end

local function announce() call('PUBLISH', around('redisson_lock__channel:'), '0') end

local function quick(code)
  if code == 't' or code == 'w' then
    if mode ~= '2' and call('EXISTS', lock, queue()) == 0 then return 1, take(me, ttl, extra) end
  elseif code == 'r' and extra == '' and call('HEXISTS', lock, me) == 1 and call('EXISTS', queue()) == 0 then
    call('DEL', lock)
    announce()
    return 1, 0
  end
end
`;

/** A mutex: a hash with the one owner, its depth, and beside it `since` and `business` (RedissonLock and more). */
const MUTEX = `
local function channel() return around('redisson_lock__channel:') end

local function prepare() end

local function holds(owner) return call('HEXISTS', lock, owner) == 1 end

local function room() return call('EXISTS', lock) == 0 end

local function may_pass() return false end

local function my_fence() return fence() end

local function give_back() call('DEL', lock) end

local function deepen(depth)
  call('HSET', lock, me, depth)
  call('PEXPIRE', lock, ttl, 'GT')
end

local function renew()
  if call('HEXISTS', lock, me) == 0 then return false end
  call('PEXPIRE', lock, ttl)
  return true
end

local function state()
  for _, field in ipairs(call('HKEYS', lock)) do
    if string.find(field, ':', 1, true) then return call('PTTL', lock), field end
  end
  return -2, ''
end
`;

export const MUTEX_SCRIPT = scriptFrom(QUICK, MUTEX);
