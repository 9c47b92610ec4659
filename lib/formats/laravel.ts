import type { Bytes } from '@/lib/protocol/bytes';
import type { LockFormat, RecogniseContext, Recognition } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, namesLock, wholeString } from './token';

/** What the framework puts before the names of its own locks, behind an application's prefixes. */
const MARKS = [
  'laravel_unique_job:',
  'laravel-queue-overlap:',
  'framework/schedule-',
  'illuminate:cache:flexible:lock:',
];
/** `<app>-database-<app>-cache-NAME`, with underscores before Laravel 13. */
const CACHE_PREFIX = /[-_]cache[-_:]/;
/** Str::random(16). A cached number is stored as its digits, so there is a letter. */
const RANDOM = /^(?=.*[A-Za-z])[A-Za-z0-9]{16}$/;
/** The same by PHP's serialize(), where phpredis serialises. */
const SERIALISED = /^s:16:"([A-Za-z0-9]{16})";$/;

const markIn = (key: Bytes): Bytes | undefined => MARKS.find((mark) => key.includes(mark));

function byMark(key: Bytes, mark: Bytes, token: Bytes | null): Recognition {
  if (key.startsWith(mark))
    return { certainty: 'certain', because: { id: 'prefix', prefix: mark } };
  const hasItsShape = token !== null && (RANDOM.test(token) || SERIALISED.test(token));
  return {
    certainty: hasItsShape ? 'certain' : 'likely',
    because: { id: 'infix', prefix: mark },
  };
}

/** Cached values are serialised, so that only a bare token tells a lock from data of a cache. */
function byToken(key: Bytes, token: Bytes, { declared }: RecogniseContext): Recognition | null {
  const isNamed = declared || namesLock(key);
  if (RANDOM.test(token) && (isNamed || CACHE_PREFIX.test(key))) {
    return { certainty: 'likely', because: { id: 'alphanumeric-16' } };
  }
  if (!isNamed || !SERIALISED.test(token)) return null;
  return { certainty: 'likely', because: { id: 'php-serialised' } };
}

/** The locks of Laravel's Redis cache store: Cache::lock(), unique jobs, overlap and schedule mutexes. */
export const laravel: LockFormat = {
  ...STRING_LOCK,
  id: 'laravel',
  name: 'Laravel',
  prefixes: MARKS,
  matchesKey: (key) => markIn(key) !== undefined,
  nameIsProof: true,
  recognise: (key, value, context) => {
    if (value?.type !== 'string') return null;
    const token = wholeString(value);
    const mark = markIn(key);
    if (mark !== undefined) return byMark(key, mark, token);
    return token === null ? null : byToken(key, token, context);
  },
  decode: (_key, value) =>
    decodeString(value, (token) => holderOf(token, idOf(SERIALISED.exec(token)?.[1]))),
  expiry: 'by-caller',
  renewal: 'expire',
  oldHolder: 'steals',
  releaseNotes: ['release-deletes', 'release-silent', 'unchecked-unlock', 'wakes-nobody'],
};

const idOf = (id: string | undefined) => (id === undefined ? {} : { id });
