import type { Bytes } from '@/lib/protocol/bytes';
import { NOISE, type ActiveJob, type Holder, type LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, UUID, UUID_NUMBER, wholeString } from './token';

export const BULL_PREFIX = 'bull:';

/** `PREFIX:QUEUE:JOB:lock`. */
const NAME = /^[^]+:[^]+:[^]+:lock$/;
export const isJobLock = (key: Bytes): boolean => key.endsWith(':lock') && NAME.test(key);

/** `PREFIX:QUEUE`, and the job's id: one word, or `repeat:HASH:TIME` of a job that comes again and again. */
const PARTS = /^([^]+?):(repeat:[^:]+:\d+|[^:]+):lock$/;

/** BullMQ's `moveToActive` and Bull's put a job's id into `PREFIX:QUEUE:active`; what ends its run takes it out. */
function activeJobOf(key: Bytes): ActiveJob | null {
  const [, queue, id] = PARTS.exec(key) ?? [];
  return queue === undefined || id === undefined ? null : { list: `${queue}:active`, id };
}

/** `<worker uuid>:<counter>`, or what a caller that processes jobs by hand gave. */
function readHolder(token: Bytes): Holder {
  const match = UUID_NUMBER.exec(token);
  return match ? holderOf(token, { instance: match[1], thread: match[2] }) : holderOf(token);
}

/** The lock of a running job. Read-only: a worker whose lock is deleted goes on while the job runs again. */
export const bullmq: LockFormat = {
  ...STRING_LOCK,
  id: 'bullmq',
  name: 'BullMQ',
  kind: 'job',
  prefixes: [BULL_PREFIX],
  matchesKey: isJobLock,
  nameIsProof: true,
  recognise: (key, value) => {
    const token = wholeString(value);
    if (token === null || !isJobLock(key)) return null;
    if (UUID_NUMBER.test(token)) {
      return { certainty: 'certain', because: { id: 'lock-end-uuid-number' } };
    }
    if (!key.startsWith(BULL_PREFIX) || UUID.test(token)) return null;
    return { certainty: 'certain', because: { id: 'bull-key' } };
  },
  decode: (_key, value) => decodeString(value, readHolder),
  sideKeys: {
    prefixes: [],
    head: BULL_PREFIX,
    read: (key) => (key.startsWith(BULL_PREFIX) && !key.endsWith(':lock') ? NOISE : null),
  },
  expiry: 'always',
  renewal: 'set',
  waiters: 'never-waits',
  activeJob: activeJobOf,
  release: null,
  releaseNotes: ['read-only', 'stalled'],
  readOnly: true,
};
