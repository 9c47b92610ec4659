import type { AlertCode, AlertLabels, AlertSubject, Severity } from '@/lib/protocol/alert';
import type { Evidence } from '@/lib/protocol/lock';
import type { Sentence } from '@/lib/protocol/sentence';

/**
 * A condition as it is now. The same `id` is the same incident; a finding that is no longer reported has
 * ended, unless it is a `moment` (a takeover, an eviction), which stays until acknowledged or aged.
 */
export interface Finding {
  id: string;
  code: AlertCode;
  severity: Severity;
  subject: AlertSubject;
  summary: Sentence[];
  remedy: Sentence[];
  since: number;
  count: number;
  evidence: Evidence;
  moment: boolean;
  /** What the locks it lists do not tell of themselves; the others are read off them. */
  labels?: Partial<AlertLabels>;
}

/** How a condition came to an end: told in the pass that does not find it any more. */
export interface Ending {
  /** The `id` of its finding. */
  finding: string;
  sentences: Sentence[];
  at: number;
  /** The operator who ended it; null = nobody did, or it is not known. */
  actor: string | null;
  evidence: Evidence;
}

/** Codes whose findings are moments: what happened stays true although nothing goes on. */
export const MOMENT_CODES: ReadonlySet<AlertCode> = new Set<AlertCode>([
  'takeover',
  'evicted',
  'vanished',
  'lost-in-failover',
  'overrun',
  'born-short',
  'came-back',
  'foreign-release-suspected',
]);
/** How long a moment is told of, if nobody acknowledges it. */
export const MOMENT_LASTS_MS = 60 * 60 * 1000;
