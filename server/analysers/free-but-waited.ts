import { sentence } from '@/lib/messages/sentence';
import { queueLength } from '@/server/state/waiting';
import { createLockCondition } from './lock-condition';
import { thresholdOf } from './thresholds';

/** A free lock that clients still sleep for: the wake-up was lost, or their subscriptions leak. */
export const createFreeButWaited = () =>
  createLockCondition({
    code: 'free-but-waited',
    of: 'awaited',
    incident: 'hold',
    since: (lock) =>
      lock.state === 'free' && queueLength(lock) === 0 && lock.subscribers ? 'seen' : null,
    lastsMs: (view, lock) => thresholdOf(view, 'free-but-waited', lock),
    severity: () => 'warning',
    describe: ({ subscribers }, { now }, since) => ({
      summary: [
        sentence('free-but-waited:instances', { count: subscribers ?? 0, lastsMs: now - since }),
      ],
      remedy: [sentence('free-but-waited:remedy', {})],
      evidence: 'observed',
    }),
    ofMany: 'free-but-waited:many',
  });
