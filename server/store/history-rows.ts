import { printable } from '@/lib/protocol/bytes';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { toPastHold } from '@/server/state/view';
import type { WaitRow } from './history-contract';
import type { HoldRow } from './store-contract';

/** The hold as history keeps it. `isNew`: nothing of it was written before. */
export function toHoldRow(
  lock: LockRecord,
  hold: HoldRecord,
  { isNew }: { isNew: boolean },
): HoldRow {
  return {
    target: lock.target,
    db: lock.db,
    key: lock.key,
    class: lock.class,
    namespace: lock.namespace,
    formatId: lock.format.id,
    token: hold.token,
    acquisitions: lock.acquisitions,
    waited: hold.waitedMs,
    ...(isNew && { isNew }),
    past: toPastHold(hold),
  };
}

/** A wait that ended without the lock. */
export function toLeftWait(change: Extract<Change, { kind: 'wait-ended' }>): WaitRow {
  const { at, lock, owner, waitedMs, source, evidence, outcome } = change;
  return {
    target: lock.target,
    db: lock.db,
    key: lock.key,
    class: lock.class,
    namespace: lock.namespace,
    formatId: lock.format.id,
    owner: printable(owner),
    start: at - waitedMs,
    end: at,
    source,
    evidence,
    outcome,
  };
}
