import type { Bytes } from '@/lib/protocol/bytes';
import { qoder } from '@/lib/formats/qoder';
import { isOwnOwner, readWish } from '@/lib/formats/qoder-owner';
import { toMoment } from '@/lib/protocol/time';
import type { ReadObservation } from '@/server/watch/observation';
import { ownerOf } from './instances';
import { lockId, type HoldRecord, type WaiterRecord } from './lock-record';
import { pushTime, type Pending } from './pending';
import { takeQueued, type ReportedWait } from './report-book';
import { findLock, noteFor, pendingOf, type TableState } from './table-state';
import type { Tracked } from './tracked';

/** A grant takes its owner from the queue and writes the lock in one step: their events come together. */
const SAME_STEP_MS = 5;

/** Something happened to the queue of this lock: only joins and departures from the head are of use. */
export function onQueueEvent(
  state: TableState,
  parent: { db: number; key: Bytes },
  { event, at }: { event: string; at: number },
): void {
  if (event !== 'rpush' && event !== 'lpop') return;
  const lock = findLock(state, parent.db, parent.key);
  const pending: Pending = lock ? pendingOf(lock) : noteFor(state, lockId(parent.db, parent.key));
  pushTime(event === 'rpush' ? pending.joinedAt : pending.poppedAt, at);
}

/** The new holder had queued: its wait is over. */
export function grantToHolder(
  state: TableState,
  lock: Tracked,
  hold: HoldRecord,
  at: number,
): void {
  const index = lock.queue.findIndex(({ owner }) => owner === hold.token);
  const waiter = lock.queue[index];
  if (!waiter) return;
  lock.queue.splice(index, 1);
  // The last to be taken from the head is the one that holds it now.
  lock.pending?.poppedAt.pop();
  const wait = endWait(state, lock, waiter, { at, until: hold.since, outcome: 'granted' });
  hold.businessId ??= waiter.businessId;
  if (wait) hold.waitedMs = { ...wait, source: 'fair-queue' };
}

function endWait(
  state: TableState,
  lock: Tracked,
  waiter: WaiterRecord,
  end: { at: number; until: number; outcome: 'granted' | 'left' },
) {
  const wasSeen = lock.seenJoining?.delete(waiter.owner) === true;
  if (waiter.since === null) return null;
  const waitedMs = Math.max(0, end.until - waiter.since);
  const evidence = wasSeen ? ('observed' as const) : ('inferred' as const);
  const gapFrom = state.lastGap?.from ?? Number.POSITIVE_INFINITY;
  const gapTo = state.lastGap?.to ?? 0;
  const change = takeQueued(state.reports, {
    kind: 'wait-ended',
    at: end.at,
    lock,
    owner: waiter.owner,
    waitedMs,
    source: 'fair-queue',
    evidence,
    outcome: end.outcome,
    touchesGap: waiter.touchesGap === true || (waiter.since <= gapTo && end.until >= gapFrom),
  });
  if (change) state.changes.push(change);
  return { ms: waitedMs, evidence };
}

/** Holds since the last read whose owner nobody saw: each may have been a waiter's. */
function unnamedHolds(lock: Tracked): number {
  return lock.ended.filter(({ token, since }) => token === null && since > lock.rawAt).length;
}

type QueueEntry = NonNullable<ReadObservation['queue']>[number];

/** Since when and for what a waiter of our own client says that it waits, by our clock. */
function wishOf({ wish }: QueueEntry, { at, clockMs = 0 }: ReadObservation): ReportedWait | null {
  const read = wish === undefined ? null : readWish(wish);
  return read && { ...read, since: toMoment(Math.min(at, read.since + clockMs)) };
}

/**
 * The deadline of our own client is by Redis's clock and moved twice a second: past it nobody is there, and
 * before it somebody was just now.
 */
function asRead(entry: QueueEntry, { at, clockMs = 0 }: ReadObservation): QueueEntry {
  if (entry.deadline === null || !isOwnOwner(entry.owner)) return entry;
  const deadline = entry.deadline + clockMs;
  return { ...entry, deadline, alive: deadline > at ? (entry.alive ?? true) : false };
}

/**
 * Takes over the queue as read. Who is new joined at the matching event, counted from the last; or just
 * before the read, if an event asked for it and the queue had been read before; else at an unknown time
 * before. Who is gone without having become holder was granted the lock between two reads if a pop or a hold
 * without a name was seen (a pop of one past its time only drops it), else it left.
 */
export function applyQueue(state: TableState, lock: Tracked, read: ReadObservation): void {
  if (read.queue === null) return;
  const before = new Map(lock.queue.map((waiter) => [waiter.owner, waiter]));
  const joined = lock.pending?.joinedAt ?? [];
  const pops = lock.pending?.poppedAt ?? [];
  let granted = Math.max(pops.length, unnamedHolds(lock));
  // Since it was last read something may have been missed: whoever is new may have come then.
  const isMissed = state.lastGap !== null && lock.rawAt <= state.lastGap.to;
  const isPrompt = read.cause === 'event' && lock.rawAt > 0 && !isMissed;
  const newcomers = read.queue.filter(({ owner }) => !before.has(owner)).length;
  const passed = Math.max(0, joined.length - newcomers);
  let join = joined.length - newcomers;
  lock.queue = read.queue.map((entry) => {
    const { owner, deadline, alive } = asRead(entry, read);
    const known = before.get(owner);
    before.delete(owner);
    if (known) return { ...known, deadline, alive };
    const seenAt = joined[join++];
    const told = wishOf(entry, read) ?? lock.reported?.get(owner);
    const isSeen = seenAt !== undefined || told !== undefined || isPrompt;
    if (isSeen) (lock.seenJoining ??= new Set()).add(owner);
    const since = told?.since ?? seenAt ?? read.at;
    const by = ownerOf(state, owner);
    const businessId = told?.businessId ?? null;
    const touchesGap = isMissed && !isSeen;
    return { owner, since, deadline, alive, by, businessId, ...(touchesGap && { touchesGap }) };
  });
  let pop = 0;
  for (const waiter of before.values()) {
    const isPastItsTime = waiter.deadline !== null && waiter.deadline <= read.at;
    const isInside = lock.members.some(({ id }) => id === waiter.by.id);
    const outcome = isInside || (!isPastItsTime && granted-- > 0) ? 'granted' : 'left';
    const grantedAt = outcome === 'granted' ? pops[pop++] : undefined;
    // When it was granted nobody saw, only that it was.
    if (outcome === 'granted' && grantedAt === undefined) lock.seenJoining?.delete(waiter.owner);
    endWait(state, lock, waiter, { at: read.at, until: grantedAt ?? read.at, outcome });
  }
  passThrough(state, lock, { joined: joined.slice(0, passed), popped: pops.slice(pop), read });
  if (lock.seenJoining?.size === 0) lock.seenJoining = null;
}

/**
 * Whoever joined and was granted the lock between two reads stands in neither of them: the events tell when, and the
 * hold that began then is its own.
 */
function passThrough(
  state: TableState,
  lock: Tracked,
  seen: { joined: readonly number[]; popped: readonly number[]; read: ReadObservation },
): void {
  const { joined, popped, read } = seen;
  // What our own client writes to its queue is told by its reports.
  if (joined.length === 0 || lock.format.id === qoder.id) return;
  lock.passed = [];
  for (const [i, from] of joined.entries()) {
    const to = popped[i];
    if (to === undefined || to < from) return;
    const hold = [lock.hold, ...lock.ended].find(
      (one) => one && one.waitedMs === null && Math.abs(one.since - to) <= SAME_STEP_MS,
    );
    if (!hold) continue;
    lock.passed.push({ from, to: hold.since });
    const waitedMs = Math.max(0, hold.since - from);
    hold.waitedMs = { ms: waitedMs, source: 'fair-queue', evidence: 'observed' };
    const gap = state.lastGap;
    state.changes.push({
      ...{ kind: 'wait-ended', at: read.at, lock, owner: hold.token ?? '', waitedMs },
      ...{ source: 'fair-queue', evidence: 'observed', outcome: 'granted' },
      touchesGap: gap !== null && from <= gap.to && hold.since >= gap.from,
    });
  }
}
