import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { BesideKeys, Holder, LockFormat, RawValue, ReleaseScript, WakeScript } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

const PREFIX = 'lock:';
const SIGNAL_PREFIX = 'lock-signal:';
const ID = 'python-redis-lock';
/** 18 random bytes in base64; 24 hex digits are rather an object's id. */
const BASE64_18 = /^(?![0-9a-f]{24}$)[A-Za-z0-9+/]{24}$/;
/** An application may say `host:pid` instead. */
const HOST_PID = /^([^:\s]{1,255}):(\d{1,10})$/;
/** As long as a signal waits for somebody to take it (`signal_expire`). */
const SIGNAL_MS = 1000;

/** The list in which a waiter blocks. */
const signalKey = (key: Bytes): Bytes => SIGNAL_PREFIX + key.slice(PREFIX.length);

function readHolder(token: Bytes): Holder {
  const match = HOST_PID.exec(token);
  if (!match) return holderOf(token);
  return holderOf(token, { host: printable(match[1] ?? ''), pid: Number(match[2]) });
}

const hasSignal = (key: Bytes, beside: BesideKeys | undefined): boolean =>
  beside?.get(signalKey(key))?.value?.type === 'list';

/**
 * Whoever is blocked in BLPOP gets the one element; with nobody there it goes by itself. A user who may not set
 * a time to live is refused before anything has changed, so that no signal stays for ever.
 */
const SIGNAL_LUA = `
redis.call('PEXPIRE', KEYS[2], ${SIGNAL_MS})
redis.call('DEL', KEYS[2])
redis.call('LPUSH', KEYS[2], '1')
redis.call('PEXPIRE', KEYS[2], ${SIGNAL_MS})`;

/** As its reset(), of the value that was seen only. */
const RELEASE: ReleaseScript = {
  lua: `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'string' or redis.call('GET', KEYS[1]) ~= ARGV[1] then return {-1} end${SIGNAL_LUA}
redis.call('DEL', KEYS[1])
return {1, -1}`,
  arguments: (key, seen) => ({
    keys: [key, signalKey(key)],
    args: [seen.type === 'string' ? seen.bytes : ''],
  }),
  repeatWake: null,
};

/** A lapse pushes no signal. Nobody is blocked on a list that has an element. */
const WAKE: WakeScript = {
  lua: `
if redis.call('EXISTS', KEYS[1]) == 1 then return {-1} end
if redis.call('TYPE', KEYS[2]).ok == 'list' then return {0} end${SIGNAL_LUA}
return {1, -1}`,
  arguments: (key) => ({ keys: [key, signalKey(key)], args: [] }),
};

/**
 * python-redis-lock. Waiters block on a list beside the lock; the list shows only while a signal was pushed
 * and nobody took it, and tells the library also where the application chose the value.
 */
export const pythonRedisLock: LockFormat = {
  ...STRING_LOCK,
  id: ID,
  name: ID,
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  recognise: (key, value, { beside, knownAs }) => {
    if (!key.startsWith(PREFIX) || !isStringOrAbsent(value)) return null;
    if (hasSignal(key, beside)) return { certainty: 'certain', because: { id: 'signal-list' } };
    if (value === null) return null;
    if (BASE64_18.test(wholeString(value) ?? '')) {
      return { certainty: 'likely', because: { id: 'base64-18-bytes' } };
    }
    return knownAs === ID ? { certainty: 'likely', because: { id: 'signal-list' } } : null;
  },
  decode: (_key, value) => decodeString(value, readHolder),
  // Of a value that the application chose the events of the list tell.
  beside: (key, value) =>
    key.startsWith(PREFIX) && BASE64_18.test(wholeString(value) ?? '') ? [signalKey(key)] : [],
  sideKeys: {
    prefixes: [SIGNAL_PREFIX],
    head: SIGNAL_PREFIX,
    read: (key) =>
      key.startsWith(SIGNAL_PREFIX)
        ? { parent: PREFIX + key.slice(SIGNAL_PREFIX.length), isBeside: true }
        : null,
  },
  expiry: 'none-by-default',
  renewal: 'expire',
  waiters: 'blocked',
  blockedIn: 'blpop',
  release: RELEASE,
  wake: WAKE,
  releaseNotes: ['release-deletes', 'wakes-one', 'lapse-wakes-nobody', 'release-raises'],
};

const isStringOrAbsent = (value: RawValue | null): boolean =>
  value === null || wholeString(value) !== null;
