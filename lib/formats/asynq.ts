import { printable, type Bytes } from '@/lib/protocol/bytes';
import { NOISE, type LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

const PREFIX = 'asynq:{';
/** `asynq:{QUEUE}:unique:TYPE:<md5 of the payload>`; the end is empty where there is no payload. */
const NAME = /^asynq:\{[^}]+\}:unique:/;

const hasItsName = (key: Bytes): boolean => key.startsWith(PREFIX) && NAME.test(key);

/** asynq (Go): a task that is unique is queued or running while its key is there, which holds the task's id. */
export const asynq: LockFormat = {
  ...STRING_LOCK,
  id: 'asynq',
  name: 'asynq',
  kind: 'job',
  prefixes: [PREFIX],
  matchesKey: hasItsName,
  nameIsProof: true,
  recognise: (key, value) => {
    if (wholeString(value) === null || !hasItsName(key)) return null;
    return { certainty: 'certain', because: { id: 'prefix', prefix: PREFIX } };
  },
  decode: (_key, value) =>
    decodeString(value, (task) => holderOf(task, { thread: printable(task) })),
  // Its queues' keys move with every task.
  sideKeys: {
    prefixes: [],
    head: PREFIX,
    read: (key) => (key.startsWith(PREFIX) && !hasItsName(key) ? NOISE : null),
  },
  expiry: 'always',
  renewal: 'none',
  waiters: 'never-waits',
  releaseNotes: ['release-deletes', 'queued-twice', 'checked-done', 'never-waits'],
};
