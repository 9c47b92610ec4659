import type { HoldNote } from '@/lib/protocol/lock';
import { endHold } from './holds';
import { knownDeadline } from './lease';
import type { TableState } from './table-state';
import type { Tracked } from './tracked';

/** A lease counts as over this much before our idea of its end: that idea is an upper bound. */
const SLACK_MS = 20;

/** The last moment at which the present hold was known to stand. */
function lastSeen(lock: Tracked): number {
  const { hold, pending } = lock;
  const read = lock.raw === null ? 0 : lock.rawAt;
  return Math.max(hold?.since ?? 0, read, pending?.lastWriteAt ?? 0, pending?.leaseAt ?? 0);
}

/** `del`: the holder's own, unless an operator announced it for this very hold. */
export function endByDelete(state: TableState, lock: Tracked, at: number): void {
  const { hold, releaseIntent } = lock;
  if (!hold) return;
  if (releaseIntent?.generation === hold.generation) {
    const { actor } = releaseIntent;
    endHold(state, lock, {
      at,
      end: at,
      reason: 'force-released',
      evidence: 'observed',
      endedBy: actor,
    });
    return;
  }
  endHold(state, lock, { at, end: at, reason: 'released', evidence: 'observed' });
}

/** `expired`: late by nature, so that the lease itself says when; a lease that nobody read leaves it open. */
export function endByLapse(state: TableState, lock: Tracked, at: number): void {
  const deadline = knownDeadline(lock);
  if (typeof deadline !== 'number') {
    endHold(state, lock, { at, end: at, reason: 'lease-ended', evidence: 'inferred' });
    return;
  }
  const end = Math.min(deadline, at);
  endHold(state, lock, { at, end, reason: 'lease-ended', evidence: 'observed' });
}

const seesEnds = ({ canSee }: TableState, { hasEvents }: Tracked): boolean =>
  canSee.release === true && hasEvents;

/** The key turned out to be gone, or to be another's, and no event said how the hold ended. */
export function endUnseen(
  state: TableState,
  lock: Tracked,
  { at, byRead }: { at: number; byRead: boolean },
): void {
  const deadline = knownDeadline(lock);
  const lapsedAt = typeof deadline === 'number' && deadline <= at + SLACK_MS ? deadline : null;
  if (lock.gap) endInGap(state, lock, { at, lapsedAt });
  else if (lapsedAt !== null) {
    // Where a release cannot be seen, the lease may not have been what ended it.
    const evidence = seesEnds(state, lock) ? 'observed' : 'inferred';
    const notes: HoldNote[] = byRead ? ['confirmed-by-check'] : [];
    endHold(state, lock, { at, end: lapsedAt, reason: 'lease-ended', evidence, notes });
  } else if (seesEnds(state, lock)) {
    endHold(state, lock, { at, end: at, reason: 'vanished', evidence: 'observed' });
  } else {
    endHold(state, lock, { at, end: at, reason: 'unknown', evidence: 'inferred' });
  }
}

/**
 * Between the last sight before the gap and the gap's end anything may have ended the hold. The end is put
 * at the last sight: until then it is known to have stood.
 */
function endInGap(
  state: TableState,
  lock: Tracked,
  { at, lapsedAt }: { at: number; lapsedAt: number | null },
): void {
  const { gap } = lock;
  const notes: HoldNote[] = ['ended-in-gap', 'touches-gap'];
  if (lapsedAt !== null) {
    endHold(state, lock, { at, end: lapsedAt, reason: 'lease-ended', evidence: 'inferred', notes });
    return;
  }
  const reason = gap?.serverRestarted ? 'lost-in-failover' : 'unknown';
  const end = Math.min(at, Math.max(gap?.from ?? at, lastSeen(lock)));
  endHold(state, lock, { at, end, reason, evidence: 'inferred', notes });
}

/** Another holder stands where this one stood, at `since` if an event told. */
export function endByOther(
  state: TableState,
  lock: Tracked,
  {
    at,
    since,
    isSinceSure,
    by,
  }: { at: number; since: number | null; isSinceSure: boolean; by: string },
): void {
  const deadline = lock.hold?.deadline;
  const isLapsed = typeof deadline === 'number' && deadline <= (since ?? at);
  const { acquire, release, lapse } = state.canSee;
  if (lock.gap) endInGap(state, lock, { at, lapsedAt: isLapsed ? deadline : null });
  else if (isLapsed && !(since !== null && lapse === true)) {
    endHold(state, lock, { at, end: deadline, reason: 'lease-ended', evidence: 'inferred' });
  } else if (since === null && release === true && acquire === true && lock.hasEvents) {
    // A write over it would have been seen: FLUSHDB, SWAPDB and a reload are not.
    endHold(state, lock, { at, end: at, reason: 'vanished', evidence: 'observed' });
  } else if (release === true && lock.hasEvents) {
    const evidence = since === null || !isSinceSure ? 'inferred' : 'observed';
    endHold(state, lock, { at, end: since ?? at, reason: 'overwritten', evidence, endedBy: by });
  } else {
    endHold(state, lock, { at, end: since ?? at, reason: 'unknown', evidence: 'inferred' });
  }
}
