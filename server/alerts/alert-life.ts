import { stableHash } from '@/lib/analysis/stable-hash';
import { inEnglish } from '@/lib/messages/in-english';
import type { Alert } from '@/lib/protocol/alert';
import type { Finding } from '@/server/analysers/finding';

/** An alert in the book with what its life depends on. */
export interface Entry {
  /** Replaced, never changed: the same object means that nothing changed. */
  alert: Alert;
  moment: boolean;
  /** Read back from the store and not found again yet. */
  restored: boolean;
  /** When a moment last grew; its age counts from here. */
  grewAt: number;
  /** What it was before it resolved, to return to. */
  before: Alert['state'];
}

/** A sentence whose figures alone moved on is told anew only this often: each change is saved and sent. */
const RETELL_MS = 10_000;

/**
 * `<hash of the finding's id>-<its first since>`: the same after a restart, another for a recurrence. The
 * first part finds the finding of a stored alert again.
 */
export const alertIdOf = (finding: Finding): string =>
  `${findingHash(finding)}-${finding.since.toString(36)}`;

export const findingHash = (finding: Pick<Finding, 'id'>): string => stableHash(finding.id);

export const findingHashOfAlert = (id: string): string => id.slice(0, id.indexOf('-'));

const contentOf = (finding: Finding) => ({
  severity: finding.severity,
  subject: finding.subject,
  summary: inEnglish(finding.summary),
  remedy: inEnglish(finding.remedy),
  sentences: { summary: finding.summary, remedy: finding.remedy },
  count: finding.count,
  evidence: finding.evidence,
});

export function openAlert(finding: Finding, target: string, now: number): Entry {
  const alert: Alert = {
    id: alertIdOf(finding),
    code: finding.code,
    state: 'firing',
    target,
    ...contentOf(finding),
    since: finding.since,
    updatedAt: now,
    resolvedAt: null,
    acknowledgedBy: null,
    acknowledgedReason: null,
    silencedUntil: null,
  };
  return { alert, moment: finding.moment, restored: false, grewAt: now, before: 'firing' };
}

function sameLocks(a: Alert['subject'], b: Alert['subject']): boolean {
  return (
    a.label === b.label &&
    a.locks.length === b.locks.length &&
    a.locks.every(({ db, keyB64 }, i) => {
      const other = b.locks[i];
      return other !== undefined && other.db === db && other.keyB64 === keyB64;
    })
  );
}

/** Is there more to tell than figures that moved on with time? */
function differs(alert: Alert, finding: Finding, now: number): boolean {
  if (
    alert.severity !== finding.severity ||
    alert.count !== finding.count ||
    alert.evidence !== finding.evidence ||
    !sameLocks(alert.subject, finding.subject)
  ) {
    return true;
  }
  if (now - alert.updatedAt < RETELL_MS) return false;
  return alert.summary !== inEnglish(finding.summary) || alert.remedy !== inEnglish(finding.remedy);
}

/** Follows the finding. Returns true when the alert changed. */
export function refresh(entry: Entry, finding: Finding, now: number): boolean {
  entry.restored = false;
  entry.moment = finding.moment;
  if (finding.count > entry.alert.count) entry.grewAt = now;
  if (!differs(entry.alert, finding, now)) return false;
  entry.alert = { ...entry.alert, ...contentOf(finding), updatedAt: now };
  return true;
}

export function resolve(entry: Entry, now: number): void {
  entry.before = entry.alert.state;
  entry.alert = { ...entry.alert, state: 'resolved', resolvedAt: now, updatedAt: now };
}

/** Returns to the state it had: what was acknowledged and came back at once needs no second look. */
export function reopen(entry: Entry, finding: Finding, now: number): void {
  const { alert, before } = entry;
  entry.alert = {
    ...alert,
    ...contentOf(finding),
    state: before,
    resolvedAt: null,
    updatedAt: now,
  };
  entry.restored = false;
}

/** A silence that is over lets the alert fire again. Returns true when the alert changed. */
export function endSilence(entry: Entry, now: number): boolean {
  const { alert } = entry;
  if (alert.state !== 'silenced' || alert.silencedUntil === null) return false;
  if (alert.silencedUntil > now) return false;
  entry.alert = { ...alert, state: 'firing', silencedUntil: null, updatedAt: now };
  return true;
}

const SEVERITY_ORDER: readonly Alert['severity'][] = ['critical', 'warning', 'info'];

/** Most severe first, then oldest, then by id so that the order is the same every time. */
export function byUrgency(a: Alert, b: Alert): number {
  return (
    SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity) ||
    a.since - b.since ||
    (a.id < b.id ? -1 : 1)
  );
}
