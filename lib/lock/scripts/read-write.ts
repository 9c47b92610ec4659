import { scriptFrom } from './shared.js';

/**
 * Redisson's RReadWriteLock: a hash with `mode`, readers `<owner>`, a writer `<owner>:write`, and for each entry
 * of a reader a string with its lease, `{<key>}:<owner>:rwlock_timeout:<n>`. No other field may have a number as
 * its value: Redisson's read unlock counts each down to 1, inside Redis.
 *
 * Readers whose strings have all lapsed are dropped before anybody is refused: in Redisson a living reader's
 * renewal keeps dead ones alive.
 */
const READ_WRITE = `
local function channel() return around('redisson_rwlock:') end

local function is_writer(owner) return string.sub(owner, -6) == ':write' end

local function lease_key(reader, n) return around('') .. ':' .. reader .. ':rwlock_timeout:' .. n end

local function longest_lease(reader, depth)
  local longest = -2
  for n = 1, math.min(depth, 1000) do
    longest = math.max(longest, call('PTTL', lease_key(reader, n)))
  end
  return longest
end

-- Drops readers without a lease; returns the longest of the others.
local function settle_readers()
  local longest = -2
  local fields = call('HGETALL', lock)
  for i = 1, #fields, 2 do
    if string.find(fields[i], ':', 1, true) and not is_writer(fields[i]) then
      local lease = longest_lease(fields[i], tonumber(fields[i + 1]) or 0)
      if lease > 0 then longest = math.max(longest, lease) else call('HDEL', lock, fields[i]) end
    end
  end
  if call('HLEN', lock) == 1 then call('DEL', lock) end
  return longest
end

local function prepare()
  if call('HGET', lock, 'mode') == 'read' then settle_readers() end
end

local function holds(owner) return call('HEXISTS', lock, owner) == 1 end

local function may_pass(owner) return not is_writer(owner) and holds(owner .. ':write') end

-- The mode it is held in, or none where it is free.
local function mode_held()
  local mode = call('HGET', lock, 'mode')
  if not mode and call('EXISTS', lock) == 1 then refuse_other_kind() end
  return mode
end

local function room(owner)
  local mode = mode_held()
  if not mode then return true end
  return not is_writer(owner) and (mode == 'read' or may_pass(owner))
end

local function take(owner, lease)
  local token = next_fence(tag)
  if is_writer(owner) then
    call('HSET', lock, 'mode', 'write', owner, '1')
    call('PEXPIRE', lock, lease)
  else
    call('HSETNX', lock, 'mode', 'read')
    call('HSET', lock, owner, '1')
    call('SET', lease_key(owner, 1), '1', 'PX', lease)
    if call('PTTL', lock) < tonumber(lease) then call('PEXPIRE', lock, lease) end
  end
  return token
end

local function my_fence()
  mode_held()
  return next_fence(tag)
end

local function give_back(owner)
  mode_held()
  local depth = tonumber(call('HGET', lock, owner)) or 1
  call('HDEL', lock, owner)
  if is_writer(owner) then
    if call('HLEN', lock) == 1 then call('DEL', lock) else call('HSET', lock, 'mode', 'read') end
    return
  end
  for n = 1, depth do call('DEL', lease_key(owner, n)) end
  if call('HGET', lock, 'mode') ~= 'read' then return end
  local longest = settle_readers()
  if longest > 0 then call('PEXPIRE', lock, longest) end
end

local function deepen(depth)
  local before = tonumber(call('HGET', lock, me))
  call('HSET', lock, me, depth)
  call('PEXPIRE', lock, ttl, 'GT')
  if is_writer(me) then return end
  for n = before + 1, tonumber(depth) do call('SET', lease_key(me, n), '1', 'PX', ttl) end
  for n = tonumber(depth) + 1, before do call('DEL', lease_key(me, n)) end
end

local function renew()
  local depth = call('HGET', lock, me)
  if not depth then return false end
  if is_writer(me) then
    call('PEXPIRE', lock, ttl)
    return true
  end
  for n = 1, tonumber(depth) do call('SET', lease_key(me, n), '1', 'PX', ttl) end
  if call('PTTL', lock) < tonumber(ttl) then call('PEXPIRE', lock, ttl) end
  return true
end

local function state()
  for _, field in ipairs(call('HKEYS', lock)) do
    if string.find(field, ':', 1, true) then return call('PTTL', lock), field end
  end
  return -2, ''
end

local function announce()
  if call('EXISTS', lock) == 0 then call('PUBLISH', channel(), '1') end
end
`;

export const READ_WRITE_SCRIPT = scriptFrom('', READ_WRITE);
