import type { Bytes } from '@/lib/protocol/bytes';
import { toMoment } from '@/lib/protocol/time';
import type { Decoded, Holder, LockFormat, RawValue } from './format';
import { decodeHolders, redisson } from './redisson';
import { holderOf, reentryCount, UUID_NUMBER, UUID_SOURCE } from './token';

const HASHED_SOURCE = '[A-Za-z0-9+/]{22}(?:==)?';
/** A value that is locked, as 128 bits of its hash. */
const HASHED = new RegExp(`^${HASHED_SOURCE}$`);
const DETAIL = new RegExp(
  `^${HASHED_SOURCE}:${UUID_SOURCE}:-?\\d{1,20}(?::.+)?:(?:expire_time|lock_count)$`,
);

/** What each of the values is held by, and the details of each hold; null for any other hash. */
function contentOf(value: RawValue | null) {
  const holders: [Bytes, Bytes][] = [];
  const details = new Map<Bytes, number>();
  for (const [field, text] of value?.type === 'hash' ? value.fields : []) {
    const number = reentryCount(text);
    if (HASHED.test(field) && UUID_NUMBER.test(text)) holders.push([field, text]);
    else if (number !== null && DETAIL.test(field)) details.set(field, number);
    else return null;
  }
  return holders.length > 0 ? { holders, details } : null;
}

/** One holder has as many values as it took together: it holds something until the last of its deadlines. */
function decode(value: RawValue, now: number): Decoded {
  const content = contentOf(value);
  if (!content) return decodeHolders(null);
  const byOwner = new Map<Bytes, Holder>();
  for (const [field, owner] of content.holders) {
    const match = UUID_NUMBER.exec(owner);
    const at = content.details.get(`${field}:${owner}:expire_time`);
    const depth = content.details.get(`${field}:${owner}:lock_count`) ?? 1;
    const before = byOwner.get(owner);
    const deadline = Math.max(at ?? 0, before?.deadline ?? 0);
    byOwner.set(
      owner,
      holderOf(
        owner,
        { instance: match?.[1] ?? null, thread: match?.[2] ?? null },
        {
          depth: Math.max(depth, before?.depth ?? 1),
          deadline: deadline > 0 ? toMoment(deadline) : null,
          stale: deadline > 0 && deadline <= now,
        },
      ),
    );
  }
  return decodeHolders([...byOwner.values()]);
}

/**
 * Redisson's RedissonFasterMultiLock: one hash for a group of values, each held by `<client uuid>:<thread>`
 * until a deadline of its own; the key lives as long as the longest.
 */
export const redissonMultiLock: LockFormat = {
  ...redisson,
  id: 'redisson-multi-lock',
  name: 'Redisson multi-lock',
  recognise: (_key, value) =>
    contentOf(value) && { certainty: 'certain', because: { id: 'multi-lock-fields' } },
  decode: (_key, value, { now }) => decode(value, now),
  ownLeases: true,
  releaseNotes: ['release-deletes', 'wakes-waiters', 'watchdog-stops'],
};
