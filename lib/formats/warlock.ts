import type { Bytes } from '@/lib/protocol/bytes';
import type { Holder, LockFormat } from './format';
import { isRecentUuid1, readUuid1 } from './redis-py';
import { hexOf } from './raw-bytes';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

const SUFFIX = ':lock';
const BASE64_16_BYTES = /^[A-Za-z0-9+/]{21}[AQgw]==$/;

/** The 16 bytes of the token as 32 hex digits; '' for any other value. */
function uuidIn(token: Bytes): Bytes {
  return BASE64_16_BYTES.test(token) ? hexOf(atob(token)) : '';
}

/** Each attempt makes a uuid of its own, so that the uuid's time is when the lock was taken. */
function readHolder(token: Bytes): Holder {
  const uuid = readUuid1(uuidIn(token));
  if (!uuid) return holderOf(token);
  return holderOf(token, { instance: uuid.node }, { tokenTime: { at: uuid.at, means: 'taken' } });
}

/** node-redis-warlock: `NAME:lock` holds a version 1 uuid in base64. */
export const warlock: LockFormat = {
  ...STRING_LOCK,
  id: 'warlock',
  name: 'node-redis-warlock',
  matchesKey: (key) => key.endsWith(SUFFIX),
  recognise: (key, value, { now }) => {
    if (!key.endsWith(SUFFIX) || !isRecentUuid1(uuidIn(wholeString(value) ?? ''), now)) return null;
    return { certainty: 'certain', because: { id: 'base64-uuid-1' } };
  },
  decode: (_key, value) => decodeString(value, readHolder),
  expiry: 'always',
  renewal: 'set',
  releaseNotes: ['release-deletes', 'release-silent', 'wakes-nobody'],
};
