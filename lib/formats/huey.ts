import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import type { Bytes } from '@/lib/protocol/bytes';
import { NOISE, type LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

const PREFIX = 'huey.r.';
/** `huey.r.NAME.NAME.lock.LOCK`, both times the name of the same huey. */
const NAME = /^huey\.r\.([\s\S]{1,100}?)\.\1\.lock\./;

const hasItsName = (key: Bytes): boolean => key.startsWith(PREFIX) && NAME.test(key);

/**
 * huey's lock_task() with storage that expires results. With plain storage a lock is a field of the hash of all
 * results and cannot be told from them by events.
 */
export const huey: LockFormat = {
  ...STRING_LOCK,
  id: 'huey',
  name: 'huey',
  prefixes: [PREFIX],
  matchesKey: hasItsName,
  nameIsProof: true,
  recognise: (key, value) => {
    if (wholeString(value) === null || !hasItsName(key)) return null;
    return { certainty: 'certain', because: { id: 'huey-key' } };
  },
  decode: (_key, value) => decodeString(value, (token) => holderOf(token, { id: NO_OWNER_ID })),
  // The results of its tasks, and what else it keeps for them.
  sideKeys: {
    prefixes: [],
    head: PREFIX,
    read: (key) => (key.startsWith(PREFIX) && !hasItsName(key) ? NOISE : null),
  },
  expiry: 'none-by-default',
  renewal: 'none',
  waiters: 'never-waits',
  oldHolder: 'steals',
  releaseNotes: ['release-deletes', 'unchecked-unlock', 'never-waits'],
};
