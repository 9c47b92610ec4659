import { toMoment } from '@/lib/protocol/time';
import type { Decoded, LockFormat, RawValue } from './format';
import { isMedallionId, medallionHolder } from './medallion-id';
import { RELEASE_MEMBERS, REMOVE_MEMBER } from './release-scripts';
import { NO_COMPANIONS } from './token';

/** The score is the ticket's end by Redis's clock; past it the ticket is free. */
function decode(value: RawValue, now: number, clockMs: number): Decoded {
  if (value.type !== 'zset') {
    return { holders: [], broken: 'key is used for something else', fence: null };
  }
  const holders = value.members.map(([member, score]) => {
    const deadline = toMoment(score + clockMs);
    return medallionHolder(member, { role: 'permit', deadline, stale: deadline <= now });
  });
  return { holders, broken: null, fence: null };
}

/** Medallion's semaphore: a zset of tickets. How many there are is not stored. */
export const medallionSemaphore: LockFormat = {
  id: 'medallion-semaphore',
  name: 'DistributedLock semaphore (Medallion)',
  kind: 'semaphore',
  type: 'zset',
  prefixes: [],
  matchesKey: () => true,
  nameIsProof: false,
  recognise: (_key, value) =>
    value?.type === 'zset' &&
    value.members.length > 0 &&
    value.members.every(([member]) => isMedallionId(member))
      ? { certainty: 'certain', because: { id: 'machine-pid' } }
      : null,
  decode: (_key, value, { now, clockMs = 0 }) => decode(value, now, clockMs),
  companions: () => NO_COMPANIONS,
  expiry: 'always',
  renewal: 'zadd',
  scores: 'deadlines',
  waiters: 'poll',
  shorterLeaseMeansFinished: false,
  release: RELEASE_MEMBERS,
  removeMember: REMOVE_MEMBER,
  releaseNotes: ['members-removed', 'lost-token', 'wakes-nobody'],
  readOnly: false,
};
