import { sentence } from '@/lib/messages/sentence';
import { taskOf } from '@/lib/formats/qoder-owner';
import { printable } from '@/lib/protocol/bytes';
import type { LockRecord } from '@/server/state/lock-record';
import { stillWaits } from '@/server/state/waiting';
import { createLockCondition } from './lock-condition';
import { ownerName } from './subject';
import { thresholdOf } from './thresholds';

/** A reader that wants to write waits for itself too. */
function waitsForItself({ hold, members, queue, format }: LockRecord, now: number): boolean {
  if (!hold?.owner) return false;
  const inside = members.filter(({ stale }) => !stale).map(({ id }) => id);
  const holders = new Set((inside.length > 0 ? inside : [hold.owner.id]).map(taskOf));
  // Another's permit may come back.
  if (format.kind === 'semaphore' && holders.size > 1) return false;
  return queue.some(
    (waiter) => stillWaits(waiter, now) && holders.has(taskOf(printable(waiter.owner))),
  );
}

/** An owner that queues for a lock it holds itself. */
export const createSelfWait = () =>
  createLockCondition({
    code: 'self-wait',
    of: 'awaited',
    incident: 'hold',
    since: (lock, { now }) => (waitsForItself(lock, now) ? 'seen' : null),
    lastsMs: (view, lock) => thresholdOf(view, 'self-wait', lock),
    severity: () => 'critical',
    describe: ({ hold }, { now }, since) => ({
      summary: [sentence('self-wait:waits', { owner: ownerName(hold), lastsMs: now - since })],
      remedy: [
        hold?.deadline
          ? sentence('self-wait:ends', { deadlineAt: hold.deadline })
          : sentence('self-wait:endless', {}),
        sentence('self-wait:remedy', {}),
      ],
      evidence: 'observed',
    }),
    ofMany: 'self-wait:many',
  });
