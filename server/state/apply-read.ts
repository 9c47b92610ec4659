import {
  NOTHING_BESIDE,
  type Decoded,
  type RawValue,
  type RecogniseContext,
} from '@/lib/formats/format';
import type { Bytes } from '@/lib/protocol/bytes';
import type { ReadObservation } from '@/server/watch/observation';
import { endUnseen } from './ends';
import { applyQueue } from './fair-queue';
import { endHold, reviseEnded } from './holds';
import { applyHolder } from './holder';
import { noteIdleTime, noteSignal } from './hints';
import { dropOwnMiss } from './late-release';
import { lockId } from './lock-record';
import { applyMembers, holdsByMember, windowOf } from './members';
import {
  addLock,
  findLock,
  forgetLock,
  placeLock,
  setState,
  sharedReason,
  updateProbing,
  type TableState,
} from './table-state';
import type { Tracked } from './tracked';
import { hasGivenUp, queueLength, waitingCount } from './waiting';
import { addNote } from './notes';

const OTHER_USE = 'key is used for something else';
const COUNTER = 'value is changed in place, as a counter is: no owner information';

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

/** A key that was no known lock becomes one if a format recognises it. */
function meet(state: TableState, read: ReadObservation): Tracked | null {
  const { db, key, value } = read;
  const queued = (read.queue?.length ?? 0) > 0;
  const context = contextOf(state, read, queued);
  const mayBeLock = value !== null || queued || hasBeside(read);
  const found = mayBeLock ? state.options.formats.recognise(key, value, context) : null;
  if (found) {
    const lock = addLock(state, read, found.format);
    adopt(state, lock, found);
    lock.metBy = value;
    return lock;
  }
  state.notes.delete(lockId(db, key));
  return null;
}

/** What its library leaves beside a lock that is gone may be all there is of it. */
const hasBeside = ({ beside = NOTHING_BESIDE }: ReadObservation): boolean =>
  [...beside.values()].some(({ value }) => value !== null);

function contextOf(state: TableState, read: ReadObservation, queued: boolean): RecogniseContext {
  const declared = state.options.isDeclared(read.db, read.key);
  const { at: now, pttl, beside = NOTHING_BESIDE, listened } = read;
  return { declared, now, pttl, queued, beside, ...(listened && { listened }) };
}

/** The same for a lock that a value has told before of what library it is. */
function knownContext(
  state: TableState,
  lock: Tracked,
  read: ReadObservation,
  queued: boolean,
): RecogniseContext {
  const context = contextOf(state, read, queued);
  return lock.formatBecause === null ? context : { ...context, knownAs: lock.format.id };
}

function tellWaiting(
  state: TableState,
  lock: Tracked,
  before: { at: number; waitingBefore: number | null; queueBefore: Tracked['queue'] },
): void {
  const after = waitingCount(lock);
  const { at, waitingBefore, queueBefore } = before;
  if (after !== waitingBefore || lock.passed) {
    const moments = queueMoments(lock, queueBefore, at);
    state.changes.push({
      ...{ kind: 'waiting-changed', at, lock, before: waitingBefore, after },
      ...moments,
    });
    return;
  }
  const isSame = lock.queue.every(
    (waiter, i) => waiter.owner === queueBefore[i]?.owner && waiter.alive === queueBefore[i]?.alive,
  );
  if (!isSame) state.changes.push({ kind: 'lock-changed', at, lock });
}

/** When those came and went whom the queue shows anew, or no more: events told of it before the read did. */
function queueMoments(
  lock: Tracked,
  queueBefore: Tracked['queue'],
  at: number,
): { came: number[]; went: number[] } {
  const isIn = (queue: Tracked['queue'], owner: Bytes): boolean =>
    queue.some((waiter) => waiter.owner === owner);
  const came = lock.queue
    .filter((waiter) => !hasGivenUp(waiter) && !isIn(queueBefore, waiter.owner))
    .map(({ owner, since }) =>
      lock.seenJoining?.has(owner) === true ? Math.min(at, since ?? at) : at,
    );
  const went = queueBefore
    .filter((waiter) => !hasGivenUp(waiter) && !isIn(lock.queue, waiter.owner))
    .map(({ owner, since }) => {
      // It may have held the lock before it queued, and have given up now.
      const granted = [lock.hold, ...lock.ended].find(
        (hold) => hold?.token === owner && hold.since >= (since ?? at),
      );
      return Math.min(at, granted?.since ?? at);
    });
  for (const { from, to } of lock.passed ?? []) {
    came.push(from);
    went.push(to);
  }
  lock.passed = null;
  return { came, went };
}

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

/** Renewals tell libraries apart whose values look the same; the next read settles the format by it. */
function noteHowRenewed(lock: Tracked, renewalsBefore: number): void {
  const { hold, pending, otherFormats } = lock;
  if (otherFormats.length === 0 || lock.renewedBy || !hold || !pending) return;
  if (hold.renewals <= renewalsBefore || renewalsBefore === 0) return;
  lock.renewedBy = pending.rewrites > 0 ? 'set' : 'expire';
  lock.isFormatSettled = false;
}

/** Seen as a lock by its value and still one by its name, or held by a known token. */
function wasLock(state: TableState, lock: Tracked): boolean {
  if (lock.formatBecause === null) return false;
  // What an operator took back says nothing more.
  if (lock.formatBecause.id === 'pinned' && state.options.formats.pinned(lock.key) === null) {
    return false;
  }
  if (lock.hold?.token || lock.state === 'broken') return true;
  const { formats, isDeclared } = state.options;
  return formats.byName(lock.key, isDeclared(lock.db, lock.key)) !== null;
}

const looksLikeData = (value: RawValue): boolean =>
  value.type === 'string' &&
  /^[[{]/.test(value.bytes) &&
  (value.truncated || /[\]}]$/.test(value.bytes));

/** A token became data, or another type, while the lock was held; and it stays so until a token is back. */
function hasOtherShape(lock: Tracked, value: RawValue): boolean {
  if (lock.state === 'broken') {
    return looksLikeData(value) || value.type !== lock.format.type;
  }
  if (lock.raw === null || !lock.hold?.token) return false;
  return lock.raw.type !== value.type || (looksLikeData(value) && !looksLikeData(lock.raw));
}

/** Counted up or down, or edited, and not written whole since. */
function isEdited(
  { format, state, brokenBecause, hold, pending }: Tracked,
  value: RawValue,
): boolean {
  if (value.type !== 'string' || format.counts) return false;
  if (hold?.token === value.bytes) return false;
  if (pending && pending.editedAt !== null) return true;
  const isWritten = pending !== null && pending.lastWriteAt !== null;
  return state === 'broken' && brokenBecause === COUNTER && !isWritten;
}

/** What is counted in place is a library's own counter, though nothing had told so before. */
function isCounter(state: TableState, lock: Tracked, read: PresentRead): boolean {
  const context = knownContext(state, lock, read, false);
  const found = state.options.formats.recognise(read.key, read.value, context);
  return found?.format.counts === true;
}

/** The other shape is the sure sign of another library: the lock changed hands between them. */
function isAnotherLock(state: TableState, lock: Tracked, read: PresentRead): boolean {
  const queued = (read.queue?.length ?? 0) > 0;
  const context = { ...contextOf(state, read, queued), declared: false };
  const found = state.options.formats.recognise(read.key, read.value, context);
  return found?.recognition.certainty === 'certain' && found.format.type !== lock.format.type;
}

/**
 * Whether the key's format still fits. It is chosen anew with each hold, and when a queue shows a lock to be
 * fair; a lock once known to be fair stays so.
 */
function settleFormat(state: TableState, lock: Tracked, read: ReadObservation): boolean {
  if (read.value !== null && lock.metBy === read.value) {
    // It became a lock by this very value.
    lock.metBy = null;
    lock.isFormatSettled = true;
    return true;
  }
  const { key, value } = read;
  const { formats } = state.options;
  const isFair = lock.format.waiters === 'fair-queue';
  const queued = isFair || (read.queue?.length ?? 0) > 0;
  const hasItsType = value === null || value.type === lock.format.type;
  const isPinned = lock.formatBecause?.id === 'pinned';
  const isPinStill = (formats.pinned(key)?.id ?? null) === (isPinned ? lock.format.id : null);
  if (lock.hold && lock.isFormatSettled && queued === isFair && hasItsType && isPinStill) {
    const context = { ...knownContext(state, lock, read, queued), declared: true };
    const fits = isPinned || lock.format.recognise(key, value, context) !== null;
    if (fits && (isPinned || !isKnownBetter(state, lock, read, queued))) return true;
  }
  const context = knownContext(state, lock, read, queued);
  const { renewedBy } = lock;
  const found = formats.recognise(key, value, renewedBy ? { ...context, renewedBy } : context);
  if (!found) return false;
  adopt(state, lock, found);
  lock.isFormatSettled = true;
  return true;
}

type Found = NonNullable<ReturnType<TableState['options']['formats']['recognise']>>;

function adopt(state: TableState, lock: Tracked, { format, others, recognition }: Found): void {
  lock.format = format;
  lock.otherFormats = others;
  lock.formatCertain = recognition.certainty === 'certain';
  lock.formatBecause = sharedReason(state, recognition.because);
}

/** A guess, or what only its name declares to be a lock, gives way to what is sure. */
function isKnownBetter(
  state: TableState,
  lock: Tracked,
  read: ReadObservation,
  queued: boolean,
): boolean {
  if (lock.formatCertain && lock.formatBecause?.id !== 'declared') return false;
  const context = knownContext(state, lock, read, queued);
  const found = state.options.formats.recognise(read.key, read.value, context);
  if (!found || found.format === lock.format) return false;
  return found.recognition.certainty === 'certain' && found.recognition.because.id !== 'declared';
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
