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
]);
const ENDS: ReadonlySet<string> = new Set([
  'del',
  'expired',
  'evicted',
  'rename_from',
  'move_from',
]);
const MOVES_IN: ReadonlySet<string> = new Set(['rename_to', 'move_to', 'copy_to', 'restore']);

export function applyEvent(state: TableState, seen: EventObservation): void {
  const lock = findLock(state, seen.db, seen.key);
  if (!lock) onUnknownKey(state, seen);
  else if (WRITES.has(seen.event)) onWrite(state, lock, seen);
  else if (ENDS.has(seen.event)) onEnd(state, lock, seen);
  else onOther(state, lock, seen);
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
  else if (note && event === 'expire') noteLease(note, { at, hasLease: note.leaseAt !== null });
}

function onWrite(state: TableState, lock: Tracked, seen: EventObservation): void {
  const { event, at } = seen;
  const pending = pendingOf(lock);
  const isAcquire = !lock.hold && pending.firstWriteAt === null;
  noteWrite(pending, seen, isAcquire);
  if (!isAcquire || lock.state === 'broken' || lock.format.type !== WRITES.get(event)) return;
  openHold(state, lock, { at, since: at, evidence: 'observed' });
}

/** The write that makes the lock is one; each further one renews it, re-enters it or takes it over. */
function noteWrite(pending: Pending, { event, at }: EventObservation, isAcquire: boolean): void {
  pending.firstWriteAt ??= at;
  pending.lastWriteAt = at;
  pending.leaseOwed = true;
  if (isAcquire) return;
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

function onEnd(state: TableState, lock: Tracked, { event, at }: EventObservation): void {
  if (!lock.hold) leaveNoHold(state, lock, at);
  else if (event === 'del') endByDelete(state, lock, at);
  else if (event === 'expired') endByLapse(state, lock, at);
  else {
    const reason = event === 'evicted' ? 'evicted' : 'moved';
    endHold(state, lock, { at, end: at, reason, evidence: 'observed' });
  }
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
  else if (event === 'zrem' || event === 'hdel') pendingOf(lock).removedAt = at;
  else if (event.startsWith('zremrange')) pendingOf(lock).purgedAt = at;
  else if (lock.hold && event === 'new') endUnseen(state, lock, { at, byRead: false });
  else if (lock.hold && event === 'persist') removeLease(state, lock, at);
  else if (lock.hold && event === 'expire') {
    const pending = pendingOf(lock);
    const hasLease = pending.leaseAt !== null || typeof lock.hold.deadline === 'number';
    noteLease(pending, { at, hasLease });
  }
}

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
