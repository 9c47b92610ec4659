import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Decoded, Holder, LockFormat, RawValue } from './format';
import { decodeHolders, redisson } from './redisson';
import { RELEASE_HASH_OR_STRING } from './release-scripts';
import { decodeString, holderOf, reentryCount } from './token';

const PREFIX = 'qoder:lock:';

/** `<instance>:<task>`; a token without a colon names the instance alone. */
function readHolder(token: Bytes, depth: number): Holder {
  const colon = token.indexOf(':');
  if (colon < 0) return holderOf(token, { instance: printable(token) }, { depth });
  return holderOf(
    token,
    { instance: printable(token.slice(0, colon)), thread: printable(token.slice(colon + 1)) },
    { depth },
  );
}

/** Holder fields are those with a colon and a count; other fields describe the hold. */
function readHash(value: RawValue): Holder[] | null {
  if (value.type !== 'hash') return null;
  const holders = value.fields.flatMap(([field, count]) => {
    const depth = reentryCount(count);
    return depth !== null && field.includes(':') ? [readHolder(field, depth)] : [];
  });
  return holders.length > 0 ? holders : null;
}

function decode(value: RawValue): Decoded {
  if (value.type === 'string') return decodeString(value, (token) => readHolder(token, 1));
  return decodeHolders(readHash(value));
}

/** Locks of Lockscope's own client: Redisson's layout and channels under a prefix of their own. */
export const qoder: LockFormat = {
  ...redisson,
  id: 'qoder',
  name: 'QoderWake',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  nameIsProof: true,
  recognise: (key) =>
    key.startsWith(PREFIX)
      ? { certainty: 'certain', because: { id: 'prefix', prefix: PREFIX } }
      : null,
  decode: (_key, value) => decode(value),
  release: RELEASE_HASH_OR_STRING,
  releaseNotes: ['release-deletes', 'wakes-waiters', 'renewal-fails'],
  // A plain string is set by clients that know no channels.
  byType: {
    string: { waiters: 'poll', releaseNotes: ['release-deletes', 'wakes-nobody', 'renewal-fails'] },
  },
};
