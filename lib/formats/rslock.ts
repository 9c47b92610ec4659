import type { LockFormat } from './format';
import { hexOf, isUtf8 } from './raw-bytes';
import { STRING_LOCK } from './string-lock';
import { decodeString, expires, holderOf, namesLock, wholeString } from './token';

const TOKEN_BYTES = 20;

/** rslock of Rust: 20 random bytes as they are, shown in hex. */
export const rslock: LockFormat = {
  ...STRING_LOCK,
  id: 'rslock',
  name: 'rslock (Rust)',
  recognise: (key, value, context) => {
    const token = wholeString(value);
    if (token?.length !== TOKEN_BYTES || isUtf8(token)) return null;
    if (!context.declared && !expires(context) && !namesLock(key)) return null;
    return { certainty: 'likely', because: { id: 'bytes-20' } };
  },
  decode: (_key, value) =>
    decodeString(value, (token) => holderOf(token, isUtf8(token) ? {} : { id: hexOf(token) })),
  expiry: 'always',
  renewal: 'set',
  releaseNotes: ['release-deletes', 'release-silent', 'wakes-nobody', 'every-node'],
};
