import type { Bytes } from '@/lib/protocol/bytes';
import type { Holder, LockFormat } from './format';
import { RELEASE_STRING } from './release-scripts';
import { decodeString, HEX_32, holderOf, NO_COMPANIONS, wholeString } from './token';

/** 1582-10-15 to 1970-01-01 in ms: where the clock of a version 1 uuid starts (RFC 9562 §5.1). */
const GREGORIAN_OFFSET_MS = 12_219_292_800_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * One random value in 64 has the bits of a version 1 uuid, and of those one in three thousand has a time
 * within these. The past reaches far, because such a lock has no expiry by default.
 */
const PLAUSIBLE_PAST_MS = 366 * DAY_MS;
const PLAUSIBLE_AHEAD_MS = DAY_MS;
const TICKS_PER_MS = 10_000n;

/** Time (epoch ms) and node of a version 1 uuid in 32 hex digits; null for any other value. */
export function readUuid1(hex: Bytes): { at: number; node: string } | null {
  if (!HEX_32.test(hex) || hex[12] !== '1' || !'89ab'.includes(hex.charAt(16))) return null;
  const ticks = BigInt(`0x${hex.slice(13, 16)}${hex.slice(8, 12)}${hex.slice(0, 8)}`);
  const node = hex.slice(20).replace(/..(?!$)/g, '$&:');
  return { at: Number(ticks / TICKS_PER_MS) - GREGORIAN_OFFSET_MS, node };
}

/** Whether 32 hex digits are a version 1 uuid that a client may have made and still hold. */
export function isRecentUuid1(hex: Bytes, now: number): boolean {
  const uuid = readUuid1(hex);
  return uuid !== null && uuid.at >= now - PLAUSIBLE_PAST_MS && uuid.at <= now + PLAUSIBLE_AHEAD_MS;
}

/** Who holds it: the node is the machine's address or a random one; the time is when acquire() was called. */
export function readUuid1Holder(token: Bytes): Holder {
  const uuid = readUuid1(token);
  if (!uuid) return holderOf(token);
  return holderOf(token, { instance: uuid.node }, { tokenTime: { at: uuid.at, means: 'asked' } });
}

/**
 * redis-py's Lock: a uuid1 made when acquire() was called. Also that of django-redis, whose keys are
 * `PREFIX:VERSION:NAME` (`:1:job` by default).
 */
export const redisPy: LockFormat = {
  id: 'redis-py',
  name: 'redis-py',
  kind: 'mutex',
  type: 'string',
  prefixes: [],
  matchesKey: () => true,
  nameIsProof: false,
  recognise: (_key, value, { now }) => {
    if (!isRecentUuid1(wholeString(value) ?? '', now)) return null;
    return { certainty: 'likely', because: { id: 'uuid-1' } };
  },
  decode: (_key, value) => decodeString(value, readUuid1Holder),
  companions: () => NO_COMPANIONS,
  expiry: 'none-by-default',
  renewal: 'expire',
  waiters: 'poll',
  shorterLeaseMeansFinished: false,
  release: RELEASE_STRING,
  releaseNotes: ['release-deletes', 'release-raises', 'wakes-nobody'],
  readOnly: false,
};
