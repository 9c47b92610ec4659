import { said } from '@/lib/messages/in-english';
import { fromBase64Url, printable, type Bytes } from '@/lib/protocol/bytes';
import { CodedError } from '@/lib/protocol/errors';
import type { LockParams } from '@/lib/protocol/queries';
import type { ServerContext } from './query-context';

/** The key's bytes. Throws INVALID_INPUT. */
export function keyOf(keyB64: string): Bytes {
  const key = fromBase64Url(keyB64);
  if (key === null)
    throw new CodedError('INVALID_INPUT', said('invalid:key', {}), { field: 'keyB64' });
  return key;
}

/** Throws NOT_FOUND for a target that is not watched. */
export function knownTarget(context: ServerContext, target: string): void {
  if (target === context.targetId) return;
  throw new CodedError('NOT_FOUND', said('not-found:target', { target, known: context.targetId }));
}

/** Which key of which db is meant. Throws INVALID_INPUT, and NOT_FOUND for another target. */
export function lockAddress(
  context: ServerContext,
  { target, db, keyB64 }: LockParams,
): { db: number; key: Bytes } {
  const key = keyOf(keyB64);
  knownTarget(context, target);
  return { db, key };
}

/** Says that nobody knows the lock, and why where the reason is that nobody looks. */
export function unknownLock(
  { config: { dbs } }: ServerContext,
  { db, key }: { db: number; key: Bytes },
): CodedError {
  if (dbs !== 'all' && !dbs.includes(db)) {
    const setting = [...dbs, db].toSorted((a, b) => a - b).join(',');
    return new CodedError('NOT_FOUND', said('not-found:unwatched-db', { db, setting }));
  }
  return new CodedError('NOT_FOUND', said('not-found:lock', { key: printable(key), db }));
}
