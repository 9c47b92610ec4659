import { sentence } from '@/lib/messages/sentence';
import type { LockRecord, WaiterRecord } from '@/server/state/lock-record';
import { hasGivenUp, queueLength, stillWaits } from '@/server/state/waiting';
import { createLockCondition } from './lock-condition';
import { nameOf } from './subject';
import { thresholdOf } from './thresholds';

/** The first in the queue has gone: nobody behind it is woken before its entry times out. */
const headIsDead = (head: WaiterRecord | undefined, now: number): boolean =>
  head !== undefined && (head.alive === false || !stillWaits(head, now));

const headOf = ({ queue }: LockRecord): WaiterRecord | undefined =>
  queue.find((waiter) => !hasGivenUp(waiter));

/** A queue that nobody holds the lock of: all wait, none is woken. */
export const createOrphanQueue = () =>
  createLockCondition({
    code: 'orphan-queue',
    of: 'awaited',
    incident: 'lock',
    since: (lock) => (lock.hold === null && queueLength(lock) > 0 ? 'seen' : null),
    lastsMs: (view, lock) => thresholdOf(view, 'orphan-queue', lock),
    severity: (lock, { now }) => (headIsDead(headOf(lock), now) ? 'critical' : 'warning'),
    describe: (lock, { now }, since) => {
      const head = headOf(lock);
      const first = head ? nameOf(head.by) : '';
      const dead = headIsDead(head, now);
      const values = { count: queueLength(lock), lastsMs: now - since, first };
      const check = head?.deadline
        ? sentence('orphan-queue:check-until', { deadlineAt: head.deadline })
        : sentence('orphan-queue:check', {});
      return {
        summary: [sentence(`orphan-queue:${dead ? 'gone' : 'not-taken'}`, values)],
        remedy: [dead ? sentence('orphan-queue:drop', {}) : check],
        evidence: 'observed',
      };
    },
    ofMany: 'orphan-queue:many',
  });
