import { dropOldest } from '@/lib/analysis/drop-oldest';
import { sentence } from '@/lib/messages/sentence';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Analyser } from './analyser';
import { MOMENT_LASTS_MS, type Finding } from './finding';
import { holdIncident, lockSubject, ownerName } from './subject';

const KEPT = 500;
/** Without a lease to go by; and the longest that a return is put down to a renewal. */
const LONGEST_MS = 60_000;
/** A renewal that re-creates the key comes within the lease; its timer may be late. */
const SLACK = 1.5;

/** The forced release that this hold undoes, if it does. */
function undone(lock: LockRecord, hold: HoldRecord): HoldRecord | null {
  const before = lock.ended.find(({ generation }) => generation === hold.generation - 1);
  if (before?.endReason !== 'force-released' || before.end === null) return null;
  // A count names nobody: who takes the place may be anybody.
  if (hold.token === null || hold.token !== before.token || lock.format.counts) return null;
  const windowMs = Math.min((before.leaseMs ?? LONGEST_MS) * SLACK, LONGEST_MS);
  return hold.since - before.end <= windowMs ? before : null;
}

/** A holder that has the lock again after an operator released it: some renewals re-create the key. */
export function createCameBack(): Analyser {
  const findings = new Map<string, Finding>();
  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind !== 'hold-started' && change.kind !== 'hold-updated') continue;
        const { lock, hold } = change;
        const released = undone(lock, hold);
        if (!released) continue;
        const id = holdIncident('came-back', lock, hold.generation);
        if (findings.has(id)) continue;
        findings.set(id, toFinding(lock, hold, hold.since - (released.end ?? hold.since)));
        dropOldest(findings, KEPT);
      }
    },
    findings: ({ now }) => {
      for (const [id, { since }] of findings)
        if (now - since > MOMENT_LASTS_MS) findings.delete(id);
      return [...findings.values()];
    },
  };
}

function toFinding(lock: LockRecord, hold: HoldRecord, afterMs: number): Finding {
  return {
    id: holdIncident('came-back', lock, hold.generation),
    code: 'came-back',
    severity: 'warning',
    subject: lockSubject(lock),
    summary: [sentence('came-back:again', { owner: ownerName(hold), afterMs })],
    remedy: [sentence('came-back:remedy', {})],
    since: hold.since,
    count: 1,
    evidence: hold.sinceEvidence,
    moment: true,
  };
}
