import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

const PREFIX = 'arq:in-progress:';

/**
 * arq (Python): some worker runs this job. The key names nobody, lasts as long as a job may, and stays for a
 * minute after a cron job, with a shorter lease.
 */
export const arq: LockFormat = {
  ...STRING_LOCK,
  id: 'arq',
  name: 'arq',
  kind: 'job',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  nameIsProof: true,
  recognise: (key, value) => {
    if (wholeString(value) === null || !key.startsWith(PREFIX)) return null;
    return { certainty: 'certain', because: { id: 'prefix', prefix: PREFIX } };
  },
  decode: (_key, value) => decodeString(value, (token) => holderOf(token, { id: NO_OWNER_ID })),
  expiry: 'always',
  renewal: 'none',
  waiters: 'never-waits',
  oldHolder: 'steals',
  shorterLeaseMeansFinished: true,
  releaseNotes: ['release-deletes', 'runs-twice', 'unchecked-unlock', 'never-waits'],
};
