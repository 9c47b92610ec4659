import { printable } from '@/lib/protocol/bytes';
import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

const PREFIX = 'SINGLETONLOCK_';

/** celery-singleton (Python): `SINGLETONLOCK_<md5>` holds the id of the task that is queued or running. */
export const celerySingleton: LockFormat = {
  ...STRING_LOCK,
  id: 'celery-singleton',
  name: 'celery-singleton',
  kind: 'job',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  nameIsProof: true,
  recognise: (key, value) => {
    if (wholeString(value) === null || !key.startsWith(PREFIX)) return null;
    return { certainty: 'certain', because: { id: 'prefix', prefix: PREFIX } };
  },
  decode: (_key, value) =>
    decodeString(value, (task) => holderOf(task, { thread: printable(task) })),
  expiry: 'none-by-default',
  renewal: 'none',
  waiters: 'never-waits',
  oldHolder: 'steals',
  releaseNotes: [
    'release-deletes',
    'lost-worker',
    'queued-twice',
    'unchecked-unlock',
    'never-waits',
  ],
};
