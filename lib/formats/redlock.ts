import type { LockFormat, RawValue, RecogniseContext, Recognition } from './format';
import { RELEASE_STRING } from './release-scripts';
import { decodeString, HEX_32, holderOf, NO_COMPANIONS, wholeString } from './token';

/**
 * Any name may hold 32 hex digits, a checksum as well; with a time to live, or where an operator or the name
 * says so, it is taken for a lock.
 */
function recognise(value: RawValue | null, context: RecogniseContext): Recognition | null {
  const token = wholeString(value);
  if (token === null || !HEX_32.test(token)) return null;
  const expires = context.pttl !== null && context.pttl !== undefined;
  if (!context.declared && !expires) return null;
  return { certainty: 'likely', because: { id: 'hex-32' } };
}

/** redlock 4 and 5, @sesamecare-oss/redlock, redlock-universal: one token shape for all of them. */
export const redlock: LockFormat = {
  id: 'redlock',
  name: 'redlock (node)',
  kind: 'mutex',
  type: 'string',
  prefixes: [],
  matchesKey: () => true,
  nameIsProof: false,
  recognise: (_key, value, context) => recognise(value, context),
  decode: (_key, value) => decodeString(value, holderOf),
  companions: () => NO_COMPANIONS,
  expiry: 'always',
  renewal: 'set',
  waiters: 'poll',
  shorterLeaseMeansFinished: false,
  release: RELEASE_STRING,
  releaseNotes: ['release-deletes', 'abort-signal', 'wakes-nobody', 'every-node'],
  readOnly: false,
};
