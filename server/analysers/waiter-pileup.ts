import type { LockRecord } from '@/server/state/lock-record';
import { createLockCondition } from './lock-condition';
import { ownerName } from './subject';

const MANY = 20;

const waitersOf = ({ queue, subscribers }: LockRecord): number =>
  queue.length > 0 ? queue.length : (subscribers ?? 0);

/** Many observed waiters on one lock. */
export const createWaiterPileup = () =>
  createLockCondition({
    code: 'waiter-pileup',
    of: 'awaited',
    incident: 'lock',
    since: (lock) => (waitersOf(lock) >= MANY ? 'seen' : null),
    lastsMs: () => 0,
    severity: () => 'warning',
    describe: (lock) => {
      const unit = lock.queue.length > 0 ? 'owners' : 'client instances';
      const holder = lock.hold ? `, held by ${ownerName(lock.hold)}` : '';
      return {
        summary: `${waitersOf(lock)} ${unit} wait for it${holder}`,
        remedy:
          'Shorten what is done under the lock, or split it into finer ones; see its hold and wait times.',
        evidence: 'observed',
      };
    },
    ofMany: 'have many waiters',
  });
