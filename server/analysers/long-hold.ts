import { sentence } from '@/lib/messages/sentence';
import type { Sentence } from '@/lib/protocol/sentence';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Analyser } from './analyser';
import { createClassUsual } from './class-usual';
import { createLockCondition } from './lock-condition';
import { longHoldMsOf, ownThresholdMs } from './long-hold-threshold';
import { ownerName } from './subject';

const CRITICAL_FACTOR = 10;

function remedyFor(hold: HoldRecord, { format }: LockRecord): Sentence[] {
  const act = sentence(format.readOnly ? 'long-hold:look-only' : 'long-hold:look', {});
  if (hold.renewals > 0) return [sentence('long-hold:stays-renewed', {}), act];
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

/** A hold this many times as long as 99 of 100 of its class is stuck, if it is not over in an instant anyway. */
const UNUSUAL_FACTOR = 10;
const LEAST_UNUSUAL_MS = 10_000;

/**
 * Held longer than the threshold, or far longer than its class ever is, however healthy its lease looks. Work
 * that is done and kept on purpose (`cooling-down`) is none.
 */
export function createLongHold(): Analyser {
  const usual = createClassUsual();
  const unusualMs = (lock: LockRecord): number => {
    const p99 = usual.quantile(lock, 0.99);
    return p99 === null ? Infinity : Math.max(LEAST_UNUSUAL_MS, UNUSUAL_FACTOR * p99);
  };
  const condition = createLockCondition({
    code: 'long-hold',
    of: 'held',
    incident: 'hold',
    // A count of zero is nobody's hold.
    since: ({ hold, format }) =>
      hold && hold.finishedAt === null && !format.counts ? hold.since : null,
    lastsMs: ({ settings }, lock) =>
      ownThresholdMs(settings, lock.class) ?? Math.min(settings.longHoldMs, unusualMs(lock)),
    severity: ({ hold, class: name }, { now, settings }) =>
      hold && now - hold.since >= CRITICAL_FACTOR * longHoldMsOf(settings, name)
        ? 'critical'
        : 'warning',
    describe: (lock, { now, settings }, since) => {
      const { hold } = lock;
      const heldMs = now - since;
      const p99Ms = heldMs > longHoldMsOf(settings, lock.class) ? null : usual.quantile(lock, 0.99);
      const summary = [summaryOf(hold, heldMs)];
      const renewedAt = hold?.lastRenewalAt ?? null;
      if (renewedAt !== null) {
        summary.push(sentence('long-hold:last-renewed', { agoMs: Math.max(0, now - renewedAt) }));
      }
      if (p99Ms !== null) summary.push(sentence('long-hold:unusual', { p99Ms }));
      return {
        summary,
        remedy: hold ? remedyFor(hold, lock) : [],
        evidence: hold?.sinceEvidence ?? 'unknown',
      };
    },
    ofMany: 'long-hold:many',
  });
  return {
    ...condition,
    observe: (changes) => {
      for (const change of changes) {
        if (change.kind !== 'hold-ended' || change.hold.end === null) continue;
        const { end, since, sinceEvidence, notes } = change.hold;
        // Of a hold whose start or end nobody saw the length is not known.
        const isWhole = sinceEvidence === 'observed' && !notes.has('touches-gap');
        if (isWhole) usual.add(change.lock, end - since);
      }
    },
  };
}
