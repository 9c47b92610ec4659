import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { namesLock, UUID_4, wholeString } from './token';

/** aioredlock (Python). Its watchdog extends by SET and so makes a deleted key anew. */
export const aioredlock: LockFormat = {
  ...STRING_LOCK,
  id: 'aioredlock',
  name: 'aioredlock',
  recognise: (key, value, { declared }) => {
    if (!UUID_4.test(wholeString(value) ?? '') || !(declared || namesLock(key))) return null;
    return { certainty: 'likely', because: { id: 'uuid' } };
  },
  expiry: 'always',
  renewal: 'set',
  oldHolder: 'revives',
  releaseNotes: ['release-deletes', 'made-anew', 'wakes-nobody', 'every-node'],
};
