import { toMoment } from '@/lib/protocol/time';
import type { HoldRecord } from './lock-record';
import { dropStaleDue, type TableState } from './table-state';
import type { Tracked } from './tracked';
import { addNote, removeNote } from './notes';

/** Two clocks and the way between them: differences below are no news. */
const JITTER_MS = 20;
/** A lease that got shorter by more than this was shortened on purpose: said by an event, or not. */
const SHORTENED_MS = 100;
const SHORTENED_UNSEEN_MS = 1000;
/** A lease that grew by more than this without an event was renewed unseen. */
const UNSEEN_RENEWAL_MS = 250;
/**
 * A check that came a moment too early is repeated soon: the two clocks differ by milliseconds. One that keeps
 * finding the key slows down.
 */
const FIRST_RECHECK_MS = 10;
const RECHECK_MS = 250;
const MAX_INTERVALS = 8;

/**
 * Leases are given in round figures; what the way to Redis and a late turn of our own added or took is taken off
 * again. Of a long one a tenth of a second is nothing, so that it may be farther from whole seconds.
 */
export function roundLease(measuredMs: number): number {
  const seconds = Math.round(measuredMs / 1000) * 1000;
  const most = Math.min(100, measuredMs / 200);
  if (seconds > 0 && Math.abs(seconds - measuredMs) <= most) return seconds;
  const tenths = Math.round(measuredMs / 100) * 100;
  return tenths > 0 && Math.abs(tenths - measuredMs) <= 10 ? tenths : Math.max(1, measuredMs);
}

/** A round lease that was measured before is kept when this measure is only later or earlier by the way. */
function refineLease(known: number | null, measuredMs: number): number {
  const isSame = known !== null && known % 100 === 0 && Math.abs(known - measuredMs) <= 100;
  return isSame ? known : roundLease(measuredMs);
}

const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 ? upper : Math.round(((sorted[middle - 1] ?? 0) + upper) / 2);
};

/** Books renewals at these times and tells about them once. */
export function addRenewals(
  state: TableState,
  lock: Tracked,
  times: readonly number[],
  at: number,
): void {
  const { hold } = lock;
  if (!hold || times.length === 0) return;
  for (const time of times) {
    // Several that came at one time have no rhythm.
    if (hold.lastRenewalAt !== null && time > hold.lastRenewalAt) {
      const intervals = (lock.intervals ??= []);
      intervals.push(time - hold.lastRenewalAt);
      if (intervals.length > MAX_INTERVALS) intervals.shift();
    }
    hold.lastRenewalAt = time;
  }
  hold.renewals += times.length;
  hold.renewalIntervalMs = lock.intervals ? median(lock.intervals) : null;
  state.changes.push({ kind: 'hold-renewed', at, lock, hold, times: times.length });
}

/**
 * Where the lease ends as far as is known at the moment, pending extensions included.
 * Undefined = not known, null = never.
 */
export function knownDeadline(lock: Tracked): number | null | undefined {
  const { hold, pending } = lock;
  if (!hold) return undefined;
  if (!pending) return hold.deadline;
  if (pending.leaseAt !== null) {
    return hold.leaseMs === null ? undefined : pending.leaseAt + hold.leaseMs;
  }
  return pending.leaseOwed ? undefined : hold.deadline;
}

/**
 * Takes over the time to live that a read showed, and the renewals before it, for the hold that goes on.
 * Returns whether anything but jitter changed.
 */
export function settleLease(
  state: TableState,
  lock: Tracked,
  read: { at: number; pttl: number | null },
): boolean {
  const { hold, pending } = lock;
  if (!hold) return false;
  const before = hold.deadline;
  const next = read.pttl === null ? null : toMoment(read.at + read.pttl);
  const times = pending?.renewalTimes ?? [];
  const leaseAt = pending?.leaseAt ?? null;
  const wasTold = leaseAt !== null || (pending?.lastWriteAt ?? null) !== null;
  if (!wasTold && next !== null && isEventless(state, lock)) {
    return measureAgain(state, lock, { next, at: read.at });
  }
  const least = wasTold ? SHORTENED_MS : SHORTENED_UNSEEN_MS;
  const wasShortened = typeof before === 'number' && next !== null && next < before - least;
  const isFinish = wasShortened && lock.format.shorterLeaseMeansFinished;
  const wasRemoved = typeof before === 'number' && next === null;
  // The last of these did not lengthen anything, so it was no renewal; a holder that writes itself again
  // with a shorter lease renews all the same.
  if (isFinish || wasRemoved || (wasShortened && pending?.rewrites === 0)) times.pop();
  if (wasRemoved) addNote(hold, 'lease-removed');
  if (isFinish) finish(hold, leaseAt ?? read.at);
  else if (wasShortened) addNote(hold, 'lease-shortened');
  const leaseFrom = pending?.isLate
    ? null
    : (leaseAt ?? (before === undefined ? observedStart(hold) : null));
  if (!isFinish && next !== null && leaseFrom !== null) {
    hold.leaseMs = refineLease(hold.leaseMs, next - leaseFrom);
  }
  if (typeof before === 'number' && next !== null && next > before + UNSEEN_RENEWAL_MS) {
    resume(hold);
    if (times.length === 0 && leaseAt === null) times.push(unseenRenewal(hold, next, read.at));
  }
  addRenewals(state, lock, times, read.at);
  return setDeadline(state, lock, { next, isKept: leaseAt === null, at: read.at });
}

/** A lease that no event of its own set came with the write that began the hold, if that was seen. */
const observedStart = (hold: HoldRecord): number | null =>
  hold.sinceEvidence === 'observed' && !hold.isStartUnseen && !hold.notes.has('touches-gap')
    ? hold.since
    : null;

/** No lease changes without an event here, so that another figure is only another measurement. */
const isEventless = ({ canSee }: TableState, lock: Tracked): boolean =>
  canSee.release === true &&
  lock.gap === null &&
  lock.handedOut === null &&
  lock.hasEvents &&
  typeof lock.hold?.deadline === 'number';

/** Each read bounds the end of the lease from above; an earlier bound also corrects the lease. */
function measureAgain(
  state: TableState,
  lock: Tracked,
  { next, at }: { next: number; at: number },
): boolean {
  const { hold } = lock;
  const before = hold?.deadline;
  if (!hold || typeof before !== 'number' || next >= before) return false;
  const isNews = before - next > JITTER_MS;
  if (isNews && hold.leaseMs !== null) hold.leaseMs = roundLease(hold.leaseMs - (before - next));
  hold.deadline = next;
  scheduleDue(state, lock, at);
  return isNews;
}

function finish(hold: HoldRecord, at: number): void {
  hold.finishedAt = at;
  addNote(hold, 'finished-kept');
}

function resume(hold: HoldRecord): void {
  hold.finishedAt = null;
  removeNote(hold, 'finished-kept');
}

/** Where events are blind a longer lease shows the renewal; a known lease dates it. */
function unseenRenewal(hold: HoldRecord, deadline: number, at: number): number {
  return hold.leaseMs === null ? at : Math.min(at, deadline - hold.leaseMs);
}

/**
 * Every read bounds the deadline from above (the way back takes time), so that of equal leases the earliest
 * bound is the best.
 */
export function setDeadline(
  state: TableState,
  lock: Tracked,
  { next, isKept, at }: { next: number | null; isKept: boolean; at: number },
): boolean {
  const { hold } = lock;
  if (!hold) return false;
  const before = hold.deadline;
  const isJitter =
    isKept &&
    typeof before === 'number' &&
    next !== null &&
    Math.abs(next - before) <= JITTER_MS &&
    lock.handedOut === null;
  hold.deadline = isJitter ? Math.min(before, next) : next;
  scheduleDue(state, lock, at);
  return !isJitter && before !== next;
}

/** Puts the lock's next check into the heap, unless an earlier entry will find it anyway. */
function scheduleDue(state: TableState, lock: Tracked, at: number): void {
  const deadline = lock.hold?.deadline;
  if (typeof deadline !== 'number') return;
  let checkAt = deadline;
  if (lock.handedOut) {
    // The lock outlived the check: look again later, or at once when the lease is another one.
    if (deadline <= lock.handedOut.deadline || deadline <= at) {
      const pauseMs = Math.min(RECHECK_MS, FIRST_RECHECK_MS * 2 ** lock.rechecks);
      checkAt = Math.max(deadline, lock.handedOut.at + pauseMs);
      lock.rechecks = Math.min(lock.rechecks + 1, 10);
    } else lock.rechecks = 0;
    lock.handedOut = null;
  }
  if (lock.dueAt !== null && lock.dueAt <= checkAt) return;
  lock.dueAt = checkAt;
  state.due.push(checkAt, lock);
  dropStaleDue(state);
}

/** Held locks whose lease is over at `now`, each once per deadline. */
export function takeDue(state: TableState, now: number, limit: number): Tracked[] {
  const due: Tracked[] = [];
  while (due.length < limit) {
    const lock = state.due.take(now);
    if (!lock) break;
    if (lock.dueAt === null || lock.dueAt > now) continue;
    const entryAt = lock.dueAt;
    lock.dueAt = null;
    const deadline = lock.hold?.deadline;
    if (typeof deadline !== 'number' || lock.handedOut) continue;
    if (deadline > now) {
      scheduleDue(state, lock, now);
      continue;
    }
    lock.handedOut = { deadline, at: Math.max(entryAt, now) };
    due.push(lock);
  }
  return due;
}
