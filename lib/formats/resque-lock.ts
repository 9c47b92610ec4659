import { NO_OWNER_ID } from '@/lib/protocol/owner-id';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Holder, LockFormat } from './format';
import { STRING_LOCK } from './string-lock';
import { decodeString, holderOf, wholeString } from './token';

const PREFIX = 'resque:lock:';
const CLASS = /(?:^|:)lock:[A-Za-z0-9_:]{1,200}$/;
const MAX_CLASS_CHARS = 206;
/** The years 2001 to 2065. */
const EPOCH_SECOND = /^[12]\d{9}$/;
/** What a lock without a timeout holds. */
const WITHOUT_TIMEOUT = 'true';

/** `lock:CLASS-[ARGUMENTS]` in whatever namespace Resque was given. */
function hasItsName(key: Bytes): boolean {
  const end = key.endsWith(']') ? key.indexOf('-[') : -1;
  return end > 0 && CLASS.test(key.slice(Math.max(0, end - MAX_CLASS_CHARS), end));
}

/** From the second that it holds on, others may take the lock although its key stays. */
function readHolder(value: Bytes, now: number): Holder {
  const deadline = EPOCH_SECOND.test(value) ? Number(value) * 1000 : null;
  const stale = deadline !== null && deadline <= now;
  return holderOf(value, { id: NO_OWNER_ID }, { deadline, stale });
}

/** resque-lock and resque-lock-timeout (Ruby): nobody is named, and the value is when the lock may be taken over. */
export const resqueLock: LockFormat = {
  ...STRING_LOCK,
  id: 'resque-lock',
  name: 'resque-lock',
  kind: 'job',
  prefixes: [PREFIX],
  matchesKey: (key) => key.startsWith(PREFIX),
  nameIsProof: true,
  recognise: (key, value) => {
    const token = wholeString(value) ?? '';
    const isSecond = EPOCH_SECOND.test(token);
    if (key.startsWith(PREFIX) && (isSecond || token === WITHOUT_TIMEOUT)) {
      const certainty = hasItsName(key) ? 'certain' : 'likely';
      return { certainty, because: { id: 'prefix-shape', prefix: PREFIX } };
    }
    if (!isSecond || !hasItsName(key)) return null;
    return { certainty: 'likely', because: { id: 'epoch-second' } };
  },
  decode: (_key, value, { now }) => decodeString(value, (token) => readHolder(token, now)),
  expiry: 'none-by-default',
  renewal: 'set',
  waiters: 'never-waits',
  oldHolder: 'steals',
  releaseNotes: ['release-deletes', 'deadline-in-value', 'unchecked-unlock', 'never-waits'],
};
