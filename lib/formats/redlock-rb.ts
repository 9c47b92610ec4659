import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { namesLock, UUID_4, wholeString } from './token';

/** redlock-rb (Ruby). An extension makes a deleted key anew, unless it is told to extend only what is locked. */
export const redlockRb: LockFormat = {
  ...STRING_LOCK,
  id: 'redlock-rb',
  name: 'redlock-rb',
  recognise: (key, value, { declared }) => {
    if (!UUID_4.test(wholeString(value) ?? '') || !(declared || namesLock(key))) return null;
    return { certainty: 'likely', because: { id: 'uuid' } };
  },
  expiry: 'always',
  renewal: 'set',
  oldHolder: 'revives',
  releaseNotes: ['release-deletes', 'unlock-silent', 'made-anew', 'wakes-nobody', 'every-node'],
};
