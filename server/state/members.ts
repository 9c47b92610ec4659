import { toMoment } from '@/lib/protocol/time';
import type { Bytes } from '@/lib/protocol/bytes';
import type { BesideKeys, Decoded, Holder, LockFormat, RawValue } from '@/lib/formats/format';
import type { Member } from '@/lib/protocol/lock';
import type { ReadObservation } from '@/server/watch/observation';
import { endByDelete, endUnseen } from './ends';
import { endHold, nameHolder, openHold } from './holds';
import { withFacts } from './instances';
import { addRenewals, roundLease, setDeadline } from './lease';
import type { HoldRecord } from './lock-record';
import { pendingOf, setState, type TableState } from './table-state';
import type { Tracked } from './tracked';

/**
 * The window after which a member that was not refreshed no longer counts: the key's whole lease. A refresh
 * writes the member and sets the key's lease in one step, so it is measured from the `expire`, or where no
 * event was seen from the newest member's own time (the client's clock). Null = the key has no lease.
 */
export function windowOf(
  lock: Tracked,
  read: Content & { at: number; pttl: number | null; clockMs?: number },
): number | null {
  const known = lock.hold?.leaseMs ?? lock.ended[0]?.leaseMs ?? null;
  if (isDeadlines(lock.format)) return leaseOfScores(lock, read) ?? known;
  const { pttl, at } = read;
  if (pttl === null) return known;
  const leaseAt = lock.pending?.leaseAt ?? null;
  if (leaseAt !== null) return roundLease(at + pttl - leaseAt);
  const newestScore = latestScore(read);
  if (known !== null || newestScore === null) return known;
  return roundLease(Math.max(pttl, at + pttl - newestScore));
}

/** When a place was last given or taken: permits are counted in the lock's own key, and named beside it. */
const writtenAtOf = ({ format, pending }: Tracked): number | null =>
  (format.counts ? pending?.editedAt : null) ?? pending?.lastWriteAt ?? null;

/** Where a score is a deadline the newest one shows the lease, measured from the write that set it. */
function leaseOfScores(lock: Tracked, read: Content & { clockMs?: number }): number | null {
  const writtenAt = writtenAtOf(lock);
  const newestDeadline = latestScore(read);
  if (writtenAt === null || newestDeadline === null) return null;
  const leaseMs = newestDeadline + (read.clockMs ?? 0) - writtenAt;
  return leaseMs > 0 ? roundLease(leaseMs) : null;
}

/** Where members with scores are looked for: in the value, else in the keys beside it. */
interface Content {
  value: RawValue | null;
  beside?: BesideKeys;
}

/** Scores beyond are written for "never" (the year 5138). */
const NEVER = 1e14;

function scoredMembers({ value, beside }: Content): [Bytes, number][] {
  if (value?.type === 'zset') return value.members;
  for (const { value: other } of beside?.values() ?? []) {
    if (other?.type === 'zset') return other.members;
  }
  return [];
}

function latestScore(content: Content): number | null {
  const scores = scoredMembers(content).flatMap(([, score]) => (score < NEVER ? [score] : []));
  return scores.length === 0 ? null : toMoment(Math.max(...scores));
}

const scoreOf = (content: Content, token: Bytes): number | null =>
  scoredMembers(content).find(([member]) => member === token)?.[1] ?? null;

const before = ({ raw, beside }: Tracked): Content => ({ value: raw, beside });

const isDeadlines = ({ scores, type, ownLeases }: LockFormat): boolean =>
  scores === 'deadlines' || (ownLeases === true && type !== 'zset');

/** Whether each holder's place is its own, with a deadline of its own. */
export const holdsByMember = ({ type, ownLeases }: LockFormat): boolean =>
  type === 'zset' || ownLeases === true;

function listMembers(
  state: TableState,
  lock: Tracked,
  { content, holders }: { content: Content; holders: readonly Holder[] },
): Member[] {
  const isOwn = isDeadlines(lock.format);
  return holders.map((holder) => ({
    ...memberOf(state, holder),
    refreshedAt: isOwn ? null : toMoment(scoreOf(content, holder.token) ?? 0),
  }));
}

const memberOf = (
  state: TableState,
  { owner, depth, deadline, stale, role }: Holder,
): Omit<Member, 'refreshedAt'> => ({
  id: owner.id,
  ...(role && { role }),
  ...(depth > 1 && { depth }),
  deadline,
  stale,
  ...(owner.instance !== null || owner.host !== null ? { owner: withFacts(state, owner) } : {}),
});

const NOBODY: Member[] = [];

/** Who is inside, where the lock has a reading side: all by their roles, or more than one. */
export function listReaders(
  state: TableState,
  { format }: Tracked,
  holders: readonly Holder[],
): Member[] {
  const isNamed = holders.length > 1 || holders.some(({ role }) => role !== undefined);
  if (format.kind !== 'read-write' || !isNamed) return NOBODY;
  return holders.map((holder) => ({ ...memberOf(state, holder), refreshedAt: null }));
}

const newest = (holders: readonly Holder[]): Holder | undefined =>
  holders.reduce<Holder | undefined>(
    (best, each) => ((each.deadline ?? 0) > (best?.deadline ?? -1) ? each : best),
    undefined,
  );

/**
 * A semaphore as read. Its hold is that of one live member: the one that had it as long as it stays, then
 * the most recently refreshed. The depth is the number of live members.
 */
export function applyMembers(
  state: TableState,
  lock: Tracked,
  read: ReadObservation & { value: RawValue },
  decoded: Decoded,
): void {
  const { at } = read;
  const live = decoded.holders.filter(({ stale }) => !stale);
  const membersBefore = lock.members;
  const writtenAt = writtenAtOf(lock);
  lock.members = listMembers(state, lock, { content: read, holders: decoded.holders });
  const { hold } = lock;
  const kept = live.find(({ token }) => token === hold?.token);
  if (hold && hold.token !== null && !kept) endMember(state, lock, decoded, at);
  const holder = kept ?? newest(live);
  const wasOpen = lock.hold !== null;
  if (holder) {
    if (!wasOpen) openMember(state, lock, read, { holder, writtenAt });
    settleMember(state, lock, read, { holder, live, wasOpen });
  } else if (wasOpen && decoded.holders.length > 0) {
    const last = newest(decoded.holders)?.deadline ?? at;
    endStale(state, lock, { at, end: Math.max(hold?.since ?? at, Math.min(last, at)) });
  } else if (wasOpen) endUnseen(state, lock, { at, byRead: true });
  const next = holder ? 'held' : 'free';
  const isListNew = JSON.stringify(membersBefore) !== JSON.stringify(lock.members);
  if (lock.state !== next || isListNew) setState(state, lock, next, at);
  if (isListNew && !lock.hold) state.changes.push({ kind: 'lock-changed', at, lock });
}

/** The member that stood for the hold is gone or past its window. */
function endMember(state: TableState, lock: Tracked, decoded: Decoded, at: number): void {
  const { hold, pending } = lock;
  const stale = decoded.holders.find(({ token }) => token === hold?.token);
  const deadline = stale?.deadline ?? hold?.deadline ?? at;
  const countedAt = lock.format.counts ? (pending?.editedAt ?? null) : null;
  const removedAt = pending?.removedAt ?? countedAt;
  if (stale || (removedAt === null && (pending?.purgedAt ?? null) !== null)) {
    endStale(state, lock, { at, end: Math.min(deadline, at) });
  } else if (removedAt !== null) endByDelete(state, lock, removedAt);
  else endUnseen(state, lock, { at, byRead: true });
}

/** Past its window. Where the key told no lease, the window is the library's default: a guess. */
function endStale(state: TableState, lock: Tracked, times: { at: number; end: number }): void {
  const isExact = isDeadlines(lock.format) || lock.hold?.leaseMs != null;
  const evidence = isExact ? 'observed' : 'inferred';
  endHold(state, lock, { ...times, reason: 'lease-ended', evidence });
}

function openMember(
  state: TableState,
  lock: Tracked,
  read: ReadObservation,
  { holder, writtenAt }: { holder: Holder; writtenAt: number | null },
): void {
  const { at } = read;
  const wasThere = scoreOf(before(lock), holder.token) !== null;
  if (!wasThere && writtenAt !== null) {
    openHold(state, lock, { at, since: writtenAt, evidence: 'observed', holder });
    return;
  }
  const isDated = !isDeadlines(lock.format);
  const refreshedAt = (isDated ? scoreOf(read, holder.token) : null) ?? at;
  const notes = lock.generation === 0 ? (['started-before-watch'] as const) : [];
  const since = Math.min(at, toMoment(refreshedAt));
  openHold(state, lock, { at, since, evidence: 'inferred', notes: [...notes], holder });
}

/** Whoever was handed a place has it for this long; the first write after makes it a lease. */
const HANDED_OVER_MS = 1500;

const isConfirm = ({ format }: Tracked, { renewals, deadline, since }: HoldRecord): boolean =>
  format.handsOver === true &&
  renewals === 0 &&
  typeof deadline === 'number' &&
  deadline - since <= HANDED_OVER_MS + 100;

/** Whether the same holder's score, or the deadline that its value tells, has moved on since the last read. */
function isLater(lock: Tracked, read: ReadObservation, { token, deadline }: Holder): boolean {
  const scoreBefore = scoreOf(before(lock), token);
  const score = scoreOf(read, token);
  if (scoreBefore !== null || score !== null) {
    return scoreBefore !== null && scoreBefore < (score ?? 0);
  }
  const deadlineBefore = lock.hold?.deadline;
  const isKnown = typeof deadlineBefore === 'number' && deadline !== null;
  return isDeadlines(lock.format) && isKnown && deadlineBefore < deadline;
}

/** The lease of a holder whose own deadline was just written. Null = nothing tells when that was. */
function leaseOfDeadline(
  lock: Tracked,
  read: ReadObservation,
  { holder, isRefreshed }: { holder: Holder; isRefreshed: boolean },
): number | null {
  if (!isDeadlines(lock.format) || holder.deadline === null) return null;
  const isScored = scoreOf(read, holder.token) !== null;
  const writtenAt = writtenAtOf(lock);
  if (isScored && (!isRefreshed || writtenAt !== null)) return null;
  const from = writtenAt ?? (isRefreshed ? read.at : null);
  return from === null ? null : roundLease(holder.deadline - from);
}

function settleMember(
  state: TableState,
  lock: Tracked,
  read: ReadObservation,
  { holder, live, wasOpen }: { holder: Holder; live: readonly Holder[]; wasOpen: boolean },
): void {
  const { hold } = lock;
  if (!hold) return;
  const isUnnamed = hold.token === null;
  const depthBefore = hold.depth;
  const depth = live.length === 1 ? holder.depth : live.length;
  const isRefreshed = wasOpen && depth === depthBefore && isLater(lock, read, holder);
  nameHolder(state, hold, { ...holder, depth });
  const window = leaseOfDeadline(lock, read, { holder, isRefreshed }) ?? windowOf(lock, read);
  const isLeaseNew = window !== null && window !== hold.leaseMs;
  if (isLeaseNew) hold.leaseMs = window;
  if (isRefreshed && !isConfirm(lock, hold)) {
    const { renewalTimes } = pendingOf(lock);
    // What moves a permit's deadline is written beside the lock, and no event of its own tells when.
    const times = renewalTimes.length > 0 ? renewalTimes : [read.at];
    // Writes of several members cannot be told apart: the one refresh is all that is sure.
    addRenewals(state, lock, live.length === 1 ? times : times.slice(-1), read.at);
  }
  const isMoved = setDeadline(state, lock, { next: holder.deadline, isKept: false, at: read.at });
  if (isUnnamed || isLeaseNew || isMoved || depthBefore !== hold.depth) {
    state.changes.push({ kind: 'hold-updated', at: read.at, lock, hold });
  }
}
