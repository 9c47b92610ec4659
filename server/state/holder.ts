import type { Holder } from '@/lib/formats/format';
import { toMoment } from '@/lib/protocol/time';
import type { ReadObservation } from '@/server/watch/observation';
import { endByDelete, endByOther, endUnseen } from './ends';
import { grantToHolder } from './fair-queue';
import { nameHolder, noteDepth, openHold, renewsByWriting, type HoldStart } from './holds';
import { settleLease } from './lease';
import { listReaders } from './members';
import type { HoldRecord } from './lock-record';
import { leastDepthReached } from './pending';
import { pendingOf, setState, type TableState } from './table-state';
import type { Tracked } from './tracked';
import { addNote } from './notes';

/** A key met this long after a gap is taken to have been made in it, unless its token tells more. */
const GAP_EFFECT_MS = 5 * 60_000;
/** Clocks of clients differ; a token that claims to be younger than its hold by more says nothing. */
const MAX_SKEW_MS = 1000;

/**
 * The holder as read: the same goes on, another one begins, or nobody holds. Of several (readers) the hold is
 * that of the one who had it, as long as it stays.
 */
export function applyHolder(
  state: TableState,
  lock: Tracked,
  read: ReadObservation,
  { holders, fence }: { holders: readonly Holder[]; fence: string | null },
): void {
  const { hold } = lock;
  const insideBefore = lock.members;
  const live = holders.filter(({ stale }) => !stale);
  const holder = holders.find(({ token }) => token === hold?.token) ?? live[0] ?? holders[0];
  lock.members = listReaders(state, lock, holders);
  const isOver = live.length === 0 && lock.format.kind !== 'read-write';
  if (!holder || isOver) {
    const countedAt = lock.format.counts ? (lock.pending?.editedAt ?? read.at) : null;
    if (countedAt === null) endUnseen(state, lock, { at: read.at, byRead: true });
    else endByDelete(state, lock, countedAt);
    setState(state, lock, 'free', read.at);
    return;
  }
  if (hold && isAnother(hold, holder, fence)) {
    const leftAt = lock.format.kind === 'read-write' ? (lock.pending?.removedAt ?? null) : null;
    const wasInside = insideBefore.some(({ id }) => id === holder.owner.id);
    if (leftAt === null && !wasInside) replaceHolder(state, lock, read, holder);
    else passOn(state, lock, read, { holder, leftAt: leftAt ?? read.at, wasInside });
  } else if (hold) continueHold(state, lock, read, holder);
  else beginHold(state, lock, holder, startFromRead(state, lock, read, holder));
  const present = lock.hold;
  if (!present) return;
  const isLeaseNew = settleLease(state, lock, { at: read.at, pttl: leaseLeft(read, holder) });
  const isFenceNew = fence !== null && present.fence !== fence;
  if (isFenceNew) present.fence = fence;
  const next = present.finishedAt === null ? 'held' : 'cooling-down';
  const isStateNew = lock.state !== next;
  if (isStateNew) setState(state, lock, next, read.at);
  if (isLeaseNew || isFenceNew || isStateNew) tellUpdated(state, lock, present, read.at);
}

/** The time to live of the key or, where it has none, what the value itself says of its end. */
const leaseLeft = ({ at, pttl }: ReadObservation, { deadline }: Holder): number | null =>
  pttl === null && deadline !== null ? Math.max(0, deadline - at) : pttl;

/**
 * Another token, or the same owner in another hold: it then began at another time and has another fencing
 * token. Either alone may be corrected while the hold lasts.
 */
function isAnother(hold: HoldRecord, holder: Holder, fence: string | null): boolean {
  if (hold.token === null || hold.token !== holder.token) return hold.token !== null;
  const { statedSince, fence: fenceBefore } = hold;
  const isLater = statedSince !== null && (holder.since ?? statedSince) !== statedSince;
  return isLater && fence !== null && fenceBefore !== null && fence !== fenceBefore;
}

/** One reader left and others stay, of whom one stands for the hold from now on. */
function passOn(
  state: TableState,
  lock: Tracked,
  read: ReadObservation,
  { holder, leftAt, wasInside }: { holder: Holder; leftAt: number; wasInside: boolean },
): void {
  const { at } = read;
  const writtenAt = wasInside ? null : (lock.pending?.lastWriteAt ?? null);
  endByDelete(state, lock, leftAt);
  const since = Math.max(leftAt, writtenAt ?? leftAt);
  const evidence = writtenAt === null ? 'inferred' : 'observed';
  beginHold(state, lock, holder, { at, since, evidence });
}

/** One change per read is enough, however much it brought. */
function tellUpdated(state: TableState, lock: Tracked, hold: HoldRecord, at: number): void {
  const last = state.changes.at(-1);
  if (last && 'hold' in last && last.hold === hold && last.at === at) return;
  lock.changedAt = at;
  state.changes.push({ kind: 'hold-updated', at, lock, hold });
}

function continueHold(
  state: TableState,
  lock: Tracked,
  read: ReadObservation,
  holder: Holder,
): void {
  const { hold, pending } = lock;
  if (!hold) return;
  const depthBefore = hold.depth;
  const isUnnamed = hold.token === null;
  nameHolder(state, hold, holder);
  if (pending && pending.doubtful > 0 && !renewsByWriting(lock)) {
    pending.renewalTimes = [];
    if (isUnnamed) hold.sinceEvidence = 'inferred';
    addNote(hold, 'writes-unread');
  }
  const steps = pending?.depthSteps ?? 0;
  noteDepth(hold, leastDepthReached(depthBefore, holder.depth, steps));
  if (isUnnamed) settleWait(state, lock, holder, read.at);
  if (isUnnamed || depthBefore !== holder.depth) tellUpdated(state, lock, hold, read.at);
}

function replaceHolder(
  state: TableState,
  lock: Tracked,
  read: ReadObservation,
  holder: Holder,
): void {
  const { pending } = lock;
  const wasInGap = lock.gap !== null;
  const since = wasInGap ? null : (pending?.lastWriteAt ?? null);
  const leaseAt = pending?.leaseAt ?? null;
  const isLate = pending?.isLate === true;
  const movedIn = since !== null && pending?.movedInAt === since;
  const gapFrom = lock.gap?.from ?? null;
  const renewalTimes = since === null ? [] : splitAtTakeover(lock, since);
  const isLastOfSeveral = (pending?.rewrites ?? 0) > 1;
  endByOther(state, lock, {
    at: read.at,
    since,
    isSinceSure: !isLastOfSeveral,
    by: holder.owner.id,
  });
  const told = statedStart(read, holder);
  const start: HoldStart = wasInGap
    ? { at: read.at, since: read.at, evidence: 'inferred', notes: ['started-in-gap'] }
    : {
        at: read.at,
        since: since ?? read.at,
        evidence: since === null || isLastOfSeveral ? 'inferred' : 'observed',
      };
  if (isLastOfSeveral && !wasInGap) start.notes = ['writes-unread'];
  if (movedIn) start.notes = ['moved-in'];
  if (wasInGap) start.notes?.push('touches-gap');
  const isBetterTold = told !== null && start.evidence !== 'observed';
  beginHold(
    state,
    lock,
    holder,
    isBetterTold
      ? { ...start, since: told, evidence: 'observed', isUnseen: true }
      : withTokenTime(start, holder, gapFrom),
  );
  if (leaseAt !== null && !wasInGap)
    Object.assign(pendingOf(lock), { leaseAt, renewalTimes, isLate });
}

/** Leaves the old holder its renewals before the takeover and returns those after it. */
function splitAtTakeover(lock: Tracked, since: number): number[] {
  const { pending } = lock;
  if (!pending) return [];
  const times = pending.renewalTimes;
  const areHis = pending.doubtful === 0 || renewsByWriting(lock);
  pending.renewalTimes = areHis ? times.filter((time) => time < since) : [];
  pending.rewrites = pending.doubtful = pending.depthSteps = 0;
  return times.filter((time) => time > since);
}

function beginHold(state: TableState, lock: Tracked, holder: Holder, start: HoldStart): void {
  const hold = openHold(state, lock, { ...start, holder });
  lock.isFormatSettled = true;
  const steps = lock.pending?.depthSteps ?? 0;
  noteDepth(hold, leastDepthReached(1, holder.depth, steps === 0 ? holder.depth - 1 : steps));
  settleWait(state, lock, holder, start.at);
}

/**
 * When a hold began that no event opened: what its value says, else when it was met, the latest that is possible, so that its age is a
 * lower bound and nobody is accused of a gap's length. A time in the token is better.
 */
function startFromRead(
  state: TableState,
  lock: Tracked,
  read: ReadObservation,
  holder: Holder,
): HoldStart {
  const start = startFromEvents(state, lock, read, holder);
  const told = statedStart(read, holder);
  if (told === null || start.evidence === 'observed') return start;
  return { ...start, since: told, evidence: 'observed', isUnseen: true };
}

/** When the value itself says that the hold began, by our clock; null where it says nothing. */
function statedStart({ at, clockMs = 0 }: ReadObservation, { since }: Holder): number | null {
  return since === undefined ? null : toMoment(Math.min(at, since + clockMs));
}

function startFromEvents(
  state: TableState,
  lock: Tracked,
  read: ReadObservation,
  holder: Holder,
): HoldStart {
  const { at } = read;
  const { pending } = lock;
  if (pending && pending.movedInAt !== null) {
    return { at, since: pending.movedInAt, evidence: 'observed', notes: ['moved-in'] };
  }
  if (pending && pending.firstWriteAt !== null) {
    return { at, since: pending.firstWriteAt, evidence: 'observed' };
  }
  const gap = state.lastGap;
  const isNew = lock.rawAt === 0 && lock.generation === 0;
  const knownAt = isNew ? at - GAP_EFFECT_MS : Math.max(lock.rawAt, lock.changedAt);
  if (gap && knownAt < gap.to) {
    const notes: HoldStart['notes'] = ['started-in-gap', 'touches-gap'];
    return withTokenTime({ at, since: at, evidence: 'inferred', notes }, holder, gap.from);
  }
  const notes: HoldStart['notes'] = isNew ? ['started-before-watch'] : [];
  return withTokenTime({ at, since: at, evidence: 'inferred', notes }, holder, null);
}

/** Improves an inferred start by the time that the token tells, within what is possible. */
function withTokenTime(start: HoldStart, holder: Holder, earliest: number | null): HoldStart {
  const told = holder.tokenTime?.at;
  if (told === undefined || start.evidence === 'observed' || told > start.at) return start;
  return { ...start, since: Math.max(told, earliest ?? told) };
}

/** Ends the new holder's wait, where its queue or its token tells when that began. */
function settleWait(state: TableState, lock: Tracked, holder: Holder, at: number): void {
  const { hold } = lock;
  if (!hold) return;
  grantToHolder(state, lock, hold, at);
  const asked = holder.tokenTime;
  if (hold.waitedMs || asked?.means !== 'asked' || hold.sinceEvidence !== 'observed') return;
  if (hold.notes.has('moved-in') || hold.since - asked.at < -MAX_SKEW_MS) return;
  const waitedMs = Math.max(0, hold.since - asked.at);
  hold.waitedMs = { ms: waitedMs, source: 'token-time', evidence: 'inferred' };
  const gap = state.lastGap;
  state.changes.push({
    kind: 'wait-ended',
    at,
    lock,
    owner: holder.token,
    waitedMs,
    source: 'token-time',
    evidence: 'inferred',
    outcome: 'granted',
    touchesGap: gap !== null && asked.at <= gap.to && hold.since >= gap.from,
  });
}
