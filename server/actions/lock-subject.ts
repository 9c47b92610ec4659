import { fromBase64Url } from '@/lib/protocol/bytes';
import type { LockParams } from '@/lib/protocol/queries';
import { lockAddress, unknownLock } from '@/server/queries/lock-address';
import type { QueryContext } from '@/server/queries/query-context';
import type { LockRecord } from '@/server/state/lock-record';
import { toLock } from '@/server/state/view';
import type { Subject } from './verb';

/** The lock's holder as it is now, for the audit. A lock that nobody knows belongs to no namespace. */
export function lockSubject(context: QueryContext, { db, keyB64 }: LockParams): Subject {
  const key = fromBase64Url(keyB64);
  const record = key === null ? undefined : context.table.get(db, key);
  if (!record) return { db, key, namespaces: [], before: null };
  const { state, hold } = toLock(record, [], context.now());
  const before = { state, hold, format: record.format.id };
  const businessId = hold?.businessId ?? null;
  return { db, key, namespaces: [record.namespace], before, businessId };
}

/** Throws NOT_FOUND when the table has no such lock, INVALID_INPUT. */
export function findLock(context: QueryContext, params: LockParams): LockRecord {
  const { db, key } = lockAddress(context, params);
  const record = context.table.get(db, key);
  if (record) return record;
  throw unknownLock(context, { db, key });
}
