import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { namesLock, UUID_4, wholeString } from './token';

/** @microfleet/ioredis-lock: a version 4 uuid, one per lock object, at a name of the application's choice. */
export const ioredisLock: LockFormat = {
  ...STRING_LOCK,
  id: 'ioredis-lock',
  name: '@microfleet/ioredis-lock',
  recognise: (key, value, { declared }) => {
    const token = wholeString(value) ?? '';
    if (!UUID_4.test(token) || !(declared || namesLock(key))) return null;
    return { certainty: 'likely', because: { id: 'uuid' } };
  },
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'release-raises', 'wakes-nobody'],
};
