import type { Bytes } from '@/lib/protocol/bytes';
import type {
  BesideKeys,
  Decoded,
  LockFormat,
  RawValue,
  ReleaseScript,
  RemovalScript,
} from './format';
import { isMedallionId, medallionHolder, READERS, waitingWriter, WRITER } from './medallion-id';
import { NO_COMPANIONS, wholeString } from './token';

const writerKey = (key: Bytes): Bytes => key.slice(0, -READERS.length) + WRITER;

const membersOf = (value: RawValue | null): readonly Bytes[] =>
  value?.type === 'set' ? value.members : [];

function decode(key: Bytes, value: RawValue, beside: BesideKeys | undefined): Decoded {
  if (value.type !== 'set') {
    return { holders: [], broken: 'key is used for something else', fence: null };
  }
  const writer = wholeString(beside?.get(writerKey(key))?.value ?? null);
  const waiting = writer === null ? null : waitingWriter(writer);
  return {
    holders: value.members.map((member) => medallionHolder(member, { role: 'reader' })),
    broken: null,
    fence: null,
    waiters: waiting === null ? [] : [medallionHolder(waiting, { role: 'writer' })],
  };
}

const HEAD = `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {0} end
if kind ~= 'set' then return {-1} end`;

/** All readers that were seen, who must be inside still; others stay. */
const RELEASE: ReleaseScript = {
  lua: `${HEAD}
for i = 1, #ARGV do
  if redis.call('SISMEMBER', KEYS[1], ARGV[i]) == 0 then return {-1} end
end
for i = 1, #ARGV do redis.call('SREM', KEYS[1], ARGV[i]) end
return {1, -1}`,
  arguments: (key, seen) => ({ keys: [key], args: [...membersOf(seen)] }),
  repeatWake: null,
};

const REMOVE: RemovalScript = {
  lua: `${HEAD}
if redis.call('SREM', KEYS[1], ARGV[1]) == 0 then return {0} end
return {1, -1}`,
  arguments: (key, member) => ({ keys: [key], args: [member] }),
};

/**
 * The readers of Medallion's reader-writer lock: a set with one time to live for all, so that a dead reader
 * stays as long as others renew theirs.
 */
export const medallionReaders: LockFormat = {
  id: 'medallion-readers',
  name: 'DistributedLock readers (Medallion)',
  kind: 'read-write',
  type: 'set',
  prefixes: [],
  matchesKey: (key) => key.endsWith(READERS),
  nameIsProof: false,
  recognise: (key, value) => {
    const members = membersOf(value);
    if (!key.endsWith(READERS) || members.length === 0 || !members.every(isMedallionId)) {
      return null;
    }
    return { certainty: 'certain', because: { id: 'set-of-holders' } };
  },
  decode: (key, value, { beside }) => decode(key, value, beside),
  beside: (key) => (key.endsWith(READERS) ? [writerKey(key)] : []),
  companions: () => NO_COMPANIONS,
  expiry: 'always',
  renewal: 'expire',
  waiters: 'beside',
  shorterLeaseMeansFinished: false,
  release: RELEASE,
  removeMember: REMOVE,
  releaseNotes: ['members-removed', 'waiting-writer', 'lost-token', 'wakes-nobody'],
  readOnly: false,
};
