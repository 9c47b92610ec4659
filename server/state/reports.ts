import type { ReportGapObservation, ReportObservation } from '@/server/watch/observation';
import { nameHolder, reviseEnded } from './holds';
import type { HoldRecord } from './lock-record';
import { removeNote } from './notes';
import { mayCountReported, noteReporter } from './report-book';
import { addLock, findLock, type TableState } from './table-state';
import type { Tracked } from './tracked';
import { holderOf } from '@/lib/formats/token';
import { ownerParts } from '@/lib/formats/qoder-owner';

const MAX_REPORTED_WAITS = 1000;
/** A release and its report are one step in Redis; the two ways to us differ by no more. */
const SAME_STEP_MS = 25;
const SAME_LENGTH_MS = 10;

/**
 * What a client of our own said of itself. It is its own word, written in the step that it tells of: exact
 * where events and reads leave room, but later than they. So it adds to what they showed and corrects what
 * they left open, and never contradicts what was observed.
 */
export function applyReport(state: TableState, report: ReportObservation): void {
  if (report.event === 'refused') {
    tellRefused(state, report);
    return;
  }
  noteReporter(state.reports, report.owner);
  const lock = findLock(state, report.db, report.key) ?? meet(state, report);
  if (!lock) return;
  if (report.event === 'waiting') {
    noteWait(state, lock, report);
    return;
  }
  endReportedWait(state, lock, report);
  if (report.event === 'granted') describe(state, lock, report, findHold(lock, report));
  if (report.event === 'released' || report.event === 'lost') settleEnd(state, lock, report);
}

/** Waits that stood open during the gap may have ended in it. */
export function applyReportGap(state: TableState, gap: ReportGapObservation): void {
  for (const lock of state.rotation) {
    if (lock.db !== gap.db || !lock.reported) continue;
    for (const [owner, { since }] of lock.reported) {
      if (since <= gap.to) lock.reported.delete(owner);
    }
  }
}

function meet(state: TableState, { db, key, at }: ReportObservation): Tracked | undefined {
  const format = state.options.formats.byName(key, state.options.isDeclared(db, key));
  return format?.waiters === 'fair-queue' ? addLock(state, { db, key, at }, format) : undefined;
}

function tellRefused(state: TableState, { isOld, at, db, key, owner, count }: ReportObservation) {
  if (isOld) return;
  state.changes.push({ kind: 'attempts-refused', at, db, key, owner, count: count ?? 1 });
}

function noteWait(state: TableState, lock: Tracked, report: ReportObservation): void {
  const { owner, at, businessId } = report;
  lock.reported ??= new Map();
  lock.reported.set(owner, { since: at, businessId });
  if (lock.reported.size > MAX_REPORTED_WAITS) {
    const [oldest] = lock.reported.keys();
    if (oldest !== undefined) lock.reported.delete(oldest);
  }
  const waiter = lock.queue.find((queued) => queued.owner === owner);
  if (!waiter) return;
  waiter.businessId = businessId;
  if (!lock.seenJoining?.has(owner)) {
    waiter.since = at;
    (lock.seenJoining ??= new Set()).add(owner);
  }
  state.changes.push({ kind: 'lock-changed', at, lock });
}

function endReportedWait(state: TableState, lock: Tracked, report: ReportObservation): void {
  const { owner, at, waitedMs, event, isOld } = report;
  const wasOpen = lock.reported?.delete(owner) === true;
  if (lock.reported?.size === 0) lock.reported = null;
  if (event === 'lost' || waitedMs === null || (waitedMs === 0 && !wasOpen)) return;
  if (!mayCountReported(state.reports, lock, report) || isOld) return;
  const outcome = event === 'granted' || event === 'released' ? 'granted' : 'left';
  const hold = outcome === 'granted' ? findHold(lock, report) : undefined;
  if (hold) hold.waitedMs = { ms: waitedMs, source: 'report', evidence: 'observed' };
  state.changes.push({
    ...{ kind: 'wait-ended', at, lock, owner, waitedMs, outcome },
    ...{ source: 'report', evidence: 'observed', touchesGap: false },
  });
}

/** The report of the grant came before anybody knew whose hold it was. Returns whether that was news. */
function learnWait(hold: HoldRecord, { event, waitedMs, isOld }: ReportObservation): boolean {
  if (event !== 'released' || waitedMs === null || waitedMs === 0 || isOld) return false;
  if (hold.waitedMs?.source === 'report') return false;
  hold.waitedMs = { ms: waitedMs, source: 'report', evidence: 'observed' };
  return true;
}

/** The hold that a report is about: by its owner, and by its fencing token where both are known. */
function findHold(lock: Tracked, { owner, fence }: ReportObservation): HoldRecord | undefined {
  const isIt = (hold: HoldRecord): boolean =>
    hold.token === owner && (fence === null || hold.fence === null || hold.fence === fence);
  return lock.hold && isIt(lock.hold) ? lock.hold : lock.ended.find(isIt);
}

/** A hold too short to be read, which the report of its release alone can be about. */
function findUnnamed(lock: Tracked, { at, heldMs }: ReportObservation): HoldRecord | undefined {
  if (heldMs === null) return undefined;
  const candidates = lock.ended.filter(
    ({ token, since, end }) =>
      token === null &&
      end !== null &&
      Math.abs(end - at) <= SAME_STEP_MS &&
      Math.abs(end - since - heldMs) <= SAME_LENGTH_MS,
  );
  return candidates.length === 1 ? candidates[0] : undefined;
}

function settleEnd(state: TableState, lock: Tracked, report: ReportObservation): void {
  const named = findHold(lock, report);
  const unnamed = named || report.event === 'lost' ? undefined : findUnnamed(lock, report);
  const hold = named ?? unnamed;
  if (!hold) return;
  if (unnamed) {
    const { owner } = report;
    nameHolder(state, unnamed, holderOf(owner, ownerParts(owner)));
    removeNote(unnamed, 'owner-not-seen');
  }
  const isCorrected = hold.end !== null && correctEnd(hold, report);
  const isNews = learnWait(hold, report) && hold.end !== null;
  const isDescribed = describe(state, lock, report, hold);
  if ((unnamed || isCorrected || isNews) && !isDescribed) {
    reviseEnded(state, lock, hold, report.at);
  }
}

/** An end that nobody saw is as its holder reports it. */
function correctEnd(hold: HoldRecord, { event, at, heldMs }: ReportObservation): boolean {
  if (hold.endEvidence === 'observed' || hold.endReason === 'force-released') return false;
  hold.endReason = event === 'released' ? 'released' : 'lease-ended';
  hold.endEvidence = 'observed';
  hold.end = Math.max(hold.since, event === 'lost' && heldMs !== null ? hold.since + heldMs : at);
  return true;
}

/** Adds what only the holder knows. Returns whether that was news. */
function describe(
  state: TableState,
  lock: Tracked,
  { at, businessId, fence }: ReportObservation,
  hold: HoldRecord | undefined,
): boolean {
  if (!hold) return false;
  const isNews =
    (businessId !== null && hold.businessId === null) || (fence !== null && hold.fence === null);
  if (!isNews) return false;
  hold.businessId ??= businessId;
  hold.fence ??= fence;
  if (hold.end === null) state.changes.push({ kind: 'hold-updated', at, lock, hold });
  else reviseEnded(state, lock, hold, at);
  return true;
}
