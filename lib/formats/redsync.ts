import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { namesLock, wholeString } from './token';

/** 16 random bytes in base64, as its default generator makes them. */
const TOKEN = /^[A-Za-z0-9+/]{21}[AQgw]==$/;

/** redsync (Go), a Redlock over one or several pools. An extension makes the key anew only if so configured. */
export const redsync: LockFormat = {
  ...STRING_LOCK,
  id: 'redsync',
  name: 'redsync',
  recognise: (key, value, { declared }) => {
    if (!TOKEN.test(wholeString(value) ?? '') || !(declared || namesLock(key))) return null;
    return { certainty: 'likely', because: { id: 'base64-16-bytes' } };
  },
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: [
    'release-deletes',
    'unlock-fails',
    'set-nx-on-extend',
    'wakes-nobody',
    'every-node',
  ],
};
