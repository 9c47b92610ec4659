import { describeMs } from '@/lib/analysis/duration';
import type { Severity } from '@/lib/protocol/alert';
import type { LockFormat } from '@/lib/formats/format';
import { createLockCondition } from './lock-condition';
import { ownerName } from './subject';

const SEVERITY: Record<LockFormat['expiry'], Severity> = {
  always: 'critical',
  'by-caller': 'warning',
  'none-by-default': 'info',
};

/** What the library does otherwise, where that says more than the missing expiry. */
function usual({ expiry, name }: LockFormat): string {
  if (expiry === 'always') return `; ${name} always sets one, so this acquire was cut off half-way`;
  return expiry === 'none-by-default' ? `; ${name} sets none by default` : '';
}

/** Held without a time to live: if the owner dies, nobody frees it. Ends when a time to live appears. */
export const createNoExpiry = () =>
  createLockCondition({
    code: 'no-expiry',
    of: 'held',
    incident: 'hold',
    since: ({ hold }) => {
      if (hold?.deadline !== null) return null;
      // A lease that was there before has been taken away, at a time that the hold does not keep.
      return hold.leaseMs === null ? hold.since : 'seen';
    },
    lastsMs: ({ settings }) => settings.noExpiryMs,
    severity: ({ format }) => SEVERITY[format.expiry],
    describe: ({ hold, format }, { now }, since) => ({
      summary: `no expiry for ${describeMs(now - since)}, held by ${ownerName(hold)}${usual(format)}`,
      remedy:
        'If the owner has gone, release the lock on its page: it never frees itself. Let the acquire set the time to live in the same command (SET … NX PX).',
      evidence: 'observed',
    }),
    ofMany: 'are held without expiry',
  });
