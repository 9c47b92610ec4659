import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { namesLock, wholeString } from './token';

/** 16 random letters and digits; one in five thousand has no capital, as words and numbers have none. */
const TOKEN = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9]{16}$/;

/** go-zero's RedisLock. It always has a time to live: half a second where none was asked for. */
export const goZero: LockFormat = {
  ...STRING_LOCK,
  id: 'go-zero',
  name: 'go-zero',
  recognise: (key, value, { declared, pttl }) => {
    if (pttl === null || !(declared || namesLock(key))) return null;
    if (!TOKEN.test(wholeString(value) ?? '')) return null;
    return { certainty: 'likely', because: { id: 'alphanumeric-16' } };
  },
  expiry: 'always',
  renewal: 'set',
  waiters: 'never-waits',
  releaseNotes: ['release-deletes', 'release-false', 'never-waits'],
};
