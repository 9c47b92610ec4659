import type { KnownLocks } from '@/server/watch/trace/trace-contract';
import type { LockRecord } from './lock-record';
import type { LockTable } from './table-contract';

const isThere = ({ state }: LockRecord): boolean => state !== 'free' && state !== 'orphan-queue';

/** The table as a trace asks it, to tell attempts that failed from those that took the lock. */
export const knownLocks = (table: Pick<LockTable, 'get'>): KnownLocks => ({
  has: (db, key) => table.get(db, key) !== undefined,
  get: (db, key) => {
    const record = table.get(db, key);
    if (!record) return null;
    const { hold, raw, format } = record;
    return {
      format: format.id,
      exists: isThere(record),
      value: raw?.type === 'string' && !raw.truncated ? raw.bytes : null,
      since: hold?.since ?? null,
      isSinceSeen: hold?.sinceEvidence === 'observed',
      deadline: hold?.deadline ?? null,
    };
  },
  channels: (db, key) => table.get(db, key)?.format.companions(key).channels ?? [],
});
