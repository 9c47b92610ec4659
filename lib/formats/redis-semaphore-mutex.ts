import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { UUID, wholeString } from './token';

const PREFIX = 'mutex:';

/** The mutex of redis-semaphore; an application may set its own identifier instead of the uuid. */
export const redisSemaphoreMutex: LockFormat = {
  ...STRING_LOCK,
  id: 'redis-semaphore-mutex',
  name: 'redis-semaphore mutex',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  nameIsProof: true,
  recognise: (key, value) => {
    const token = wholeString(value);
    if (token === null || !key.startsWith(PREFIX)) return null;
    return UUID.test(token)
      ? { certainty: 'certain', because: { id: 'prefix-uuid', prefix: PREFIX } }
      : { certainty: 'likely', because: { id: 'prefix', prefix: PREFIX } };
  },
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'lock-lost', 'wakes-nobody'],
};
