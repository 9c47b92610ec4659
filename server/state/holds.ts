import type { Holder } from '@/lib/formats/format';
import type { EndReason, Evidence, HoldNote, Owner } from '@/lib/protocol/lock';
import type { HoldRecord } from './lock-record';
import { leastDepthReached } from './pending';
import { withFacts } from './instances';
import { addRenewals } from './lease';
import { rememberEnded, setState, type TableState } from './table-state';
import type { Tracked } from './tracked';
import { addNote, notesOf } from './notes';

export interface HoldStart {
  at: number;
  since: number;
  evidence: Evidence;
  /** Told by the value, seen by no event. */
  isUnseen?: boolean;
  notes?: HoldNote[];
  holder?: Holder;
}

export interface HoldEnd {
  /** When it became known. */
  at: number;
  end: number;
  reason: EndReason;
  evidence: Evidence;
  endedBy?: string;
  notes?: HoldNote[];
}

/**
 * Begins a hold: the next generation, even when the token is the one of the hold before. A lock that was forgotten
 * meanwhile begins with none that it has had, so that nobody releases this hold by what they saw of an older one.
 */
export function openHold(state: TableState, lock: Tracked, start: HoldStart): HoldRecord {
  const previousEnd = lock.ended[0]?.end ?? null;
  const since = Math.max(start.since, previousEnd ?? start.since);
  lock.generation = (lock.generation || state.forgottenGeneration) + 1;
  const hold: HoldRecord = {
    generation: lock.generation,
    token: null,
    owner: null,
    since,
    sinceEvidence: state.isLate && start.evidence === 'observed' ? 'inferred' : start.evidence,
    deadline: undefined,
    leaseMs: null,
    renewals: 0,
    lastRenewalAt: null,
    renewalIntervalMs: null,
    depth: 1,
    maxDepth: 1,
    fence: null,
    businessId: null,
    statedSince: null,
    isStartUnseen: start.isUnseen === true,
    finishedAt: null,
    waitedMs: null,
    notes: notesOf(start.notes ?? []),
    end: null,
    endReason: null,
    endEvidence: 'unknown',
    endedBy: null,
    lateReleaseMs: null,
  };
  if (start.holder) nameHolder(state, hold, start.holder);
  lock.acquisitions++;
  adoptHold(state, lock, hold, start.at);
  state.changes.push({ kind: 'hold-started', at: start.at, lock, hold, previousEnd });
  return hold;
}

/** Makes `hold` the present one without counting it as new. */
export function adoptHold(state: TableState, lock: Tracked, hold: HoldRecord, at: number): void {
  lock.hold = hold;
  lock.isFormatSettled = false;
  lock.intervals = null;
  lock.handedOut = null;
  lock.rechecks = 0;
  lock.missedAt = null;
  const isHandedOver = lock.format.handsOver === true && lock.ended[0]?.end === hold.since;
  lock.confirmOwedAt = isHandedOver ? hold.since : null;
  lock.releaseIntent = null;
  state.missed.delete(lock);
  setState(state, lock, 'held', at);
}

export function nameHolder(state: TableState, hold: HoldRecord, holder: Holder): void {
  // Each read brings texts of its own: what says the same stays, so that the old do not die old.
  if (hold.token !== holder.token) hold.token = holder.token;
  const owner = withFacts(state, holder.owner);
  if (!hold.owner || !isSameOwner(hold.owner, owner)) hold.owner = owner;
  hold.statedSince = holder.since ?? hold.statedSince;
  hold.businessId = holder.businessId ?? hold.businessId;
  if (holder.tokenTime) hold.tokenTime = holder.tokenTime;
  hold.depth = holder.depth;
  hold.maxDepth = Math.max(hold.maxDepth, holder.depth);
}

const isSameOwner = (a: Owner, b: Owner): boolean =>
  a.id === b.id &&
  a.instance === b.instance &&
  a.thread === b.thread &&
  a.host === b.host &&
  a.ip === b.ip &&
  a.pid === b.pid &&
  a.app === b.app &&
  a.liveness === b.liveness;

/** Ends the present hold, after settling what events had left open. Does nothing when there is none. */
export function endHold(state: TableState, lock: Tracked, seen: HoldEnd): void {
  const { hold, forceReleased } = lock;
  if (!hold) return;
  const how: HoldEnd =
    forceReleased?.generation === hold.generation
      ? { ...seen, reason: 'force-released', evidence: 'observed', endedBy: forceReleased.actor }
      : seen;
  const isLate = state.isLate && how.evidence === 'observed' && how.reason !== 'lease-ended';
  hold.endEvidence = isLate ? 'inferred' : how.evidence;
  settleUnread(state, lock, hold, how);
  hold.end = Math.max(how.end, hold.since);
  hold.endReason = how.reason;
  hold.endedBy = how.endedBy ?? null;
  if (how.notes?.length) addNote(hold, ...how.notes);
  if (hold.token === null) addNote(hold, 'owner-not-seen');
  lock.hold = null;
  lock.gap = null;
  lock.releaseIntent = null;
  clearHoldPending(lock);
  rememberEnded(lock, hold);
  setState(state, lock, 'free', how.at);
  state.changes.push({ kind: 'hold-ended', at: how.at, lock, hold });
}

/** No read came after these events: where nothing speaks against it, they are the holder's own. */
function settleUnread(state: TableState, lock: Tracked, hold: HoldRecord, how: HoldEnd): void {
  const { pending } = lock;
  if (!pending) return;
  const isLastDoubtful =
    pending.rewrites === 1 && how.at - (pending.lastWriteAt ?? 0) <= SOON_ENDED_MS;
  if ((pending.doubtful > 0 || isLastDoubtful) && !renewsByWriting(lock)) {
    hold.endEvidence = 'inferred';
    addNote(hold, 'writes-unread');
  } else if (lock.format.kind !== 'semaphore') {
    addRenewals(state, lock, pending.renewalTimes, how.at);
  }
  const steps = pending.depthSteps;
  if (steps === 0) return;
  // A release walks down to 0; a bare DEL or a lapse leaves the depth anywhere.
  const walksDown = steps >= hold.depth && (steps - hold.depth) % 2 === 0;
  const isRelease = how.reason === 'released' && walksDown;
  noteDepth(hold, leastDepthReached(hold.depth, isRelease ? 0 : null, steps));
}

/** A write so close before the end may have been another's, whose end it is. */
const SOON_ENDED_MS = 20;

/**
 * Whether writes that nobody read are the holder's renewals: its library renews by SET, or it has done so
 * itself. Else each may as well be another's.
 */
export function renewsByWriting({ format, hold, pending }: Tracked): boolean {
  if (format.renewal === 'set' && format.expiry === 'always') return true;
  // A doubtful write makes the one before it doubtful too.
  const seen = pending ? pending.renewalTimes.length - Math.max(1, 2 * pending.doubtful) : 0;
  return (hold?.renewals ?? 0) > 0 || seen > 0;
}

/** Raises the highest depth to one that nobody read, but that must have been reached. */
export function noteDepth(hold: HoldRecord, depth: number): void {
  if (depth <= hold.maxDepth) return;
  hold.maxDepth = depth;
  addNote(hold, 'depth-inferred');
}

/** Drops what belonged to one hold; what was seen of the queue stays for the next read. */
export function clearHoldPending(lock: Tracked): void {
  const { pending } = lock;
  if (!pending) return;
  if (pending.joinedAt.length === 0 && pending.poppedAt.length === 0) {
    lock.pending = null;
    return;
  }
  pending.firstWriteAt = pending.lastWriteAt = pending.leaseAt = null;
  pending.movedInAt = pending.removedAt = pending.purgedAt = null;
  pending.madeAnewAt = pending.editedAt = null;
  pending.isLate = false;
  pending.renewalTimes = [];
  pending.rewrites = pending.doubtful = pending.depthSteps = 0;
  pending.leaseOwed = false;
}

export function reviseEnded(state: TableState, lock: Tracked, hold: HoldRecord, at: number): void {
  lock.changedAt = at;
  state.changes.push({ kind: 'hold-revised', at, lock, hold });
}
