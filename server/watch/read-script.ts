import type { Bytes } from '@/lib/protocol/bytes';
import { NOTHING_BESIDE, type BesideKeys, type RawValue } from '@/lib/formats/format';
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
  setMembers: 128,
  listItems: 128,
  queueOwners: 128,
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
 * allowed. Errors stay with their key, because a user may be allowed some keys only.
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
  if list == '' then return false end
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
    content = redis.call('LRANGE', key, 0, ${LIMITS.listItems - 1})
    for i = 1, #content do content[i] = cut(content[i]) end
  elseif kind == 'set' then
    size = redis.call('SCARD', key)
    if size <= ${LIMITS.setMembers} then
      content = redis.call('SMEMBERS', key)
    else
      content = redis.call('SRANDMEMBER', key, ${LIMITS.setMembers})
    end
    for i = 1, #content do content[i] = cut(content[i]) end
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
  out[6] = ARGV[at + 4] ~= '' and beside('GET', ARGV[at + 4])
  out[7] = {}
  for i = 1, ARGV[at + 5] do
    -- What stands beside a lock and may not be read keeps nobody from seeing the lock.
    local ok, found = pcall(value_of, ARGV[at + 5 + i])
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
      return { type, items: [...content.flat], size, truncated: size > content.flat.length };
    case 'set':
      return { type, members: [...content.flat], size, truncated: size > content.flat.length };
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

/** `{type, pttl, size, content}` as a value and its time to live; null for any other reply. */
function valueOf(reply: RespValue | undefined) {
  if (!Array.isArray(reply)) return null;
  const [type, pttl, size, content] = reply;
  if (typeof type !== 'string') return null;
  const cutString = type === 'string' ? texts(content) : [];
  const text = typeof content === 'string' ? content : (cutString[0] ?? '');
  const flat = type === 'string' ? cutString.slice(1) : texts(content);
  return {
    value: rawValue(type, Number(size), { text, flat }),
    pttl: typeof pttl === 'number' && pttl >= 0 ? pttl : null,
  };
}

function besideOf(reply: RespValue | undefined, keys: readonly Bytes[]): BesideKeys {
  if (!Array.isArray(reply) || keys.length === 0) return NOTHING_BESIDE;
  const found = new Map<Bytes, { value: RawValue | null; pttl: number | null }>();
  keys.forEach((key, i) => {
    const value = valueOf(reply[i]);
    if (value) found.set(key, value);
  });
  return found;
}

/**
 * One element of the script's reply, `beside` being the keys that were asked for beside it. A RespError is what
 * reading this key was answered with.
 */
export function decodeScriptResult(
  reply: RespValue,
  beside: readonly Bytes[] = [],
): KeyContent | RespError {
  if (reply instanceof RespError) return reply;
  if (!Array.isArray(reply)) return new RespError(String(reply).slice(1));
  const own = valueOf(reply);
  if (!own) return new RespError('ERR unexpected reply of the read script');
  const [, , , , queue, fence, besideReply, idle] = reply;
  return {
    ...own,
    queue: Array.isArray(queue) ? queueOf(texts(queue)) : null,
    fence: typeof fence === 'string' ? fence : null,
    beside: besideOf(besideReply, beside),
    idleSeconds: typeof idle === 'number' ? idle : null,
  };
}
