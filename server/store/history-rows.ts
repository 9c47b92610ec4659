import { printable } from '@/lib/protocol/bytes';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { toPastHold } from '@/server/state/view';
import type { WaitRow } from './history-contract';
import type { HoldRow } from './store-contract';

/**
 * A hold on its way into the store. Its row is made when somebody asks for it, at most once: of thousands of holds
 * that wait, rows as well would be most of what the process remembers at a time.
 */
export interface QueuedHold {
  lock: LockRecord;
  hold: HoldRecord;
  /** What the lock says of itself, which is not the hold's, is told as it was when the hold was queued. */
  formatId: string;
  acquisitions: number;
  /** Nothing of it was written before. */
  isNew: boolean;
  row: HoldRow | null;
}

export const queuedHold = (lock: LockRecord, hold: HoldRecord, isNew: boolean): QueuedHold => ({
  lock,
  hold,
  formatId: lock.format.id,
  acquisitions: lock.acquisitions,
  isNew,
  row: null,
});

/** The hold as history keeps it. */
export const rowOf = (queued: QueuedHold): HoldRow => (queued.row ??= toHoldRow(queued));

function toHoldRow({ lock, hold, formatId, acquisitions, isNew }: QueuedHold): HoldRow {
  const row: HoldRow = {
    target: lock.target,
    db: lock.db,
    key: lock.key,
    class: lock.class,
    namespace: lock.namespace,
    formatId,
    token: hold.token,
    acquisitions,
    waited: hold.waitedMs,
    past: toPastHold(hold),
  };
  if (isNew) row.isNew = true;
  return row;
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
