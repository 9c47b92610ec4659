import { sentence } from '@/lib/messages/sentence';
import { leakingSignal } from '@/server/state/hints';
import { createLockCondition } from './lock-condition';
import { keyName } from './subject';
import { thresholdOf } from './thresholds';

/** The list that wakes a lock's waiters grew, or never goes away: they wake again and again for nothing. */
export const createSignalLeak = () =>
  createLockCondition({
    code: 'signal-leak',
    of: 'awaited',
    incident: 'lock',
    since: (lock) => (leakingSignal(lock) ? 'seen' : null),
    lastsMs: (view, lock) => thresholdOf(view, 'signal-leak', lock),
    severity: () => 'warning',
    describe: (lock) => {
      const { name = '', size = 0, hasExpiry = true } = leakingSignal(lock) ?? {};
      const list = keyName(name);
      return {
        summary: [
          hasExpiry
            ? sentence('signal-leak:grown', { list, count: size })
            : sentence('signal-leak:endless', { list, count: size }),
        ],
        remedy: [sentence('signal-leak:remedy', { list })],
        evidence: 'observed',
      };
    },
    ofMany: 'signal-leak:many',
  });
