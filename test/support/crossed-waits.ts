import { createAnalysis } from '@/server/analysers';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import {
  aHold,
  aLock,
  aTable,
  aTarget,
  aWaiter,
  inWords,
  markChecked,
  START,
} from '@/test/support/records';

export const SECOND = 1000;
export const A = '11111111-1111-4111-8111-111111111111:11';
export const B = '22222222-2222-4222-8222-222222222222:22';

/** Analyses that tell of deadlocks alone. */
export function anAnalysis() {
  const analysis = createAnalysis({ longHoldMs: 600_000, noExpiryMs: 600_000 });
  const findings = (locks: readonly LockRecord[], now: number, target = aTarget()) =>
    inWords(analysis.findings(aTable(locks), target, now)).filter(
      (finding) => finding.code === 'deadlock',
    );
  return {
    ...analysis,
    /** As the pipeline does, without the reads that are asked for. */
    meet: findings,
    /** What is told at last: the locks are read again where that is asked for, and are as they were. */
    judge: (locks: readonly LockRecord[], now: number, target = aTarget()) => {
      const found = findings(locks, now, target);
      const asked = analysis.toCheck();
      if (asked.length === 0) return found;
      markChecked(locks, asked, now);
      return findings(locks, now, target);
    },
  };
}

export const check = (lock: LockRecord, at: number): void => markChecked([lock], [lock], at);

export const account = (
  number: number,
  holder: string,
  waiter: string,
  hold: Partial<HoldRecord> = {},
  waitingSince: number | null = START + 5 * SECOND,
): LockRecord =>
  aLock(`acct:${number}`, {
    formatId: 'redisson-fair',
    hold: aHold(holder, { deadline: START + 30 * SECOND, leaseMs: 30 * SECOND, ...hold }),
    queue: [aWaiter(waiter, { since: waitingSince })],
  });

export const crossed = () => [
  account(1, A, B),
  account(2, B, A, { since: START + 2 * SECOND, deadline: START + 45 * SECOND }),
];
