import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { aHold as aHoldRecord, aLock as aLockRecord } from '@/test/support/records';

/** Changes as the table hands them to the recorder. */

export function aLock({
  key = 'order_sync:1',
  ...over
}: Partial<LockRecord> & { formatId?: string } = {}) {
  const named = { class: 'order_sync:*', namespace: 'order_sync' };
  return aLockRecord(key, { formatId: 'redisson', ...named, state: 'held', ...over });
}

/** Held since then by an owner that no read has named. */
export const aHold = (since: number, over: Partial<HoldRecord> = {}): HoldRecord =>
  aHoldRecord('aaaa:1', { since, owner: null, deadline: null, leaseMs: null, ...over });

export const started = (
  lock: LockRecord,
  hold: HoldRecord,
  previousEnd: number | null = null,
): Change => ({
  kind: 'hold-started',
  at: hold.since,
  lock,
  hold,
  previousEnd,
});

export function ended(lock: LockRecord, hold: HoldRecord, end: number, at = end): Change {
  Object.assign(hold, { end, endReason: 'released', endEvidence: 'observed' });
  return { kind: 'hold-ended', at, lock, hold };
}
