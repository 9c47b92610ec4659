import { stableHash } from '@/lib/analysis/stable-hash';
import { inEnglish } from '@/lib/messages/in-english';
import type { Alert, AlertEnding, AlertLabels } from '@/lib/protocol/alert';
import { MOMENT_CODES, type Ending, type Finding } from '@/server/analysers/finding';
import { NO_LABELS } from './labels';

/** An alert in the book with what its life depends on. */
export interface Entry {
  hash: string;
  /** Replaced, never changed: the same object means that nothing changed. */
  alert: Alert;
  moment: boolean;
  /** Read back from the store and not found again yet. */
  restored: boolean;
  /** When its finding was there first: what is pending waits from here. */
  foundAt: number;
  /** When its finding was missed first; null while it is there. */
  goneAt: number | null;
  /** When a moment last grew; its age counts from here. */
  grewAt: number;
  /** Of a resolved one: until when a finding that returns reopens it. */
  returnsUntil: number;
  /** When a change of it was told in its timeline, and how often. */
  toldAt: number;
  told: number;
}

/** A finding that returns within this time was never really gone: the same alert goes on. */
export const RETURNS_WITHIN_MS = 30_000;
/** A sentence whose figures alone moved on is told anew only this often: each change is saved and sent. */
export const RETELL_MS = 10_000;

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

export const endingOf = ({ sentences, at, actor, evidence }: Ending): AlertEnding => ({
  text: inEnglish(sentences),
  ...{ sentences, at, actor, evidence },
});

const LIFE = {
  labels: NO_LABELS,
  acknowledgedBy: null,
  acknowledgedReason: null,
  acknowledgedAt: null,
  silencedUntil: null,
  silencedBy: null,
  silencedReason: null,
  silenceId: null,
  firesAt: null,
  keptUntil: null,
  doubtful: null,
  ending: null,
  resolvedFrom: null,
  flaps: 0,
  partOf: null,
} as const satisfies Partial<Alert>;

export interface Opening {
  finding: Finding;
  target: string;
  labels: AlertLabels;
  /** How long it must last before it fires. */
  forMs: number;
  /** How often it was over and came back of late. */
  flaps: number;
}

/** A moment cannot last, so it fires at once. */
export function openAlert({ finding, target, labels, forMs, flaps }: Opening, now: number): Entry {
  const isPending = forMs > 0 && !finding.moment;
  const alert: Alert = {
    ...LIFE,
    id: alertIdOf(finding),
    code: finding.code,
    state: isPending ? 'pending' : 'firing',
    target,
    ...contentOf(finding),
    since: finding.since,
    alertedAt: isPending ? null : now,
    updatedAt: now,
    resolvedAt: null,
    labels,
    firesAt: isPending ? now + forMs : null,
    flaps,
  };
  return {
    hash: findingHash(finding),
    ...{ alert, moment: finding.moment, restored: false, foundAt: now, goneAt: null },
    ...{ grewAt: now, returnsUntil: Infinity, toldAt: now, told: 0 },
  };
}

/** An alert as the store kept it; `forMs` as it is now tells since when a pending one waits. */
export function restoredEntry(stored: Alert, forMs: number): Entry {
  const alert: Alert = { ...LIFE, ...stored };
  const { keptUntil, firesAt, since } = alert;
  return {
    ...{ hash: findingHashOfAlert(alert.id), alert, moment: MOMENT_CODES.has(alert.code) },
    restored: true,
    foundAt: firesAt === null || firesAt === undefined ? since : firesAt - forMs,
    goneAt: (keptUntil ?? null) === null ? alert.resolvedAt : alert.updatedAt,
    ...{ grewAt: since, returnsUntil: Infinity, toldAt: alert.updatedAt, told: 0 },
  };
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
  const { state } = entry.alert;
  entry.returnsUntil = now + RETURNS_WITHIN_MS;
  entry.alert = {
    ...entry.alert,
    ...{ state: 'resolved', resolvedAt: now, updatedAt: now },
    resolvedFrom: state === 'resolved' ? null : state,
    ...{ keptUntil: null, doubtful: null, partOf: null },
  };
}

/** Returns to the state it had: what was acknowledged and came back at once needs no second look. */
export function reopen(entry: Entry, opening: Opening, now: number): void {
  const { finding, labels, flaps, forMs } = opening;
  const before = entry.alert.resolvedFrom ?? 'firing';
  const isPending = before === 'pending' && forMs > 0;
  const firesNow = before === 'pending' && !isPending;
  entry.alert = {
    ...entry.alert,
    ...contentOf(finding),
    state: firesNow ? 'firing' : before,
    ...(firesNow && { alertedAt: now }),
    resolvedAt: null,
    resolvedFrom: null,
    ending: null,
    updatedAt: now,
    firesAt: isPending ? now + forMs : null,
    ...{ labels, flaps },
  };
  entry.foundAt = now;
  entry.goneAt = null;
  entry.restored = false;
}

/** A silence of its own that is over lets the alert fire again. */
export const isSilenceOver = ({ alert }: Entry, now: number): boolean =>
  alert.state === 'silenced' &&
  (alert.silenceId ?? null) === null &&
  alert.silencedUntil !== null &&
  alert.silencedUntil <= now;

/** What an alert says of silences when none keeps it quiet. */
export const UNSILENCED = {
  state: 'firing',
  silencedUntil: null,
  silencedBy: null,
  silencedReason: null,
  silenceId: null,
} as const satisfies Partial<Alert>;

const SEVERITY_ORDER: readonly Alert['severity'][] = ['critical', 'warning', 'info'];

/** Most severe first, a deadlock before what is part of it, then oldest, then by id: the order is the same every time. */
export function byUrgency(a: Alert, b: Alert): number {
  return (
    SEVERITY_ORDER.indexOf(a.severity) - SEVERITY_ORDER.indexOf(b.severity) ||
    Number(Boolean(a.partOf)) - Number(Boolean(b.partOf)) ||
    a.since - b.since ||
    (a.id < b.id ? -1 : 1)
  );
}
