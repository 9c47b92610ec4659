import { sentence } from '@/lib/messages/sentence';
import { clip } from './subject';
import { createMoments } from './moments';

/** A hold that another one overwrote while it was alive. */
export const createTakeover = () =>
  createMoments({
    code: 'takeover',
    severity: 'critical',
    matches: ({ endReason, notes }) =>
      endReason === 'overwritten' && !notes.has('value-changed-shape'),
    groupBy: 'lock',
    summary: ({ last, count }) => {
      const values = { count, owner: last.owner };
      return last.hold.endedBy === null
        ? sentence('takeover:by-unknown', values)
        : sentence('takeover:by', { ...values, by: clip(last.hold.endedBy) });
    },
    remedy: sentence('takeover:remedy', {}),
  });
