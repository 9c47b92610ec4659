import type { HoldRecord } from '@/server/state/lock-record';

const LEARNT_RENEWALS = 2;
/** A little less than two intervals, so that it is said by the time a second renewal is due. */
const LATE_FACTOR = 1.9;
/** Short intervals jitter by more than their own length. */
const LEAST_LATENESS_MS = 500;

/** Epoch ms at which the next renewal was due, or null when none is known to be missed. */
export function missedSince(hold: HoldRecord, now: number): number | null {
  const { renewals, renewalIntervalMs, lastRenewalAt, deadline } = hold;
  if (renewals < LEARNT_RENEWALS || renewalIntervalMs === null || lastRenewalAt === null) {
    return null;
  }
  if (deadline === null || deadline === undefined || deadline <= now) return null;
  if (hold.finishedAt !== null) return null;
  const silence = now - lastRenewalAt;
  const tolerated = Math.max(
    LATE_FACTOR * renewalIntervalMs,
    renewalIntervalMs + LEAST_LATENESS_MS,
  );
  return silence > tolerated ? lastRenewalAt + renewalIntervalMs : null;
}
