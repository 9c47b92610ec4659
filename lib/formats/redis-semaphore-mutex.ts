import type { LockFormat } from './format';
import { RELEASE_STRING } from './release-scripts';
import { decodeString, holderOf, NO_COMPANIONS, UUID, wholeString } from './token';

const PREFIX = 'mutex:';

/** The mutex of redis-semaphore; an application may set its own identifier instead of the uuid. */
export const redisSemaphoreMutex: LockFormat = {
  id: 'redis-semaphore-mutex',
  name: 'redis-semaphore mutex',
  kind: 'mutex',
  type: 'string',
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
  decode: (_key, value) => decodeString(value, holderOf),
  companions: () => NO_COMPANIONS,
  expiry: 'always',
  renewal: 'expire',
  waiters: 'poll',
  shorterLeaseMeansFinished: false,
  release: RELEASE_STRING,
  releaseNotes: ['release-deletes', 'lock-lost', 'wakes-nobody'],
  readOnly: false,
};
