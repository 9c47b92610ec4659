import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';

/** StackExchange.Redis LockTake: any name and any value, so that only an operator can say that it is one. */
export const stackexchange: LockFormat = {
  ...STRING_LOCK,
  id: 'stackexchange',
  name: 'StackExchange.Redis',
  recognise: () => null,
  expiry: 'always',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'wakes-nobody', 'extend-fails'],
};
