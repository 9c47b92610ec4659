import { bullmq, BULL_PREFIX, isJobLock } from './bullmq';
import type { LockFormat } from './format';
import { decodeString, holderOf, UUID, wholeString } from './token';

/** Bull 3 and 4: a job's lock holds the uuid of the queue object that runs it. Read-only as BullMQ's. */
export const bull: LockFormat = {
  ...bullmq,
  id: 'bull',
  name: 'Bull',
  // The name alone is BullMQ's as well.
  nameIsProof: false,
  recognise: (key, value) => {
    if (!isJobLock(key) || !UUID.test(wholeString(value) ?? '')) return null;
    const certainty = key.startsWith(BULL_PREFIX) ? 'certain' : 'likely';
    return { certainty, because: { id: 'lock-end-uuid' } };
  },
  decode: (_key, value) =>
    decodeString(value, (token) => holderOf(token, UUID.test(token) ? { instance: token } : {})),
};
