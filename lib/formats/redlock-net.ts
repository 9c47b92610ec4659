import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { UUID, wholeString } from './token';

const PREFIX = 'redlock:';

/** RedLock.net. Its keep-alive writes a key that is missing anew, so that a release is undone. */
export const redlockNet: LockFormat = {
  ...STRING_LOCK,
  id: 'redlock-net',
  name: 'RedLock.net',
  prefixes: [PREFIX],
  recognise: (key, value) => {
    if (!key.startsWith(PREFIX) || !UUID.test(wholeString(value) ?? '')) return null;
    return { certainty: 'likely', because: { id: 'prefix-uuid', prefix: PREFIX } };
  },
  expiry: 'always',
  renewal: 'expire',
  oldHolder: 'revives',
  releaseNotes: ['release-deletes', 'revives', 'wakes-nobody', 'every-node'],
};
