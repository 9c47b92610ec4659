import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Holder, LockFormat } from './format';
import { RELEASE_STRING } from './release-scripts';
import { decodeString, holderOf, NO_COMPANIONS, wholeString } from './token';

/** `ADDED:<UTC time>@<host>:<uuid>` (InternalRedisLockProvider); the host may itself contain colons. */
const VALUE = /^ADDED:(\d{4}-\d\d-\d\dT[0-9:.]{5,20}Z)@([\s\S]*):([^:]*)$/;

function readHolder(token: Bytes): Holder {
  const match = VALUE.exec(token);
  if (!match) return holderOf(token);
  const at = Date.parse(match[1] ?? '');
  return holderOf(
    token,
    { host: printable(match[2] ?? '') },
    { tokenTime: Number.isNaN(at) ? null : { at, means: 'taken' } },
  );
}

/** ShedLock's Redis providers. `lockAtLeastFor` keeps the key after the work, with a shorter lease. */
export const shedlock: LockFormat = {
  id: 'shedlock',
  name: 'ShedLock',
  kind: 'mutex',
  type: 'string',
  prefixes: ['job-lock:'],
  matchesKey: () => true,
  nameIsProof: true,
  recognise: (key, value) => {
    const token = wholeString(value);
    if (token !== null && VALUE.test(token)) {
      return { certainty: 'certain', because: { id: 'added-time-host' } };
    }
    if (token === null || !key.startsWith('job-lock:')) return null;
    return { certainty: 'likely', because: { id: 'prefix', prefix: 'job-lock:' } };
  },
  decode: (_key, value) => decodeString(value, readHolder),
  companions: () => NO_COMPANIONS,
  expiry: 'always',
  renewal: 'set',
  waiters: 'never-waits',
  oldHolder: 'steals',
  shorterLeaseMeansFinished: true,
  release: RELEASE_STRING,
  releaseNotes: ['release-deletes', 'runs-again', 'unchecked-unlock', 'never-waits'],
  readOnly: false,
};
