import { scriptFrom } from './shared.js';

/**
 * The uncontended path: no key and no queue to take it, no queue to leave it. It goes as far as that lasts; an
 * operation that raised an error is done again by the rest, under a guard of its own.
 */
const QUICK = `
-- The fence comes first: where it may not be counted, no lock is left behind that nobody has.
local function take(lock, tag, owner, lease, business_id)
  local token = next_fence(tag)
  if business_id == '' then call('HSET', lock, owner, '1', 'since', now)
  else call('HSET', lock, owner, '1', 'since', now, 'business', business_id) end
  call('PEXPIRE', lock, lease)
  return token
end

pcall(function()
  while done < count do
    local lock, word, lease = KEYS[done + 1], ARGV[done * 2 + 4], ARGV[done * 2 + 5]
    if string.find(lease, ' ', 1, true) then return end
    local code, owner, tag = string.byte(word), instance .. ':' .. string.sub(word, 2), tag_of(lock)
    local queue, value = 'redisson_lock_queue:' .. tag, 0
    if code == 119 or code == 116 then
      if mode == '2' or call('EXISTS', lock, queue) ~= 0 then return end
      value = take(lock, tag, owner, lease, '')
    elseif code == 114 then
      if call('HEXISTS', lock, owner) == 0 or call('EXISTS', queue) ~= 0 then return end
      call('PUBLISH', 'redisson_lock__channel:' .. tag, '0')
      call('DEL', lock)
    else
      return
    end
    answers[done * 2 + 1], answers[done * 2 + 2] = 1, value
    done = done + 1
  end
end)
if done == count then return answers end
`;

/** A mutex: a hash with the one owner, its depth, and beside it `since` and `business` (RedissonLock and more). */
const MUTEX = `
local function channel() return around('redisson_lock__channel:') end

local function prepare() end

local function holds(owner) return call('HEXISTS', lock, owner) == 1 end

local function keep_to_mutexes()
  if call('HEXISTS', lock, 'mode') == 1 then refuse_other_kind() end
end

local function room()
  if call('EXISTS', lock) == 0 then return true end
  keep_to_mutexes()
  return false
end

local function may_pass() return false end

local function my_fence()
  keep_to_mutexes()
  local token = fence()
  return token > 0 and token or next_fence(tag)
end

local take_mutex = take
local function take(owner, lease, business_id) return take_mutex(lock, tag, owner, lease, business_id) end

local function give_back()
  keep_to_mutexes()
  call('DEL', lock)
end

local function announce() call('PUBLISH', channel(), '0') end

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
