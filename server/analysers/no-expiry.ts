import { sentence } from '@/lib/messages/sentence';
import type { Severity } from '@/lib/protocol/alert';
import type { LockFormat } from '@/lib/formats/format';
import { createLockCondition } from './lock-condition';
import { ownerName } from './subject';
import { thresholdOf } from './thresholds';

const SEVERITY: Record<LockFormat['expiry'], Severity> = {
  always: 'critical',
  'by-caller': 'warning',
  'none-by-default': 'info',
};

/** What the library does otherwise is told where that says more than the missing expiry. */
const SUMMARY = {
  always: 'no-expiry:cut-off',
  'by-caller': 'no-expiry:held',
  'none-by-default': 'no-expiry:by-default',
} as const satisfies Record<LockFormat['expiry'], string>;

/** Held without a time to live: if the owner dies, nobody frees it. Ends when a time to live appears. */
export const createNoExpiry = () =>
  createLockCondition({
    code: 'no-expiry',
    of: 'held',
    incident: 'hold',
    since: ({ hold, format }) => {
      // A count has none by nature, and nobody's death leaves it behind.
      if (hold?.deadline !== null || format.counts) return null;
      // A lease that was there before has been taken away, at a time that the hold does not keep.
      return hold.leaseMs === null ? hold.since : 'seen';
    },
    lastsMs: (view, lock) => thresholdOf(view, 'no-expiry', lock),
    severity: ({ format }) => SEVERITY[format.expiry],
    describe: ({ hold, format }, { now }, since) => ({
      summary: [
        sentence(SUMMARY[format.expiry], {
          lastsMs: now - since,
          owner: ownerName(hold),
          library: format.name,
        }),
      ],
      remedy: [sentence('no-expiry:remedy', {})],
      evidence: 'observed',
    }),
    ofMany: 'no-expiry:many',
  });
