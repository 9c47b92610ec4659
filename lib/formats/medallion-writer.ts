import type { Decoded, LockFormat, RawValue } from './format';
import { isMedallionId, medallionHolder, waitingWriter, WRITER } from './medallion-id';
import { STRING_LOCK } from './string-lock';
import { decodeString, wholeString } from './token';

function decode(value: RawValue): Decoded {
  const waiting = waitingWriter(wholeString(value) ?? '');
  if (waiting === null) {
    return decodeString(value, (token) => medallionHolder(token, { role: 'writer' }));
  }
  const waiters = [medallionHolder(waiting, { role: 'writer' })];
  return { holders: [], broken: null, fence: null, waiters };
}

/** The writer of Medallion's reader-writer lock; one that waits for its readers keeps the key as well. */
export const medallionWriter: LockFormat = {
  ...STRING_LOCK,
  id: 'medallion-writer',
  name: 'DistributedLock writer (Medallion)',
  kind: 'read-write',
  recognise: (key, value) => {
    const text = wholeString(value) ?? '';
    if (!key.endsWith(WRITER)) return null;
    if (!isMedallionId(text) && waitingWriter(text) === null) return null;
    return { certainty: 'certain', because: { id: 'machine-pid' } };
  },
  decode: (_key, value) => decode(value),
  waiters: 'beside',
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'waiting-writer', 'lost-token', 'wakes-nobody'],
};
