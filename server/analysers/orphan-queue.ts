import { describeMs, describeTime } from '@/lib/analysis/duration';
import { printable } from '@/lib/protocol/bytes';
import type { LockRecord } from '@/server/state/lock-record';
import { createLockCondition } from './lock-condition';
import { clip } from './subject';

const LASTS_MS = 2000;

/** The first in the queue has gone: nobody behind it is woken before its entry times out. */
function headIsDead({ queue: [head] }: LockRecord, now: number): boolean {
  if (!head) return false;
  return head.alive === false || (head.deadline !== null && head.deadline <= now);
}

/** A queue that nobody holds the lock of: all wait, none is woken. */
export const createOrphanQueue = () =>
  createLockCondition({
    code: 'orphan-queue',
    of: 'awaited',
    incident: 'lock',
    since: ({ hold, queue }) => (hold === null && queue.length > 0 ? 'seen' : null),
    lastsMs: () => LASTS_MS,
    severity: (lock, { now }) => (headIsDead(lock, now) ? 'critical' : 'warning'),
    describe: (lock, { now }, since) => {
      const [head] = lock.queue;
      const first = clip(printable(head?.owner ?? ''));
      const dead = headIsDead(lock, now);
      const until = head?.deadline ? ` (at ${describeTime(head.deadline)})` : '';
      return {
        summary: `${lock.queue.length} waiting for ${describeMs(now - since)} and nobody holds it; the first, ${first}, ${dead ? 'is gone' : 'has not taken it'}`,
        remedy: dead
          ? 'Drop the first waiter on the lock page: that wakes the next one.'
          : `Check the first waiter; drop it on the lock page if it has gone. Its entry times out by itself${until}.`,
        evidence: 'observed',
      };
    },
    ofMany: 'have a queue and no holder',
  });
