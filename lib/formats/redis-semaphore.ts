import type { Bytes } from '@/lib/protocol/bytes';
import { toMoment } from '@/lib/protocol/time';
import type { Decoded, Holder, LockFormat, RawValue } from './format';
import { RELEASE_MEMBERS, REMOVE_MEMBER } from './release-scripts';
import { holderOf, NO_COMPANIONS, UUID } from './token';

const PREFIX = 'semaphore:';
/** The library's default `lockTimeout`, used until a full lease has been seen. */
const DEFAULT_WINDOW_MS = 10_000;
const EARLIEST_SCORE = 1e12;
const UUID_LENGTH = 36;

/** `<uuid>` or, for a multi-semaphore, `<uuid>_<n>`. */
const isIdentifier = (member: Bytes): boolean =>
  UUID.test(member.slice(0, UUID_LENGTH)) && /^(_\d+)?$/.test(member.slice(UUID_LENGTH));

const hasItsShape = (value: RawValue | null): boolean =>
  value?.type === 'zset' &&
  value.members.length > 0 &&
  value.members.every(([member, score]) => isIdentifier(member) && score > EARLIEST_SCORE);

/** Whoever takes several permits at once has one member for each: `<id>_0`, `<id>_1`… */
function readMember(member: Bytes, rest: Partial<Holder>): Holder {
  const isOneOfSeveral = isIdentifier(member) && member.length > UUID_LENGTH;
  const parts = { instance: member.slice(0, UUID_LENGTH), thread: member.slice(UUID_LENGTH + 1) };
  return holderOf(member, isOneOfSeveral ? parts : {}, rest);
}

/** The score is the time of the last refresh by the client's clock; past score + window it no longer counts. */
function decode(value: RawValue, now: number, windowMs: number): Decoded {
  if (value.type !== 'zset') {
    return { holders: [], broken: 'key is used for something else', fence: null };
  }
  const holders = value.members.map(([member, score]) => {
    const deadline = toMoment(score + windowMs);
    return readMember(member, { deadline, stale: deadline <= now, role: 'permit' });
  });
  return { holders, broken: null, fence: null };
}

/** The semaphore of redis-semaphore: a zset of permits. The limit is not stored. */
export const redisSemaphore: LockFormat = {
  id: 'redis-semaphore',
  name: 'redis-semaphore',
  kind: 'semaphore',
  type: 'zset',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  nameIsProof: true,
  recognise: (key, value, context) => {
    if (value?.type !== 'zset') return null;
    if (key.startsWith(PREFIX)) {
      return { certainty: 'certain', because: { id: 'zset-prefix', prefix: PREFIX } };
    }
    if (!context.declared || !hasItsShape(value)) return null;
    return { certainty: 'likely', because: { id: 'zset-uuids' } };
  },
  decode: (_key, value, { now, leaseMs }) => decode(value, now, leaseMs ?? DEFAULT_WINDOW_MS),
  companions: () => NO_COMPANIONS,
  expiry: 'always',
  renewal: 'zadd',
  waiters: 'poll',
  shorterLeaseMeansFinished: false,
  release: RELEASE_MEMBERS,
  removeMember: REMOVE_MEMBER,
  releaseNotes: ['release-deletes', 'lock-lost', 'whole-group', 'wakes-nobody'],
  readOnly: false,
};
