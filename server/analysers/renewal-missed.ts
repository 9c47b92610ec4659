import { sentence } from '@/lib/messages/sentence';
import { createLockCondition } from './lock-condition';
import { missedSince } from './missed-renewal';
import { ownerName } from './subject';

/** A watchdog that stopped: said before the lease ends, while something can still be done. */
export const createRenewalMissed = () =>
  createLockCondition({
    code: 'renewal-missed',
    needs: 'events',
    of: 'held',
    incident: 'hold',
    since: ({ hold }, { now }) => (hold ? missedSince(hold, now) : null),
    lastsMs: () => 0,
    severity: () => 'warning',
    describe: ({ hold }, { now }) => ({
      summary: [
        sentence('renewal-missed:late', {
          owner: ownerName(hold),
          intervalMs: hold?.renewalIntervalMs ?? 0,
          silenceMs: now - (hold?.lastRenewalAt ?? now),
          deadlineAt: hold?.deadline ?? now,
        }),
      ],
      remedy: [sentence('renewal-missed:remedy', {})],
      evidence: 'observed',
    }),
    ofMany: 'renewal-missed:many',
  });
