import type { LockFormat } from './format';
import { isMedallionId, medallionHolder, WRITER } from './medallion-id';
import { STRING_LOCK } from './string-lock';
import { decodeString, wholeString } from './token';

/** The mutex of DistributedLock.Redis (Medallion), of any name. */
export const medallion: LockFormat = {
  ...STRING_LOCK,
  id: 'medallion',
  name: 'DistributedLock (Medallion)',
  recognise: (key, value) =>
    isMedallionId(wholeString(value) ?? '') && !key.endsWith(WRITER)
      ? { certainty: 'certain', because: { id: 'machine-pid' } }
      : null,
  decode: (_key, value) => decodeString(value, medallionHolder),
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'lost-token', 'wakes-nobody'],
};
