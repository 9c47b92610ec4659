import { sentence } from '@/lib/messages/sentence';
import type { Sentence } from '@/lib/protocol/sentence';
import type { HoldRecord } from '@/server/state/lock-record';
import { createLockCondition } from './lock-condition';
import { ownerName } from './subject';

const CRITICAL_FACTOR = 10;

function remedyFor(hold: HoldRecord): Sentence[] {
  const act = sentence('long-hold:look', {});
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

/** Held longer than the threshold, however healthy its lease looks. Work that is done and kept on purpose
 * (`cooling-down`) is none. */
export const createLongHold = () =>
  createLockCondition({
    code: 'long-hold',
    of: 'held',
    incident: 'hold',
    since: ({ hold }) => (hold && hold.finishedAt === null ? hold.since : null),
    lastsMs: ({ settings }) => settings.longHoldMs,
    severity: ({ hold }, { now, settings }) =>
      hold && now - hold.since >= CRITICAL_FACTOR * settings.longHoldMs ? 'critical' : 'warning',
    describe: ({ hold }, { now }, since) => {
      return {
        summary: [summaryOf(hold, now - since)],
        remedy: hold ? remedyFor(hold) : [],
        evidence: hold?.sinceEvidence ?? 'unknown',
      };
    },
    ofMany: 'long-hold:many',
  });
