import type { LockFormat } from './format';
import { recogniseRandomHex } from './redlock';
import { STRING_LOCK } from './string-lock';

/** redlock-universal: 16 random bytes in hex, renewed with PEXPIRE, by which it is told from redlock. */
export const redlockUniversal: LockFormat = {
  ...STRING_LOCK,
  id: 'redlock-universal',
  name: 'redlock-universal',
  recognise: (_key, value, context) => recogniseRandomHex(value, context),
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'abort-signal', 'wakes-nobody', 'every-node'],
};
