import { describeMs, describeTime } from '@/lib/analysis/duration';
import type { HoldRecord } from '@/server/state/lock-record';
import { createLockCondition } from './lock-condition';
import { ownerName } from './subject';

const CRITICAL_FACTOR = 10;

function remedyFor(hold: HoldRecord): string {
  const act =
    'Look at what the owner does; if it is stuck, stop it or release the lock on its page.';
  if (hold.renewals > 0) return `It does not free itself while it is renewed. ${act}`;
  if (hold.deadline === null) return `It has no expiry and will not free itself. ${act}`;
  if (hold.deadline === undefined) return act;
  return `Unless renewed it frees itself at ${describeTime(hold.deadline)}. ${act}`;
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
      const isLowerBound =
        hold?.notes.has('started-before-watch') || hold?.notes.has('started-in-gap');
      const atLeast = isLowerBound ? 'at least ' : '';
      const renewed = hold && hold.renewals > 0 ? `, renewed ${hold.renewals}×` : '';
      return {
        summary: `held ${atLeast}${describeMs(now - since)} by ${ownerName(hold)}${renewed}`,
        remedy: hold ? remedyFor(hold) : '',
        evidence: hold?.sinceEvidence ?? 'unknown',
      };
    },
    ofMany: 'are held longer than the threshold',
  });
