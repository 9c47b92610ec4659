import type { Bytes } from '@/lib/protocol/bytes';
import type { LockFormat, ReleaseScript, WakeScript } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, namesLock, UUID, wholeString } from './token';

/** A registry's own key may have colons too, and only its application knows where it ends. */
const MAX_REGISTRIES = 8;

/** `REGISTRY-channel:KEY` for every registry that the key may be of (RedisLockRegistry, PUB_SUB_LOCK). */
function unlockChannels(key: Bytes): Bytes[] {
  const channels: Bytes[] = [];
  let end = key.indexOf(':');
  while (end >= 0 && channels.length < MAX_REGISTRIES) {
    channels.push(`${key.slice(0, end)}-channel:${key}`);
    end = key.indexOf(':', end + 1);
  }
  return channels;
}

/** `first` is the index of the first channel in ARGV. */
const publishLua = (first: number): string => `
local woken = 0
for i = ${first}, #ARGV do woken = woken + redis.call('PUBLISH', ARGV[i], KEYS[1]) end`;

const RELEASE: ReleaseScript = {
  lua: `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'string' or redis.call('GET', KEYS[1]) ~= ARGV[1] then return {-1} end${publishLua(2)}
redis.call('DEL', KEYS[1])
return {1, woken}`,
  arguments: (key, seen) => ({
    keys: [key],
    args: [seen.type === 'string' ? seen.bytes : '', ...unlockChannels(key)],
  }),
  repeatWake: null,
};

const WAKE: WakeScript = {
  lua: `
if redis.call('EXISTS', KEYS[1]) == 1 then return {-1} end${publishLua(1)}
if woken == 0 then return {0} end
return {1, woken}`,
  arguments: (key) => ({ keys: [key], args: unlockChannels(key) }),
};

/**
 * Spring Integration's RedisLockRegistry: `REGISTRY:NAME`, its value the uuid of the registry object, which all
 * threads of a process share. Waiters poll, or listen by a pattern that no count of subscribers shows.
 */
export const springRegistry: LockFormat = {
  ...STRING_LOCK,
  id: 'spring-registry',
  name: 'Spring Integration',
  recognise: (key, value, { declared }) => {
    if (!UUID.test(wholeString(value) ?? '') || !key.includes(':')) return null;
    if (!declared && !namesLock(key)) return null;
    return { certainty: 'likely', because: { id: 'uuid' } };
  },
  decode: (_key, value) =>
    decodeString(value, (token) => holderOf(token, UUID.test(token) ? { instance: token } : {})),
  listensByPattern: true,
  expiry: 'always',
  renewal: 'expire',
  release: RELEASE,
  wake: WAKE,
  releaseNotes: ['release-deletes', 'wakes-waiters', 'unlock-raises', 'per-process'],
};
