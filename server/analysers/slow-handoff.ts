import { dropOldest } from '@/lib/analysis/drop-oldest';
import { sentence } from '@/lib/messages/sentence';
import type { LockRecord } from '@/server/state/lock-record';
import { waitingCount } from '@/server/state/waiting';
import type { Analyser } from './analyser';
import { MOMENT_LASTS_MS, type Finding } from './finding';
import { lockIncident, lockSubject } from './subject';
import { thresholdOf } from './thresholds';

/** A waiter that was told wakes within milliseconds; this is no such gap. */
const SLOW_MS = 1000;
/** Between these shares of the lease the waiter slept until the lease would have ended. */
const SHARES = { from: 0.7, to: 1.3 };
const KEPT = 500;

interface Slow {
  lock: LockRecord;
  count: number;
  gapMs: number;
  leaseMs: number;
  since: number;
  at: number;
}

/**
 * Locks that lie free, though awaited, for as long as a lease: their waiters are not woken by a release but sleep
 * until the lease would have ended.
 */
export function createSlowHandoff(): Analyser {
  const slow = new Map<string, Slow>();
  /** Locks that were waited for when their hold ended. */
  const awaited = new Set<LockRecord>();

  const handedOver = (lock: LockRecord, gapMs: number, at: number): void => {
    const id = lockIncident('slow-handoff', lock);
    const leaseMs = lock.ended[0]?.leaseMs ?? null;
    const share = leaseMs === null ? 0 : gapMs / leaseMs;
    const isSlow = gapMs >= SLOW_MS && share >= SHARES.from && share <= SHARES.to;
    if (!isSlow || leaseMs === null) {
      slow.delete(id);
      return;
    }
    const known = slow.get(id);
    slow.delete(id);
    slow.set(id, {
      lock,
      count: (known?.count ?? 0) + 1,
      gapMs,
      leaseMs,
      since: known?.since ?? at,
      at,
    });
    dropOldest(slow, KEPT);
  };

  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind === 'hold-ended') {
          if ((waitingCount(change.lock) ?? 0) > 0) awaited.add(change.lock);
          else if (awaited.size > 0) awaited.delete(change.lock);
        } else if (change.kind === 'hold-started' && change.previousEnd !== null) {
          if (awaited.size === 0 || !awaited.delete(change.lock)) continue;
          handedOver(change.lock, change.hold.since - change.previousEnd, change.at);
        } else if (change.kind === 'lock-forgotten') {
          awaited.delete(change.lock);
        }
      }
    },
    findings: (view) => {
      const found: Finding[] = [];
      for (const [id, one] of slow) {
        if (view.now - one.at > MOMENT_LASTS_MS) slow.delete(id);
        else if (one.count >= thresholdOf(view, 'slow-handoff', one.lock)) {
          found.push(toFinding(id, one));
        }
      }
      return found;
    },
  };
}

function toFinding(id: string, { lock, count, gapMs, leaseMs, since }: Slow): Finding {
  return {
    id,
    code: 'slow-handoff',
    severity: 'warning',
    subject: lockSubject(lock),
    summary: [sentence('slow-handoff:sleeps', { gapMs, leaseMs, count })],
    remedy: [sentence('slow-handoff:remedy', {})],
    since,
    count,
    evidence: 'inferred',
    moment: false,
  };
}
