import { fromBase64Url, type Bytes } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import type { LockParams } from '@/lib/protocol/queries';
import type { ServerContext } from './query-context';

/** The key's bytes. Throws INVALID_INPUT. */
export function keyOf(keyB64: string): Bytes {
  const key = fromBase64Url(keyB64);
  if (key === null)
    throw new CodedError('INVALID_INPUT', 'keyB64 is not base64url.', { field: 'keyB64' });
  return key;
}

/** Which key of which db is meant. Throws INVALID_INPUT, and NOT_FOUND for another target. */
export function lockAddress(
  context: ServerContext,
  { target, db, keyB64 }: LockParams,
): { db: number; key: Bytes } {
  const key = keyOf(keyB64);
  if (target !== context.targetId) {
    throw new CodedError(
      'NOT_FOUND',
      `No target is named ${target}; there is ${context.targetId}.`,
    );
  }
  return { db, key };
}
