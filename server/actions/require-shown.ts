import { isDeepStrictEqual } from 'node:util';
import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';

/**
 * Refuses what somebody decided by looking at what is another by now. Who does not say what was shown is not held to it.
 * @throws CodedError CONFLICT
 */
export function requireShown<T>(shown: T | undefined, present: T): void {
  if (shown === undefined || isDeepStrictEqual(shown, present)) return;
  throw new CodedError('CONFLICT', said('document:changed', {}));
}
