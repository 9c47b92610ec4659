import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Holder, LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, namesLock, UUID, wholeString } from './token';

/** 16 bytes in base64url. Random ones nearly always have letters of both cases, which most words do not. */
const TOKEN = /^(?=.{0,21}[a-z])(?=.{0,21}[A-Z])[A-Za-z0-9_-]{21}[AQgw]/;
const TOKEN_CHARS = 22;

/** The token, with what the application said about itself right behind it. */
const hasItsShape = (value: Bytes): boolean =>
  TOKEN.test(value) && !UUID.test(value) && value.slice(TOKEN_CHARS) !== '==';

function readHolder(value: Bytes): Holder {
  const metadata = hasItsShape(value) ? value.slice(TOKEN_CHARS) : '';
  return holderOf(value, { app: metadata === '' ? null : printable(metadata) });
}

/** bsm/redislock (Go). A lock over several keys has the same value in each and is released as a whole only. */
export const bsmRedislock: LockFormat = {
  ...STRING_LOCK,
  id: 'bsm-redislock',
  name: 'bsm/redislock',
  recognise: (key, value, { declared }) => {
    if (!hasItsShape(wholeString(value) ?? '') || !(declared || namesLock(key))) return null;
    return { certainty: 'likely', because: { id: 'base64url-22' } };
  },
  decode: (_key, value) => decodeString(value, readHolder),
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'not-held', 'several-keys', 'wakes-nobody'],
};
