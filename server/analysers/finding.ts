import type { AlertCode, AlertSubject, Severity } from '@/lib/protocol/alert';
import type { Evidence } from '@/lib/protocol/lock';

/**
 * A condition as it is now. The same `id` is the same incident; a finding that is no longer reported has
 * ended, unless it is a `moment` (a takeover, an eviction), which stays until acknowledged or aged.
 */
export interface Finding {
  id: string;
  code: AlertCode;
  severity: Severity;
  subject: AlertSubject;
  summary: string;
  remedy: string;
  since: number;
  count: number;
  evidence: Evidence;
  moment: boolean;
}
