import { printable } from '@/lib/protocol/bytes';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { toPastHold } from '@/server/state/view';
import type { WaitRow } from './history-contract';
import type { HoldRow } from './store-contract';
import { holdBytes } from './waiting-bytes';

/**
 * A hold on its way into the store. Its row is made when somebody asks for it: of thousands of holds that wait, rows
 * as well would be most of what the process remembers at a time. What it says of its lock is told as it was when the
 * hold was queued; the lock itself, with what was read of it, may be long forgotten and is not kept for that.
 */
export interface QueuedHold extends Omit<HoldRow, 'token' | 'waited' | 'past' | 'isNew'> {
  hold: HoldRecord;
  /** Nothing of it was written before. */
  isNew: boolean;
  /** Where it is told otherwise than the hold says. */
  row: HoldRow | null;
  /** What it takes of memory, about. */
  bytes: number;
}

export const queuedHold = (lock: LockRecord, hold: HoldRecord, isNew: boolean): QueuedHold => ({
  target: lock.target,
  db: lock.db,
  key: lock.key,
  class: lock.class,
  namespace: lock.namespace,
  formatId: lock.format.id,
  acquisitions: lock.acquisitions,
  hold,
  isNew,
  row: null,
  bytes: holdBytes(lock, hold),
});

/** The hold as history keeps it. */
export const rowOf = (queued: QueuedHold): HoldRow => queued.row ?? toHoldRow(queued);

function toHoldRow(queued: QueuedHold): HoldRow {
  const { hold, isNew } = queued;
  const row: HoldRow = {
    target: queued.target,
    db: queued.db,
    key: queued.key,
    class: queued.class,
    namespace: queued.namespace,
    formatId: queued.formatId,
    acquisitions: queued.acquisitions,
    token: hold.token,
    waited: hold.waitedMs,
    past: toPastHold(hold),
  };
  if (isNew) row.isNew = true;
  return row;
}

/** A written hold whose end nobody will report any more: left open it would seem to be held for ever. */
export function endedUnseen(lock: LockRecord, hold: HoldRecord, at: number): QueuedHold {
  const queued = queuedHold(lock, hold, false);
  const row = rowOf(queued);
  const past = { ...row.past, end: at, endReason: 'unknown', evidence: 'unknown' } as const;
  return { ...queued, row: { ...row, past } };
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
