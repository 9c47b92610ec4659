import { sentence } from '@/lib/messages/sentence';
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
      const values = { count: lock.queue.length, lastsMs: now - since, first };
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
