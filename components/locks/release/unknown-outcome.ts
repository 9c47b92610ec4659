import type { AuditEntry } from '@/lib/protocol/audit';

/** A release that was sent and never answered. */
export interface SentRelease {
  db: number;
  keyB64: string;
  /** As it was typed: it tells this release from another one's. */
  reason: string;
  /** Epoch ms by the server's clock. */
  at: number;
}

export type Verdict = 'released' | 'refused' | 'under-way' | 'no-trace';

/** The clock of the page may be off by as much. */
export const CLOCK_SLACK_MS = 60_000;

/**
 * What became of a release, by the audit, newest first: every release is written there before and after
 * it is done.
 */
export function verdictOn(sent: SentRelease, entries: readonly AuditEntry[]): Verdict {
  const own = entries.filter(
    (entry) =>
      entry.action === 'lock.release' &&
      entry.db === sent.db &&
      entry.keyB64 === sent.keyB64 &&
      entry.reason === sent.reason &&
      entry.at >= sent.at - CLOCK_SLACK_MS,
  );
  if (own.some(({ outcome }) => outcome === 'done')) return 'released';
  const last = own[0];
  if (!last) return 'no-trace';
  return last.outcome === 'requested' ? 'under-way' : 'refused';
}
