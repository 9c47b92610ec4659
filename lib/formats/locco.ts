import type { LockFormat } from './format';
import { recogniseRandomHex } from './redlock';
import { STRING_LOCK } from './string-lock';

/** @kontsedal/locco: 16 random bytes in hex. */
export const locco: LockFormat = {
  ...STRING_LOCK,
  id: 'locco',
  name: '@kontsedal/locco',
  recognise: (_key, value, context) => recogniseRandomHex(value, context),
  expiry: 'always',
  renewal: 'set',
  releaseNotes: ['release-deletes', 'release-silent', 'wakes-nobody'],
};
