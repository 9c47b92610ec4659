import { sentence } from '@/lib/messages/sentence';
import type { Sentence } from '@/lib/protocol/sentence';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { View } from './analyser';
import { createLockCondition } from './lock-condition';
import { unusualHoldMs } from './long-hold-threshold';
import { missedSince } from './missed-renewal';
import { ownerName } from './subject';
import { setThreshold, thresholdOf } from './thresholds';

const CRITICAL_FACTOR = 10;

function remedyFor(hold: HoldRecord, { format }: LockRecord, now: number): Sentence[] {
  const act = sentence(format.readOnly ? 'long-hold:look-only' : 'long-hold:look', {});
  const isRenewed = hold.renewals > 0 && missedSince(hold, now) === null;
  if (isRenewed) return [sentence('long-hold:stays-renewed', {}), act];
  if (hold.deadline === null) return [sentence('long-hold:stays', {}), act];
  if (hold.deadline === undefined) return [act];
  return [sentence('long-hold:ends', { deadlineAt: hold.deadline }), act];
}

function summaryOf(hold: HoldRecord | null, heldMs: number): Sentence {
  const { renewals = 0, notes, sinceEvidence } = hold ?? {};
  const values = { heldMs, owner: ownerName(hold), renewals };
  const isFoundHeld = notes?.has('started-before-watch') || notes?.has('started-in-gap');
  // Some locks say themselves since when they are held.
  const isLowerBound = isFoundHeld && sinceEvidence !== 'observed';
  const held = isLowerBound ? 'long-hold:held-at-least' : 'long-hold:held';
  return sentence(renewals > 0 ? `${held}-renewed` : held, values);
}

/** Since when a hold lasts that may become a long one; null = there is none. */
export const longHoldSince = ({ hold, format }: LockRecord): number | null =>
  hold && hold.finishedAt === null && !format.counts ? hold.since : null;

/** Beyond how many milliseconds a hold of the lock is long. */
export const longAfterMs = (view: Pick<View, 'settings' | 'usual'>, lock: LockRecord): number =>
  setThreshold(view, 'long-hold', lock) ??
  unusualHoldMs(view.settings, lock.class, view.usual.quantile(lock, 0.99));

/**
 * Held longer than the threshold, or, where nobody set one for it, far longer than its class ever is, however healthy
 * its lease looks. Work that is done and kept on purpose (`cooling-down`) is none.
 */
export const createLongHold = () =>
  createLockCondition({
    code: 'long-hold',
    of: 'held',
    incident: 'hold',
    // A count of zero is nobody's hold.
    since: longHoldSince,
    lastsMs: longAfterMs,
    severity: (lock, view) =>
      lock.hold &&
      view.now - lock.hold.since >= CRITICAL_FACTOR * thresholdOf(view, 'long-hold', lock)
        ? 'critical'
        : 'warning',
    describe: (lock, view, since) => {
      const { hold } = lock;
      const { now } = view;
      const heldMs = now - since;
      const isLong = heldMs > thresholdOf(view, 'long-hold', lock);
      const p99Ms = isLong ? null : view.usual.quantile(lock, 0.99);
      const summary = [summaryOf(hold, heldMs)];
      const renewedAt = hold?.lastRenewalAt ?? null;
      if (renewedAt !== null) {
        summary.push(sentence('long-hold:last-renewed', { agoMs: Math.max(0, now - renewedAt) }));
      }
      if (p99Ms !== null) summary.push(sentence('long-hold:unusual', { p99Ms }));
      return {
        summary,
        remedy: hold ? remedyFor(hold, lock, now) : [],
        evidence: hold?.sinceEvidence ?? 'unknown',
      };
    },
    ofMany: 'long-hold:many',
  });
