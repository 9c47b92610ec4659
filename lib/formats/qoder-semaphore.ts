import { toMoment } from '@/lib/protocol/time';
import type { Decoded, LockFormat, RawValue } from './format';
import { ownReason, qoder } from './qoder';
import { ownerParts } from './qoder-owner';
import { RELEASE_OWN_MEMBERS, WAKE_OWN_MEMBERS } from './qoder-release';
import { holderOf } from './token';

/** The score is the member's own deadline by Redis's clock; past it the member holds nothing. */
function decode(value: RawValue, now: number, clockMs: number): Decoded {
  if (value.type !== 'zset') {
    return { holders: [], broken: 'key is used for something else', fence: null };
  }
  const holders = value.members.map(([member, score]) => {
    const deadline = toMoment(score + clockMs);
    return holderOf(member, ownerParts(member), { deadline, stale: deadline <= now });
  });
  return { holders, broken: null, fence: null };
}

/** The semaphore of Lockscope's own client: a sorted set of owners and their deadlines. */
export const qoderSemaphore: LockFormat = {
  ...qoder,
  id: 'qoder-semaphore',
  name: 'QoderWake semaphore',
  kind: 'semaphore',
  type: 'zset',
  prefixes: [],
  nameIsProof: false,
  recognise: (key, value) => {
    if (value?.type !== 'zset') return null;
    const because = ownReason(
      key,
      value.members.map(([member]) => member),
    );
    return because && { certainty: 'certain', because };
  },
  decode: (_key, value, { now, clockMs = 0 }) => decode(value, now, clockMs),
  scores: 'deadlines',
  renewal: 'zadd',
  release: RELEASE_OWN_MEMBERS,
  wake: WAKE_OWN_MEMBERS,
  releaseNotes: ['members-removed', 'wakes-head', 'holder-told'],
  hasForeignWaiters: false,
  byType: {},
};
