import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Holder, LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

const PREFIX = 'rq:scheduler-lock:';
const PID = /^\d{1,10}$/;

/** The scheduler's name; RQ 1 and 2 wrote its process id. */
function readHolder(token: Bytes): Holder {
  if (PID.test(token)) return holderOf(token, { pid: Number(token) });
  return holderOf(token, { instance: printable(token) || null });
}

/** The lock of RQ's scheduler: who moves the due jobs of a queue. */
export const rqScheduler: LockFormat = {
  ...STRING_LOCK,
  id: 'rq-scheduler',
  name: 'RQ scheduler',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  nameIsProof: true,
  recognise: (key, value) => {
    if (wholeString(value) === null || !key.startsWith(PREFIX)) return null;
    return { certainty: 'certain', because: { id: 'prefix', prefix: PREFIX } };
  },
  decode: (_key, value) => decodeString(value, readHolder),
  expiry: 'always',
  renewal: 'expire',
  oldHolder: 'steals',
  releaseNotes: ['release-deletes', 'unchecked-unlock', 'taken-again', 'wakes-nobody'],
};
