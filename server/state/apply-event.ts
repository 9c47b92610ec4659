import type { LockFormat } from '@/lib/formats/format';
import type { EventObservation } from '@/server/watch/observation';
import { endByDelete, endByLapse, endUnseen } from './ends';
import { onQueueEvent } from './fair-queue';
import { clearHoldPending, endHold, openHold } from './holds';
import { onKeyMiss } from './late-release';
import { lockId } from './lock-record';
import { pushTime, type Pending } from './pending';
import { addLock, findLock, noteFor, pendingOf, setState, type TableState } from './table-state';
import type { Tracked } from './tracked';
import { addNote } from './notes';

/** Events that write a holder, with the type of key they make. */
const WRITES: ReadonlyMap<string, LockFormat['type']> = new Map([
  ['set', 'string'],
  ['hset', 'hash'],
  ['hincrby', 'hash'],
  ['zadd', 'zset'],
  ['sadd', 'set'],
]);
const ENDS: ReadonlySet<string> = new Set([
  'del',
  'expired',
  'evicted',
  'rename_from',
  'move_from',
]);
/** Events that change a string without replacing it: no lock library does that to a token. */
const EDITS: ReadonlySet<string> = new Set([
  'incrby',
  'incrbyfloat',
  'append',
  'setrange',
  'setbit',
]);
/** Where a library steps the count and sets the lease in two commands, they come this close. */
const OWED_MS = 1000;
/** Nobody renews what was written this recently. */
const HARDLY_RENEWED_MS = 20;
const MOVES_IN: ReadonlySet<string> = new Set(['rename_to', 'move_to', 'copy_to', 'restore']);

export function applyEvent(state: TableState, seen: EventObservation): void {
  const lock = findLock(state, seen.db, seen.key);
  state.isLate = seen.late === true;
  if (!lock) {
    onUnknownKey(state, seen);
    return;
  }
  lock.lastEventAt = seen.at;
  settleMadeAnew(state, lock, seen);
  if (WRITES.has(seen.event)) onWrite(state, lock, seen);
  else if (ENDS.has(seen.event)) onEnd(state, lock, seen);
  else onOther(state, lock, seen);
}

/**
 * A held key was made anew (`new`). RENAME, COPY and RESTORE do that to a key they replace; any other write
 * shows that the key had gone without an event.
 */
function settleMadeAnew(state: TableState, lock: Tracked, { event, at }: EventObservation): void {
  const { pending } = lock;
  if (!pending || pending.madeAnewAt === null) return;
  pending.madeAnewAt = null;
  if (lock.hold && !MOVES_IN.has(event)) endUnseen(state, lock, { at, byRead: false });
}

function onUnknownKey(state: TableState, seen: EventObservation): void {
  const { db, key, event, at } = seen;
  const { formats, isDeclared } = state.options;
  if (ENDS.has(event)) {
    state.notes.delete(lockId(db, key));
    return;
  }
  const side = formats.sideKey(key);
  if (side) {
    if (side.parent !== null) onQueueEvent(state, { db, key: side.parent }, seen);
    return;
  }
  const type = WRITES.get(event);
  const format = type && formats.byName(key, isDeclared(db, key));
  if (format && format.type === type) {
    onWrite(state, addLock(state, seen, format), seen);
    return;
  }
  const id = lockId(db, key);
  const note = state.notes.get(id);
  if (type) noteWrite(note ?? noteFor(state, id), seen, (note?.firstWriteAt ?? null) === null);
  else if (MOVES_IN.has(event)) noteMove(note ?? noteFor(state, id), at);
  else if (EDITS.has(event)) (note ?? noteFor(state, id)).editedAt = at;
  else if (note && event === 'expire') noteLease(note, { at, hasLease: note.leaseAt !== null });
}

function onWrite(state: TableState, lock: Tracked, seen: EventObservation): void {
  const { event, at } = seen;
  const pending = pendingOf(lock);
  const isAcquire = !lock.hold && pending.firstWriteAt === null;
  noteWrite(pending, seen, isAcquire);
  if (!isAcquire || lock.state === 'broken' || lock.format.type !== WRITES.get(event)) return;
  if (isReadFirst(lock.format)) return;
  openHold(state, lock, { at, since: at, evidence: 'observed' });
}

/** A permit may be written that does not count, a count, or a name that waits: only a read tells who holds. */
const isReadFirst = ({ kind, counts, waiters }: LockFormat): boolean =>
  kind === 'semaphore' || counts === true || (kind === 'read-write' && waiters === 'beside');

/** The write that makes the lock is one; each further one renews it, re-enters it or takes it over. */
function noteWrite(pending: Pending, seen: EventObservation, isAcquire: boolean): void {
  const { event, at } = seen;
  if (seen.late) pending.isLate = true;
  const sinceWriteMs = at - (pending.lastWriteAt ?? 0);
  pending.firstWriteAt ??= at;
  pending.lastWriteAt = at;
  pending.editedAt = null;
  pending.leaseOwed = true;
  if (isAcquire) return;
  if (event === 'set') {
    pending.rewrites++;
    if (sinceWriteMs <= HARDLY_RENEWED_MS) pending.doubtful++;
  }
  if (event === 'hincrby') pending.depthSteps++;
  else if (event === 'set' || event === 'zadd') pushTime(pending.renewalTimes, at);
}

function noteMove(pending: Pending, at: number): void {
  pending.firstWriteAt ??= at;
  pending.lastWriteAt = at;
  pending.movedInAt = at;
}

/** The first `expire` after a write belongs to it; another one renews, if there was a lease to renew. */
function noteLease(pending: Pending, { at, hasLease }: { at: number; hasLease: boolean }): void {
  if (!pending.leaseOwed && hasLease) pushTime(pending.renewalTimes, at);
  pending.leaseOwed = false;
  pending.leaseAt = at;
}

/** A count that was read between its step and the `expire` that belongs to it. */
const isOwed = ({ leaseOwedAt }: Tracked, at: number): boolean =>
  leaseOwedAt !== null && at - leaseOwedAt <= OWED_MS;

/** Whoever was handed the lock says so within this, or loses it. */
const CONFIRMED_WITHIN_MS = 2000;

const isConfirmed = ({ confirmOwedAt }: Tracked, at: number): boolean =>
  confirmOwedAt !== null && at - confirmOwedAt <= CONFIRMED_WITHIN_MS;

function onEnd(state: TableState, lock: Tracked, { event, at }: EventObservation): void {
  if (!lock.hold && event === 'del' && lock.format.kind === 'semaphore' && !lock.format.counts) {
    bookUnreadHold(state, lock, at);
  }
  if (!lock.hold) leaveNoHold(state, lock, at);
  else if (event === 'del') endByDelete(state, lock, at);
  else if (event === 'expired') endByLapse(state, lock, at);
  else {
    const reason = event === 'evicted' ? 'evicted' : 'moved';
    endHold(state, lock, { at, end: at, reason, evidence: 'observed' });
  }
  if (lock.members.length > 0 && !lock.hold) leaveMembers(state, lock, at);
}

/** The key is gone, and whoever else was inside with it. */
function leaveMembers(state: TableState, lock: Tracked, at: number): void {
  lock.members = [];
  setState(state, lock, 'free', at);
}

/** A member was written and the key is gone again before a read could name it. */
function bookUnreadHold(state: TableState, lock: Tracked, at: number): void {
  const since = lock.pending?.firstWriteAt ?? null;
  if (since === null || lock.members.length > 0) return;
  openHold(state, lock, { at, since, evidence: 'inferred' });
  endByDelete(state, lock, at);
}

/** The key is gone that was no lock, or whose holder nobody had read. */
function leaveNoHold(state: TableState, lock: Tracked, at: number): void {
  clearHoldPending(lock);
  if (lock.state !== 'broken' && lock.members.length === 0) return;
  lock.members = [];
  setState(state, lock, 'free', at);
  state.changes.push({ kind: 'lock-changed', at, lock });
}

function onOther(state: TableState, lock: Tracked, { event, at }: EventObservation): void {
  if (event === 'keymiss') onKeyMiss(state, lock, at);
  else if (MOVES_IN.has(event)) noteMove(pendingOf(lock), at);
  else if (event === 'zrem' || event === 'hdel' || event === 'srem') pendingOf(lock).removedAt = at;
  else if (event.startsWith('zremrange')) pendingOf(lock).purgedAt = at;
  else if (EDITS.has(event)) pendingOf(lock).editedAt = at;
  else if (lock.hold && event === 'new') pendingOf(lock).madeAnewAt = at;
  else if (lock.hold && event === 'persist') removeLease(state, lock, at);
  else if (event === 'expire' && (lock.hold || isUnreadMember(lock))) {
    const pending = pendingOf(lock);
    const hasLease = pending.leaseAt !== null || typeof lock.hold?.deadline === 'number';
    const isConfirm = !pending.leaseOwed && isConfirmed(lock, at);
    if (isConfirm) lock.confirmOwedAt = null;
    noteLease(pending, { at, hasLease: hasLease && !isConfirm && !isOwed(lock, at) });
    lock.leaseOwedAt = null;
  }
}

const isUnreadMember = ({ format, pending }: Tracked): boolean =>
  format.kind === 'semaphore' && pending !== null && pending.firstWriteAt !== null;

function removeLease(state: TableState, lock: Tracked, at: number): void {
  const { hold, pending } = lock;
  if (!hold) return;
  hold.deadline = null;
  addNote(hold, 'lease-removed');
  if (pending) {
    pending.leaseAt = null;
    pending.leaseOwed = false;
  }
  state.changes.push({ kind: 'hold-updated', at, lock, hold });
}
