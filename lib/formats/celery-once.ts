import type { LockFormat } from './format';
import { isRecentUuid1, readUuid1Holder } from './redis-py';
import { STRING_LOCK } from './string-lock';
import { decodeString, wholeString } from './token';

const PREFIX = 'qo_';

/** celery-once (Python): redis-py's lock at `qo_TASK_ARGUMENT-VALUE…`, from queueing until the task is done. */
export const celeryOnce: LockFormat = {
  ...STRING_LOCK,
  id: 'celery-once',
  name: 'celery-once',
  kind: 'job',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  recognise: (key, value, { now }) => {
    if (!key.startsWith(PREFIX) || !isRecentUuid1(wholeString(value) ?? '', now)) return null;
    return { certainty: 'certain', because: { id: 'prefix-shape', prefix: PREFIX } };
  },
  decode: (_key, value) => decodeString(value, readUuid1Holder),
  expiry: 'always',
  renewal: 'none',
  waiters: 'never-waits',
  oldHolder: 'steals',
  releaseNotes: ['release-deletes', 'queued-twice', 'unchecked-unlock', 'never-waits'],
};
