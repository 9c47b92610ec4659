import { sentence } from '@/lib/messages/sentence';
import type { LockRecord } from '@/server/state/lock-record';
import { queueLength } from '@/server/state/waiting';
import { createLockCondition } from './lock-condition';
import { ownerName } from './subject';
import { thresholdOf } from './thresholds';

const waitersOf = (lock: LockRecord): number => queueLength(lock) || (lock.subscribers ?? 0);

/** Many observed waiters on one lock. */
export const createWaiterPileup = () =>
  createLockCondition({
    code: 'waiter-pileup',
    of: 'awaited',
    incident: 'lock',
    since: (lock, view) =>
      waitersOf(lock) >= thresholdOf(view, 'waiter-pileup', lock) ? 'seen' : null,
    lastsMs: () => 0,
    severity: () => 'warning',
    describe: (lock) => {
      const unit = queueLength(lock) > 0 ? 'owners' : 'instances';
      const count = waitersOf(lock);
      return {
        summary: [
          lock.hold
            ? sentence(`waiter-pileup:${unit}-held`, { count, owner: ownerName(lock.hold) })
            : sentence(`waiter-pileup:${unit}`, { count }),
        ],
        remedy: [sentence('waiter-pileup:remedy', {})],
        evidence: 'observed',
      };
    },
    ofMany: 'waiter-pileup:many',
  });
