import type { Bytes } from '@/lib/protocol/bytes';
import type { Holder, LockFormat } from './format';
import { decodeHolders, hashHolders, redisson } from './redisson';
import { fieldsOf, hashArguments, hashReleaseLua, lockWakeUp, wakeLua } from './redisson-scripts';
import { holderOf, UUID_UUID } from './token';

/** `<instance uuid>:<client uuid>` where Redisson has a thread number. */
function readHolder(field: Bytes, depth: number): Holder | null {
  const match = UUID_UUID.exec(field);
  return match && holderOf(field, { instance: match[1], thread: match[2] }, { depth });
}

/** In streams mode every instance reads this one, whichever locks it waits for. */
const EVENTS = 'redisson:events';

/**
 * KEYS[4]: the stream; its readers cannot be counted. The library makes it at its first unlock, so that before
 * that its absence does not tell the mode: where the channel woke nobody, it is made for as long as a blocked
 * reader needs.
 */
const TELL_STREAM = `
local stream = redis.call('TYPE', KEYS[4]).ok
if stream == 'stream' or (stream == 'none' and woken == 0) then
  if stream == 'none' then redis.call('PEXPIRE', KEYS[4], 10000) end
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', 100, '*', ARGV[3 + channels], message)
  if stream == 'none' then
    redis.call('PEXPIRE', KEYS[4], 10000)
  elseif woken == 0 then
    woken = -1
  end
end`;

const withStream = ({ keys, args }: ReturnType<typeof hashArguments>) => ({
  keys: [...keys, EVENTS],
  args,
});

/** node-redisson 1.x: Redisson's layout and channels from Node. */
export const nodeRedisson: LockFormat = {
  ...redisson,
  id: 'node-redisson',
  name: 'node-redisson',
  recognise: (_key, value) =>
    hashHolders(value, readHolder) && {
      certainty: 'certain',
      because: { id: 'hash-uuid-uuid' },
    },
  decode: (_key, value) => decodeHolders(hashHolders(value, readHolder)),
  release: {
    lua: hashReleaseLua({ rest: TELL_STREAM }),
    arguments: (key, seen, now) =>
      withStream(hashArguments(key, lockWakeUp(key), { now, fields: fieldsOf(seen) })),
    // It tests, subscribes and only then waits: a message in between is missed.
    repeatWake: (key) =>
      redisson.companions(key).channels.map((channel) => ({ channel, message: '0' })),
  },
  wake: {
    lua: wakeLua(TELL_STREAM),
    arguments: (key, now) => withStream(hashArguments(key, lockWakeUp(key), { now })),
  },
  // In streams mode nobody listens on the channel, and every instance reads the stream, whether it waits or not.
  blockedIn: 'xread',
  releaseNotes: ['release-deletes', 'wakes-waiters', 'wakes-stream', 'renewal-fails'],
};
