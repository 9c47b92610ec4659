import type { LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { expires, namesLock, wholeString } from './token';

/** Str::random(20). */
const RANDOM = /^(?=.*[A-Za-z])[A-Za-z0-9]{20}$/;
/** `<app>-database-NAME<slot>`, with underscores before Laravel 13. */
const DATABASE_PREFIX = /[-_]database[-_]/;
const SLOT = /\d$/;

/**
 * Laravel's concurrency limiter (Redis::funnel): one key for each place, the place's number at the end of the
 * name. How many places there are is not stored.
 */
export const laravelFunnel: LockFormat = {
  ...STRING_LOCK,
  id: 'laravel-funnel',
  name: 'Laravel concurrency limiter',
  recognise: (key, value, context) => {
    if (!SLOT.test(key) || !RANDOM.test(wholeString(value) ?? '')) return null;
    const isNamed = context.declared || namesLock(key);
    if (!isNamed && !(DATABASE_PREFIX.test(key) && expires(context))) return null;
    return { certainty: 'likely', because: { id: 'alphanumeric-20' } };
  },
  expiry: 'always',
  renewal: 'none',
  releaseNotes: ['release-deletes', 'one-place', 'release-silent', 'wakes-nobody'],
};
