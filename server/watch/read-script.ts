import type { Bytes } from '@/lib/protocol/bytes';
import type { BesideKeys, RawValue } from '@/lib/formats/format';

/**
 * Content beyond these sizes is cut: a lock needs far less, and a key of another kind may be huge. Of a
 * sorted set the highest scores stay: of a semaphore those are the members that count.
 */
export const LIMITS = {
  stringBytes: 4096,
  tailBytes: 64,
  hashFields: 64,
  zsetMembers: 128,
  setMembers: 128,
  listItems: 128,
  queueOwners: 128,
  /** Entries of a list or a sorted set asked for at first. */
  firstPage: 4,
  /** Of one value's entries together. */
  valueBytes: 65_536,
  /** Of one run together. Redis cuts off a subscriber for whom it holds back 32 MB, and a few runs are under way at once. */
  runBytes: 2_097_152,
};

/** Keys that belong to a lock and are read together with it. */
export interface ReadCompanions {
  /** Null where the lock can have no fair queue. */
  queue: {
    list: Bytes;
    timeouts: Bytes;
    wishes: Bytes;
    /** Empty where the lock has none. */
    fence: Bytes;
  } | null;
  /** What else its format keeps beside it. */
  beside: readonly Bytes[];
}

export interface ReadRequest {
  key: Bytes;
  companions: ReadCompanions | null;
}

export interface QueueEntry {
  owner: Bytes;
  deadline: number | null;
  /** What a waiter of our own client wrote down when it joined. */
  wish?: Bytes;
}

/** What Redis holds at a key, before anybody interprets it. */
export interface KeyContent {
  value: RawValue | null;
  pttl: number | null;
  queue: QueueEntry[] | null;
  fence: string | null;
  beside: BesideKeys;
  /** Seconds since anybody touched the key, before this read did; null where it was not asked or is not kept. */
  idleSeconds: number | null;
}

/**
 * KEYS: the keys to read. ARGV: `1` to be told also how long each key lay untouched, else `0`; then for each key with companions
 * its place in KEYS (from 1), its queue list, the zset of the queue's deadlines, the hash of its waiters' wishes
 * and its fencing counter (each an empty string where there is none), the number of keys beside it, and these.
 * Returns for each key an array `{type, pttl, size, content}`, with companions or idle time also `queue, fence,
 * beside, idle`, or `E` and the text of the error that reading this key gave. Read-only; one run shows each key
 * and its companions at one moment. Behind the last key stands the server's time (epoch ms), where TIME is
 * allowed. Errors stay with their key, because a user may be allowed some keys only. Null stands for a key that
 * is to be asked for again, because those before it were as much as one reply may hold; never for the first.
 */
export const READ_SCRIPT = `
local spent = 0
local function cut(text)
  if #text > ${LIMITS.stringBytes} then return string.sub(text, 1, ${LIMITS.stringBytes}) end
  return text
end
-- Entries of some texts each, as many as one value may show: those at the end, or from the first on.
local function bounded(items, step, is_end)
  local first, last, by = 1, #items - step + 1, step
  if is_end then first, last, by = last, 1, -step end
  local room, kept = ${LIMITS.valueBytes}, {}
  for i = first, last, by do
    local bytes = 0
    for j = i, i + step - 1 do
      items[j] = cut(items[j])
      bytes = bytes + #items[j]
    end
    if bytes > room then break end
    room = room - bytes
    kept[i] = true
  end
  spent = spent + ${LIMITS.valueBytes} - room
  local out = {}
  for i = 1, #items - step + 1, step do
    if kept[i] then for j = i, i + step - 1 do out[#out + 1] = items[j] end end
  end
  return out
end
-- At most so many of a list or a sorted set, a few first and then more until there is enough: Redis copies what
-- it is asked for, however long. The end of a sorted set with its scores, the beginning of a list; false where
-- call says so.
local function paged(call, name, key, most)
  local pages, bytes, at, size = {}, 0, 0, ${LIMITS.firstPage}
  local is_end = name == 'ZRANGE'
  while at < most and bytes <= ${LIMITS.valueBytes} do
    local to = math.min(at + size, most)
    local page
    if is_end then page = call(name, key, -to, -at - 1, 'WITHSCORES')
    else page = call(name, key, at, to - 1) end
    if not page then return false end
    for i = 1, #page do bytes = bytes + #page[i] end
    pages[#pages + 1] = page
    if #page < to - at then break end
    at, size = to, size * 2
  end
  local out = {}
  for i = 1, #pages do
    for _, text in ipairs(pages[is_end and #pages + 1 - i or i]) do out[#out + 1] = text end
  end
  return out
end
-- Who is named by the whole text is left out where that is too long: cut, it would name somebody else.
local function named(items, step)
  local out = {}
  for i = 1, #items, step do
    if #items[i] <= ${LIMITS.stringBytes} then
      for j = i, i + step - 1 do out[#out + 1] = items[j] end
    end
  end
  return out
end
local function wish_of(wishes, owner)
  if string.sub(owner, 15, 15) ~= '8' then return '' end
  -- Whatever is there instead, or may not be read, keeps nobody from reading the queue.
  local wish = redis.pcall('HGET', wishes, owner)
  return type(wish) == 'string' and cut(wish) or ''
end
-- False where the key is of another type: what stands beside a lock keeps nobody from seeing the lock.
local function beside(...)
  local reply = redis.pcall(...)
  local said = type(reply) == 'table' and reply['err']
  if not said then return reply end
  if string.find(said, 'WRONGTYPE', 1, true) then return false end
  error(reply)
end
local function queue_of(list, timeouts, wishes)
  if list == '' then return false end
  local out = {}
  local owners = paged(beside, 'LRANGE', list, ${LIMITS.queueOwners})
  if not owners then return false end
  for _, owner in ipairs(owners) do
    out[#out + 1] = owner
    out[#out + 1] = beside('ZSCORE', timeouts, owner) or ''
    out[#out + 1] = wish_of(wishes, owner)
  end
  return bounded(out, 3, false)
end
local function value_of(key)
  local kind = redis.call('TYPE', key)['ok']
  local pttl, size, content = -2, 0, false
  if kind ~= 'none' then pttl = redis.call('PTTL', key) end
  if kind == 'string' then
    content = redis.call('GETRANGE', key, 0, ${LIMITS.stringBytes})
    size = #content
    if size > ${LIMITS.stringBytes} then
      size = redis.call('STRLEN', key)
      content = {cut(content), redis.call('GETRANGE', key, -${LIMITS.tailBytes}, -1)}
    end
    spent = spent + math.min(size, ${LIMITS.stringBytes})
  elseif kind == 'hash' then
    size = redis.call('HLEN', key)
    if size <= ${LIMITS.hashFields} then
      content = redis.call('HGETALL', key)
    else
      content = redis.call('HSCAN', key, 0, 'COUNT', ${LIMITS.hashFields})[2]
    end
    for i = #content, ${2 * LIMITS.hashFields} + 1, -1 do content[i] = nil end
    content = bounded(content, 2, false)
  elseif kind == 'zset' then
    size = redis.call('ZCARD', key)
    content = paged(redis.call, 'ZRANGE', key, ${LIMITS.zsetMembers})
    content = bounded(named(content, 2), 2, true)
  elseif kind == 'list' then
    size = redis.call('LLEN', key)
    content = bounded(paged(redis.call, 'LRANGE', key, ${LIMITS.listItems}), 1, false)
  elseif kind == 'set' then
    size = redis.call('SCARD', key)
    if size <= ${LIMITS.setMembers} then
      content = redis.call('SMEMBERS', key)
    else
      -- The same members each time: others would look like other holders.
      content = redis.call('SSCAN', key, 0, 'COUNT', ${LIMITS.setMembers})[2]
      for i = #content, ${LIMITS.setMembers} + 1, -1 do content[i] = nil end
    end
    content = bounded(named(content, 1), 1, false)
  elseif kind == 'stream' then
    size = redis.call('XLEN', key)
  end
  return {kind, pttl, size, content}
end
local function read(key, at)
  local idle = false
  if ARGV[1] == '1' then
    -- Asked first: reading the value touches the key. Refused where Redis keeps frequencies instead.
    idle = redis.pcall('OBJECT', 'IDLETIME', key)
    if type(idle) ~= 'number' then idle = false end
  end
  local out = value_of(key)
  if not at then
    if idle then out[8] = idle; out[5] = false; out[6] = false; out[7] = false end
    return out
  end
  out[5] = queue_of(ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
  local fence = ARGV[at + 4] ~= '' and beside('GET', ARGV[at + 4])
  out[6] = fence and cut(fence)
  out[7] = {}
  local before = spent
  for i = 1, ARGV[at + 5] do
    -- What stands beside a lock and may not be read keeps nobody from seeing the lock.
    local ok, found = false, false
    if spent - before < ${LIMITS.runBytes} then ok, found = pcall(value_of, ARGV[at + 5 + i]) end
    out[7][i] = ok and found
  end
  out[8] = idle
  return out
end
local places, out = {}, {}
local at = 2
while at <= #ARGV do
  places[tonumber(ARGV[at])] = at
  at = at + 6 + tonumber(ARGV[at + 5])
end
for i, key in ipairs(KEYS) do
  local ok, result = true, false
  if spent < ${LIMITS.runBytes} then ok, result = pcall(read, key, places[i]) end
  if not ok then
    if type(result) == 'table' then result = result['err'] end
    result = 'E' .. tostring(result)
  end
  out[i] = result
end
local timed, time = pcall(redis.call, 'TIME')
if timed then out[#KEYS + 1] = math.floor(time[1] * 1000 + time[2] / 1000) end
return out
`;
