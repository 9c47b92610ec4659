import { describeMs, describeTime } from '@/lib/analysis/duration';
import { printable } from '@/lib/protocol/bytes';
import type { LockRecord } from '@/server/state/lock-record';
import { createLockCondition } from './lock-condition';
import { ownerName } from './subject';

/** An acquire leaves the queue in the same step; longer than this it is no step in between. */
const LASTS_MS = 1000;

function waitsForItself({ hold, queue }: LockRecord, now: number): boolean {
  const holder = hold?.owner?.id;
  return queue.some(
    ({ owner, deadline }) => printable(owner) === holder && (deadline === null || deadline > now),
  );
}

/** An owner that queues for a lock it holds itself. */
export const createSelfWait = () =>
  createLockCondition({
    code: 'self-wait',
    of: 'awaited',
    incident: 'hold',
    since: (lock, { now }) => (waitsForItself(lock, now) ? 'seen' : null),
    lastsMs: () => LASTS_MS,
    severity: () => 'critical',
    describe: ({ hold }, { now }, since) => ({
      summary: `${ownerName(hold)} waits for a lock that it holds itself, for ${describeMs(now - since)}`,
      remedy: hold?.deadline
        ? `It goes on until the lease ends (${describeTime(hold.deadline)} unless renewed). The code takes the lock a second time without re-entry: fix the nesting, or release the lock on its page.`
        : 'No lease ends it. The code takes the lock a second time without re-entry: fix the nesting, or release the lock on its page.',
      evidence: 'observed',
    }),
    ofMany: 'are waited for by their own holder',
  });
