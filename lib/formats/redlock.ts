import type { LockFormat, RawValue, RecogniseContext, Recognition } from './format';
import { isRecentUuid1 } from './redis-py';
import { STRING_LOCK } from './string-lock';
import { expires, HEX_32, wholeString } from './token';

/**
 * Any name may hold 32 hex digits, a checksum as well; with a time to live, or where an operator or the name
 * says so, it is taken for a lock.
 */
function recognise(value: RawValue | null, context: RecogniseContext): Recognition | null {
  const token = wholeString(value);
  if (token === null || !HEX_32.test(token)) return null;
  if (!context.declared && !expires(context)) return null;
  return { certainty: 'likely', because: { id: 'hex-32' } };
}

/** The same for the other libraries whose tokens are 16 random bytes in hex: hardly ever a uuid of now. */
export function recogniseRandomHex(
  value: RawValue | null,
  context: RecogniseContext,
): Recognition | null {
  const isOfRedisPy = isRecentUuid1(wholeString(value) ?? '', context.now);
  return isOfRedisPy ? null : recognise(value, context);
}

/** redlock 4 and 5. Its token has the shape of its successors' tokens, for all of which it stands first. */
export const redlock: LockFormat = {
  ...STRING_LOCK,
  id: 'redlock',
  name: 'redlock (node)',
  recognise: (_key, value, context) => recognise(value, context),
  expiry: 'always',
  renewal: 'set',
  releaseNotes: ['release-deletes', 'abort-signal', 'wakes-nobody', 'every-node'],
};
