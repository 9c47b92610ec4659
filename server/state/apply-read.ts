import { NOTHING_BESIDE, type Decoded, type RawValue } from '@/lib/formats/format';
import type { ReadObservation } from '@/server/watch/observation';
import { endUnseen } from './ends';
import { applyQueue } from './fair-queue';
import { endHold, reviseEnded } from './holds';
import { applyHolder } from './holder';
import { noteIdleTime, noteSignal } from './hints';
import { dropOwnMiss } from './late-release';
import { applyMembers, holdsByMember, windowOf } from './members';
import { addNote } from './notes';
import {
  hasBeside,
  isAnotherLock,
  isCounter,
  meet,
  noteHowRenewed,
  settleFormat,
  wasLock,
} from './recognition';
import {
  findLock,
  forgetLock,
  placeLock,
  setState,
  updateProbing,
  type TableState,
} from './table-state';
import type { Tracked } from './tracked';
import { COUNTER, hasOtherShape, isEdited } from './value-shape';
import { queueLength, waitingCount } from './waiting';
import { tellWaiting } from './waiting-change';

const OTHER_USE = 'key is used for something else';

/** Takes in the truth about one key; whatever events had left open is settled by it. */
export function applyRead(state: TableState, read: ReadObservation): void {
  const lock = findLock(state, read.db, read.key) ?? meet(state, read);
  if (!lock) return;
  // A count names nobody: what events left open is settled by the read that shows who is beside it.
  if (read.isPart && read.value !== null && lock.format.counts) return;
  state.isLate = lock.pending?.isLate === true;
  // The patterns that are subscribed to may be others than when the lock was met.
  if (read.cause !== 'event') lock.hasEvents = state.options.isWatched?.(read.key) ?? true;
  const waitingBefore = waitingCount(lock);
  // A grant takes its waiter out of the queue where it stands.
  const queueBefore = lock.queue.length > 0 ? [...lock.queue] : lock.queue;
  lock.waitersCurrent = true;
  if (read.value === null) {
    const beside = heldBeside(state, lock, read);
    if (beside) applyHolder(state, lock, read, { holders: beside.holders, fence: null });
    else applyAbsent(state, lock, read);
  } else if (!applyPresent(state, lock, { ...read, value: read.value })) return;
  noteIdleTime(state, lock, read);
  if (!isSameText(lock.raw, read.value)) lock.raw = read.value;
  lock.beside = read.beside ?? NOTHING_BESIDE;
  noteSignal(state, lock, read.at);
  lock.rawPttl = read.pttl;
  lock.rawAt = read.at;
  if (read.isCheck) {
    lock.checked = { times: (lock.checked?.times ?? 0) + 1, at: read.at };
  }
  lock.gap = null;
  const { pending } = lock;
  if (pending) {
    const isOwed = pending.leaseOwed && pending.depthSteps > 0;
    lock.leaseOwedAt = isOwed ? pending.lastWriteAt : null;
  }
  lock.pending = null;
  updateProbing(state, lock);
  tellWaiting(state, lock, { at: read.at, waitingBefore, queueBefore });
}

/** Each read brings a value of its own: one that says the same as before need not take its place. */
const isSameText = (a: RawValue | null, b: RawValue | null): boolean =>
  a?.type === 'string' &&
  b?.type === 'string' &&
  a.bytes === b.bytes &&
  a.size === b.size &&
  a.tail === b.tail;

/** Its key is gone, and the keys beside it say that somebody holds it all the same. */
function heldBeside(state: TableState, lock: Tracked, read: ReadObservation): Decoded | null {
  if (!hasBeside(read) || !read.beside || !settleFormat(state, lock, read)) return null;
  const decoded = lock.format.heldBeside?.(read.key, read.beside) ?? null;
  if (!decoded || decoded.holders.length === 0) return null;
  lock.permits = decoded.permits ?? null;
  return decoded;
}

function applyAbsent(state: TableState, lock: Tracked, read: ReadObservation): void {
  const { at } = read;
  dropOwnMiss(state, lock, at);
  if (lock.hold) endUnseen(state, lock, { at, byRead: true });
  else if (read.cause === 'deadline' || read.cause === 'reconcile') confirmLapse(state, lock, at);
  const stateBefore = lock.state;
  applyQueue(state, lock, read);
  lock.members = [];
  lock.permits = null;
  const next = queueLength(lock) > 0 ? 'orphan-queue' : 'free';
  if (next === 'orphan-queue' && lock.format.waiters !== 'fair-queue') {
    settleFormat(state, lock, read);
  }
  if (next === stateBefore) {
    placeLock(state, lock);
    return;
  }
  setState(state, lock, next, at);
  state.changes.push({ kind: 'lock-changed', at, lock });
}

/** A check of ours made Redis fire `expired`, and then saw the key absent. */
function confirmLapse(state: TableState, lock: Tracked, at: number): void {
  const last = lock.ended[0];
  if (last?.endReason !== 'lease-ended' || last.notes.has('confirmed-by-check')) return;
  addNote(last, 'confirmed-by-check');
  reviseEnded(state, lock, last, at);
}

type PresentRead = ReadObservation & { value: RawValue };

/** False when the record proved to be no lock and is gone. */
function applyPresent(state: TableState, lock: Tracked, read: PresentRead): boolean {
  const { value, at } = read;
  if (isEdited(lock, value) && !isCounter(state, lock, read)) {
    if (lock.formatBecause === null) settleFormat(state, lock, read);
    breakLock(state, lock, read, COUNTER);
    return true;
  }
  const isDataNow = hasOtherShape(lock, value) && !isAnotherLock(state, lock, read);
  const isRecognised = isDataNow || settleFormat(state, lock, read);
  if (!isRecognised && !wasLock(state, lock)) {
    endHold(state, lock, { at, end: at, reason: 'unknown', evidence: 'unknown' });
    forgetLock(state, lock, at);
    return false;
  }
  const context = {
    now: at,
    leaseMs: windowOf(lock, read),
    clockMs: read.clockMs ?? 0,
    beside: read.beside ?? NOTHING_BESIDE,
  };
  const decoded = isRecognised && !isDataNow ? lock.format.decode(read.key, value, context) : null;
  if (!decoded || decoded.broken !== null) {
    breakLock(state, lock, read, decoded?.broken ?? OTHER_USE);
    applyQueue(state, lock, read);
    return true;
  }
  const fence = read.fence ?? decoded.fence;
  lock.permits = decoded.permits ?? null;
  const renewalsBefore = lock.hold?.renewals ?? 0;
  if (holdsByMember(lock.format)) applyMembers(state, lock, read, decoded);
  else applyHolder(state, lock, read, { holders: decoded.holders, fence });
  noteHowRenewed(lock, renewalsBefore);
  applyQueue(state, lock, withWaiters(read, decoded));
  return true;
}

/** Waiters that the value or the keys beside it name stand where a fair queue's would. */
function withWaiters(read: PresentRead, { waiters }: Decoded): ReadObservation {
  if (!waiters) return read;
  const queue = waiters.map(({ token, deadline }) => ({ owner: token, deadline, alive: null }));
  return { ...read, queue };
}

function breakLock(state: TableState, lock: Tracked, read: ReadObservation, because: string): void {
  const { at } = read;
  const { pending } = lock;
  const end = pending?.lastWriteAt ?? pending?.editedAt ?? at;
  // The write that changed the shape was no renewal.
  if (pending) {
    pending.renewalTimes = pending.renewalTimes.filter((time) => time < end);
    pending.rewrites = pending.doubtful = 0;
  }
  const notes = ['value-changed-shape'] as const;
  endHold(state, lock, { at, end, reason: 'unknown', evidence: 'observed', notes: [...notes] });
  if (lock.state === 'broken' && lock.brokenBecause === because) return;
  setState(state, lock, 'broken', at);
  lock.brokenBecause = because;
  state.changes.push({ kind: 'lock-changed', at, lock });
}
