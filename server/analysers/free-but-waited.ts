import { describeMs } from '@/lib/analysis/duration';
import { createLockCondition } from './lock-condition';

const LASTS_MS = 2000;

/** A free lock that clients still sleep for: the wake-up was lost, or their subscriptions leak. */
export const createFreeButWaited = () =>
  createLockCondition({
    code: 'free-but-waited',
    of: 'awaited',
    incident: 'hold',
    since: ({ state, queue, subscribers }) =>
      state === 'free' && queue.length === 0 && subscribers ? 'seen' : null,
    lastsMs: () => LASTS_MS,
    severity: () => 'warning',
    describe: ({ subscribers }, { now }, since) => ({
      summary: `free for ${describeMs(now - since)} and still waited for by ${subscribers} client ${subscribers === 1 ? 'instance' : 'instances'}`,
      remedy:
        'The wake-up after the last release did not arrive: the waiters sleep until their own timeout. If nobody takes it for long, the subscriptions are left over; restart those clients.',
      evidence: 'observed',
    }),
    ofMany: 'are free and still waited for',
  });
