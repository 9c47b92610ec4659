/** Which library's lock a key is, and whether it still is. */
import { NOTHING_BESIDE, type RecogniseContext } from '@/lib/formats/format';
import type { ReadObservation } from '@/server/watch/observation';
import { lockId } from './lock-record';
import { addLock, sharedReason, type TableState } from './table-state';
import type { Tracked } from './tracked';

/** What its library leaves beside a lock that is gone may be all there is of it. */
export const hasBeside = ({ beside = NOTHING_BESIDE }: ReadObservation): boolean =>
  [...beside.values()].some(({ value }) => value !== null);

/** A key that was no known lock becomes one if a format recognises it. */
export function meet(state: TableState, read: ReadObservation): Tracked | null {
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

/** Renewals tell libraries apart whose values look the same; the next read settles the format by it. */
export function noteHowRenewed(lock: Tracked, renewalsBefore: number): void {
  const { hold, pending, otherFormats } = lock;
  if (otherFormats.length === 0 || lock.renewedBy || !hold || !pending) return;
  if (hold.renewals <= renewalsBefore || renewalsBefore === 0) return;
  lock.renewedBy = pending.rewrites > 0 ? 'set' : 'expire';
  lock.isFormatSettled = false;
}

/** Seen as a lock by its value and still one by its name, or held by a known token. */
export function wasLock(state: TableState, lock: Tracked): boolean {
  if (lock.formatBecause === null) return false;
  // What an operator took back says nothing more.
  if (lock.formatBecause.id === 'pinned' && state.options.formats.pinned(lock.key) === null) {
    return false;
  }
  if (lock.hold?.token || lock.state === 'broken') return true;
  const { formats, isDeclared } = state.options;
  return formats.byName(lock.key, isDeclared(lock.db, lock.key)) !== null;
}

/** What is counted in place is a library's own counter, though nothing had told so before. */
export function isCounter(state: TableState, lock: Tracked, read: ReadObservation): boolean {
  const context = knownContext(state, lock, read, false);
  const found = state.options.formats.recognise(read.key, read.value, context);
  return found?.format.counts === true;
}

/** The other shape is the sure sign of another library: the lock changed hands between them. */
export function isAnotherLock(state: TableState, lock: Tracked, read: ReadObservation): boolean {
  const queued = (read.queue?.length ?? 0) > 0;
  const context = { ...contextOf(state, read, queued), declared: false };
  const found = state.options.formats.recognise(read.key, read.value, context);
  return found?.recognition.certainty === 'certain' && found.format.type !== lock.format.type;
}

/**
 * Whether the key's format still fits. It is chosen anew with each hold, and when a queue shows a lock to be
 * fair; a lock once known to be fair stays so.
 */
export function settleFormat(state: TableState, lock: Tracked, read: ReadObservation): boolean {
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
