import { LockError } from '../errors.js';
import { DEFAULT_PREFIX, keyOf } from '../names.js';
import { scriptOf } from '../scripts/run-script.js';

/** One version as it lies in Redis: never taken apart, never without its number. */
export interface ConfigText {
  version: number;
  /** Epoch ms of the change by Redis's clock. */
  at: number;
  text: string;
}

/** Where a configuration lies; the same three values at its writers and readers. */
export interface ConfigAddress {
  name: string;
  /** As in the lock client's options. Default `qoder:lock:`. */
  prefix?: string;
  /** As in the lock client's options. */
  namespace?: string;
}

/**
 * Content up to this length rides in the message itself; a longer one is read by whoever hears of it. 10,000
 * subscribers to one Redis make 160 MB of this, which fits below the buffer of 32 MB for each of them.
 */
export const INLINE_LIMIT = 16_384;

export const CONFIG = 'lockscope:config:';

/** Name of the lock under which a configuration is changed. Throws EMPTY_KEY. */
export function configLock(name: string): string {
  if (typeof name === 'string' && name.trim() !== '') return `config:${name}`;
  throw new LockError('EMPTY_KEY', 'The name of a configuration is empty; say which one it is.');
}

export const configLockKey = (address: ConfigAddress): string =>
  keyOf(address.prefix ?? DEFAULT_PREFIX, address.namespace ?? '', configLock(address.name));

/**
 * The hash of a configuration, also its channel. Tagged as Redisson tags what belongs to a lock, so that lock
 * and configuration share a slot of a cluster.
 */
export const configKey = (lockKey: string): string =>
  lockKey.includes('{') ? CONFIG + lockKey : `${CONFIG}{${lockKey}}`;

/** A sorted set: reader → the version it has. */
export const versionsKey = (key: string): string => `${key}:versions`;
/** A sorted set of the same readers: epoch ms until which what they said counts. */
export const seenKey = (key: string): string => `${key}:seen`;

/** Fields of the hash that make one version, in the order of {@link fromFields}. */
export const VERSION_FIELDS = ['version', 'at', 'content'] as const;

/** Null where no version was written yet. */
export function fromFields(fields: readonly (string | null | undefined)[]): ConfigText | null {
  const [version, at, text] = fields;
  if (version == null || at == null || text == null) return null;
  return { version: Number(version), at: Number(at), text };
}

/** A message is `<version> <at> <content>`, or `<version> <at>` for content that has to be read. */
export function fromMessage(message: string): { version: number; at: number; text: string | null } {
  const [head = '', version, at] = /^(\d+) (\d+)/.exec(message) ?? [];
  const text = message.length > head.length ? message.slice(head.length + 1) : null;
  return { version: Number(version), at: Number(at), text };
}

/**
 * Begins a change: from here on every change that began under a smaller fence is refused.
 * KEYS: config, lock. ARGV: fence, owner.
 * Returns [1, whether the lock is held here by the owner, version, at, content], or [0, greater fence].
 * The lock may lie on other servers (Redlock); then it is not seen here and the fences alone decide.
 * Repeating it changes nothing.
 */
export const BEGIN = scriptOf(`
local last = redis.call('HGET', KEYS[1], 'fence')
if last and tonumber(last) > tonumber(ARGV[1]) then return {0, last} end
redis.call('HSET', KEYS[1], 'fence', ARGV[1])
local held = redis.call('HEXISTS', KEYS[2], ARGV[2])
local stored = redis.call('HMGET', KEYS[1], 'version', 'at', 'content')
return {1, held, stored[1], stored[2], stored[3]}`);

/**
 * Makes the change: version, content and message, all or nothing.
 * KEYS: config, lock. ARGV: fence, version that was read ('0' = none), id of the change, owner where the lock
 * must still be held here (else ''), content, business id (or ''), longest content that rides in a message.
 * Returns [1, version, at] · [0, greater fence] · [-1, version that came between] · [-2] lock not held.
 * The new version is the present epoch µs or the last version + 1, whichever is greater, so that versions grow
 * also when Redis lost its data or a replica took over. A repeated call with the same id answers as the first.
 */
export const COMMIT = scriptOf(`
local key = KEYS[1]
local stored = redis.call('HMGET', key, 'version', 'fence', 'change', 'at')
if stored[3] == ARGV[3] then return {1, stored[1], stored[4]} end
if stored[2] and tonumber(stored[2]) > tonumber(ARGV[1]) then return {0, stored[2]} end
if (stored[1] or '0') ~= ARGV[2] then return {-1, stored[1] or '0'} end
if ARGV[4] ~= '' and redis.call('HEXISTS', KEYS[2], ARGV[4]) == 0 then return {-2} end
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
local version = string.format('%.0f', math.max(micros, tonumber(stored[1] or 0) + 1))
local at = string.format('%.0f', math.floor(micros / 1000))
redis.call('HSET', key, 'version', version, 'at', at, 'content', ARGV[5], 'change', ARGV[3], 'business', ARGV[6])
local message = version .. ' ' .. at
if #ARGV[5] <= tonumber(ARGV[7]) then message = message .. ' ' .. ARGV[5] end
redis.call('PUBLISH', key, message)
return {1, version, at}`);

/**
 * Notes which version a reader has, and forgets up to 100 readers that were not heard of in time.
 * KEYS: versions, seen. ARGV: reader, version, ms for which this counts.
 */
export const ACKNOWLEDGE = scriptOf(`
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[2], string.format('%.0f', now + ARGV[3]), ARGV[1])
local gone = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now), 'LIMIT', 0, 100)
if #gone > 0 then
  redis.call('ZREM', KEYS[1], unpack(gone))
  redis.call('ZREM', KEYS[2], unpack(gone))
end
redis.call('PEXPIRE', KEYS[1], ARGV[3] * 2)
redis.call('PEXPIRE', KEYS[2], ARGV[3] * 2)
return 1`);
