import type { Bytes } from '@/lib/protocol/bytes';
import { NOISE, type LockFormat } from './format';
import { isRecentUuid1, readUuid1Holder } from './redis-py';
import { STRING_LOCK } from './string-lock';
import { decodeString, wholeString } from './token';

const PREFIX = 'redbeat:';
/** As long as neither `redbeat_key_prefix` nor `redbeat_lock_key` is set. */
const DEFAULT_KEY = 'redbeat::lock';

const hasItsName = (key: Bytes): boolean => key.startsWith(PREFIX) && key.endsWith(':lock');

/** RedBeat (Celery): redis-py's lock, extended in each round of the one beat that schedules. */
export const redbeat: LockFormat = {
  ...STRING_LOCK,
  id: 'redbeat',
  name: 'RedBeat',
  prefixes: [PREFIX],
  matchesKey: hasItsName,
  nameIsProof: true,
  recognise: (key, value, { now }) => {
    const token = wholeString(value);
    if (token === null || !hasItsName(key)) return null;
    if (isRecentUuid1(token, now)) {
      return { certainty: 'certain', because: { id: 'prefix-shape', prefix: PREFIX } };
    }
    if (key !== DEFAULT_KEY) return null;
    return { certainty: 'likely', because: { id: 'prefix', prefix: PREFIX } };
  },
  decode: (_key, value) => decodeString(value, readUuid1Holder),
  sideKeys: {
    prefixes: [],
    head: PREFIX,
    read: (key) => (key.startsWith(PREFIX) && !hasItsName(key) ? NOISE : null),
  },
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'next-beat', 'extension-raises', 'wakes-nobody'],
};
