import type { Bytes } from '@/lib/protocol/bytes';
import { NOISE, type Holder, type LockFormat } from './format';
import { decodeString, holderOf, NO_COMPANIONS, UUID, UUID_NUMBER, wholeString } from './token';

const BULL_PREFIX = 'bull:';

/** `PREFIX:QUEUE:JOB:lock`. */
const NAME = /^[^]+:[^]+:[^]+:lock$/;
const hasItsName = (key: Bytes): boolean => key.endsWith(':lock') && NAME.test(key);

/** `<worker uuid>:<counter>` (bullmq) or `<queue uuid>` (bull 3 and 4). */
function readHolder(token: Bytes): Holder {
  const match = UUID_NUMBER.exec(token);
  if (match) return holderOf(token, { instance: match[1], thread: match[2] });
  return UUID.test(token) ? holderOf(token, { instance: token }) : holderOf(token);
}

/** The lock of a running job. Read-only: a worker whose lock is deleted goes on while the job runs again. */
export const bullmq: LockFormat = {
  id: 'bullmq',
  name: 'BullMQ',
  kind: 'job',
  type: 'string',
  prefixes: [BULL_PREFIX],
  matchesKey: hasItsName,
  nameIsProof: true,
  recognise: (key, value) => {
    const token = wholeString(value);
    if (token === null || !hasItsName(key)) return null;
    if (UUID_NUMBER.test(token)) {
      return { certainty: 'certain', because: { id: 'lock-end-uuid-number' } };
    }
    if (!key.startsWith(BULL_PREFIX)) return null;
    return { certainty: 'certain', because: { id: 'bull-key' } };
  },
  decode: (_key, value) => decodeString(value, readHolder),
  companions: () => NO_COMPANIONS,
  sideKeys: {
    prefixes: [],
    read: (key) => (key.startsWith(BULL_PREFIX) && !key.endsWith(':lock') ? NOISE : null),
  },
  expiry: 'always',
  renewal: 'set',
  waiters: 'never-waits',
  shorterLeaseMeansFinished: false,
  release: null,
  releaseNotes: ['read-only', 'stalled'],
  readOnly: true,
};
