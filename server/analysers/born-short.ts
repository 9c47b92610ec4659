import { sentence } from '@/lib/messages/sentence';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Analyser } from './analyser';
import { createClassUsual, type ClassUsual } from './class-usual';
import { createMoments } from './moments';

/** Below this share of the usual lease most of it was gone when the hold began. */
const SHORT_SHARE = 0.1;
/** Where this share of the leases is as short, short ones are usual. */
const RARE_SHARE = 0.05;

/**
 * The lease that the hold was born with, ms; null where it is not known, or was changed since. Whoever is handed a lock
 * has it for a moment, until it answers: that is no lease to work under.
 */
function firstLeaseMs({ leaseMs, renewals, notes }: HoldRecord, lock: LockRecord): number | null {
  if (lock.format.handsOver === true) return null;
  return renewals > 0 || notes.has('lease-shortened') ? null : leaseMs;
}

/** The lease that is usual for the class, where this one is far shorter and such ones are rare; else null. */
function usualLeaseMs(usual: ClassUsual, hold: HoldRecord, lock: LockRecord): number | null {
  const leaseMs = firstLeaseMs(hold, lock);
  const median = usual.quantile(lock, 0.5);
  const rare = usual.quantile(lock, RARE_SHARE);
  if (leaseMs === null || median === null || rare === null) return null;
  const shortMs = SHORT_SHARE * median;
  return leaseMs < shortMs && rare >= shortMs ? median : null;
}

/**
 * A lock that was taken with next to nothing left of its lease, as a client does that spent its time on attempts: it
 * is over before the work begins.
 */
export function createBornShort(): Analyser {
  const usual = createClassUsual();
  const moments = createMoments({
    code: 'born-short',
    severity: 'warning',
    // When the lease began is concluded from the write that was seen.
    evidence: 'inferred',
    matches: (hold, lock) => usualLeaseMs(usual, hold, lock) !== null,
    groupBy: 'lock',
    summary: ({ last, count }) =>
      sentence('born-short:lease', {
        owner: last.owner,
        leaseMs: last.hold.leaseMs ?? 0,
        usualMs: usual.quantile(last.lock, 0.5) ?? 0,
        count,
      }),
    remedy: sentence('born-short:remedy', {}),
  });
  return {
    ...moments,
    observe: (changes) => {
      moments.observe?.(changes);
      for (const change of changes) {
        if (change.kind !== 'hold-ended') continue;
        const leaseMs = firstLeaseMs(change.hold, change.lock);
        if (leaseMs !== null) usual.add(change.lock, leaseMs);
      }
    },
  };
}
