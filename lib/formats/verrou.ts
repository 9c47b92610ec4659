import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { namesLock, wholeString } from './token';

/**
 * The digits of a random number in base 36, mostly 11 of them. Words and numbers are of these digits as well,
 * so that both letters and digits are asked for; one token in forty has only letters.
 */
const TOKEN = /^(?=.*\d)(?=.*[a-z])[0-9a-z]{9,12}$/;

/** verrou and @adonisjs/lock. */
export const verrou: LockFormat = {
  ...STRING_LOCK,
  id: 'verrou',
  name: 'Verrou (@adonisjs/lock)',
  recognise: (key, value, { declared }) => {
    if (!TOKEN.test(wholeString(value) ?? '') || !(declared || namesLock(key))) return null;
    return { certainty: 'likely', because: { id: 'base36-11' } };
  },
  expiry: 'by-caller',
  renewal: 'expire',
  releaseNotes: ['release-deletes', 'release-raises', 'wakes-nobody'],
};
