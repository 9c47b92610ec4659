import type { Bytes } from '@/lib/protocol/bytes';
import type { Holder, LockFormat } from './format';
import { decodeHolders, hashHolders, redisson } from './redisson';
import { RELEASE_HASH } from './release-scripts';
import { holderOf, UUID_UUID } from './token';

/** `<instance uuid>:<client uuid>` where Redisson has a thread number. */
function readHolder(field: Bytes, depth: number): Holder | null {
  const match = UUID_UUID.exec(field);
  return match && holderOf(field, { instance: match[1], thread: match[2] }, { depth });
}

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
    ...RELEASE_HASH,
    // It tests, subscribes and only then waits: a message in between is missed.
    repeatWake: (key) =>
      redisson.companions(key).channels.map((channel) => ({ channel, message: '0' })),
  },
  releaseNotes: ['release-deletes', 'wakes-waiters', 'renewal-fails'],
};
