import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { UUID_4, wholeString } from './token';

const PREFIX = 'redlock:';

/** pottery's Redlock (Python). RedLock.net has the same prefix and the same values. */
export const pottery: LockFormat = {
  ...STRING_LOCK,
  id: 'pottery',
  name: 'pottery',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  recognise: (key, value) => {
    if (!key.startsWith(PREFIX) || !UUID_4.test(wholeString(value) ?? '')) return null;
    return { certainty: 'likely', because: { id: 'prefix-uuid', prefix: PREFIX } };
  },
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'release-raises', 'wakes-nobody', 'every-node'],
};
