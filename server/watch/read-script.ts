import type { Bytes } from '@/lib/protocol/bytes';
import type { RawValue } from '@/lib/formats/format';
import { RespError, type RespValue } from '@/server/redis/resp-reader';

/**
 * Content beyond these sizes is cut: a lock needs far less, and a key of another kind may be huge. Of a
 * sorted set the highest scores stay: of a semaphore those are the members that count.
 */
export const LIMITS = {
  stringBytes: 4096,
  tailBytes: 64,
  hashFields: 64,
  zsetMembers: 128,
  queueOwners: 128,
};

/** Keys that belong to a lock and are read together with it: fair queue and fencing counter. */
export interface ReadCompanions {
  list: Bytes;
  timeouts: Bytes;
  wishes: Bytes;
  /** Empty where the lock has none. */
  fence: Bytes;
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
}

/**
 * KEYS: the keys to read. ARGV: for each key with companions five arguments, its place in KEYS (from 1),
 * its queue list, the zset of the queue's deadlines, the hash of its waiters' wishes and its fencing counter or
 * an empty string.
 * Returns for each key an array `{type, pttl, size, content}`, with companions also `queue, fence`, or
 * `E` and the text of the error that reading this key gave. Read-only; one run shows each key and its
 * companions at one moment. Behind the last key stands the server's time (epoch ms), where TIME is allowed. Errors stay with their key, because a user may be allowed some keys only.
 */
export const READ_SCRIPT = `
local function cut(text)
  if #text > ${LIMITS.stringBytes} then return string.sub(text, 1, ${LIMITS.stringBytes}) end
  return text
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
  local out = {}
  local owners = beside('LRANGE', list, 0, ${LIMITS.queueOwners - 1})
  if not owners then return false end
  for _, owner in ipairs(owners) do
    out[#out + 1] = owner
    out[#out + 1] = beside('ZSCORE', timeouts, owner) or ''
    out[#out + 1] = wish_of(wishes, owner)
  end
  return out
end
local function read(key, at)
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
  elseif kind == 'hash' then
    size = redis.call('HLEN', key)
    if size <= ${LIMITS.hashFields} then
      content = redis.call('HGETALL', key)
    else
      content = redis.call('HSCAN', key, 0, 'COUNT', ${LIMITS.hashFields})[2]
    end
    for i = #content, 1, -1 do
      if i > ${2 * LIMITS.hashFields} then content[i] = nil else content[i] = cut(content[i]) end
    end
  elseif kind == 'zset' then
    size = redis.call('ZCARD', key)
    content = redis.call('ZRANGE', key, -${LIMITS.zsetMembers}, -1, 'WITHSCORES')
  elseif kind == 'list' then
    size = redis.call('LLEN', key)
  elseif kind == 'set' then
    size = redis.call('SCARD', key)
  elseif kind == 'stream' then
    size = redis.call('XLEN', key)
  end
  if not at then return {kind, pttl, size, content} end
  local queue, fence = queue_of(ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]), false
  if ARGV[at + 4] ~= '' then fence = beside('GET', ARGV[at + 4]) end
  return {kind, pttl, size, content, queue, fence}
end
local places, out = {}, {}
for at = 1, #ARGV, 5 do places[tonumber(ARGV[at])] = at end
for i, key in ipairs(KEYS) do
  local ok, result = pcall(read, key, places[i])
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

/** Strings of a flat reply; anything else in it is dropped (Redis sends nothing else there). */
function texts(reply: RespValue | undefined): Bytes[] {
  return Array.isArray(reply) ? reply.filter((item) => typeof item === 'string') : [];
}

function pairs<T>(flat: readonly Bytes[], second: (text: Bytes) => T): [Bytes, T][] {
  const out: [Bytes, T][] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) out.push([flat[i] ?? '', second(flat[i + 1] ?? '')]);
  return out;
}

/**
 * The value of a key as RawValue. `flat` is fields and values, or members and scores, or the end of a string
 * that was cut.
 */
export function rawValue(
  type: string,
  size: number,
  content: { text: Bytes; flat: readonly Bytes[] },
): RawValue | null {
  switch (type) {
    case 'none':
      return null;
    case 'string':
      return size > content.text.length
        ? { type, bytes: content.text, size, truncated: true, tail: content.flat[0] ?? '' }
        : { type, bytes: content.text, size, truncated: false };
    case 'hash': {
      const fields = pairs(content.flat, (text) => text);
      return { type, fields, size, truncated: size > fields.length };
    }
    case 'zset': {
      const members = pairs(content.flat, Number);
      return { type, members, size, truncated: size > members.length };
    }
    case 'list':
      return { type, items: [], size, truncated: true };
    case 'set':
    case 'stream':
      return { type, size, truncated: true };
    default:
      return { type: 'other', size, truncated: true };
  }
}

const deadlineOf = (score: Bytes): number | null => (score === '' ? null : Number(score));

/** Owners and their deadlines out of owner, score, owner, score… */
export const deadlinesOf = (flat: readonly Bytes[]): Map<Bytes, number | null> =>
  new Map(pairs(flat, deadlineOf));

/** Out of owner, score, wish, owner, score, wish… */
function queueOf(flat: readonly Bytes[]): QueueEntry[] {
  const queue: QueueEntry[] = [];
  for (let i = 0; i + 2 < flat.length; i += 3) {
    const wish = flat[i + 2] ?? '';
    const entry = { owner: flat[i] ?? '', deadline: deadlineOf(flat[i + 1] ?? '') };
    queue.push(wish === '' ? entry : { ...entry, wish });
  }
  return queue;
}

/** One element of the script's reply. A RespError is what reading this key was answered with. */
export function decodeScriptResult(reply: RespValue): KeyContent | RespError {
  if (reply instanceof RespError) return reply;
  if (!Array.isArray(reply)) return new RespError(String(reply).slice(1));
  const [type, pttl, size, content, queue, fence] = reply;
  if (typeof type !== 'string') return new RespError('ERR unexpected reply of the read script');
  const cutString = type === 'string' ? texts(content) : [];
  const text = typeof content === 'string' ? content : (cutString[0] ?? '');
  const flat = type === 'string' ? cutString.slice(1) : texts(content);
  return {
    value: rawValue(type, Number(size), { text, flat }),
    pttl: typeof pttl === 'number' && pttl >= 0 ? pttl : null,
    queue: Array.isArray(queue) ? queueOf(texts(queue)) : null,
    fence: typeof fence === 'string' ? fence : null,
  };
}
