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
      const by = last.hold.endedBy === null ? 'another owner' : clip(last.hold.endedBy);
      const times = count === 1 ? ': ' : ` ${count} times in a row, last: `;
      return `lock taken without release${times}${last.owner}'s hold was overwritten by ${by}`;
    },
    remedy:
      'Both owners may be working at once: check what they wrote. Take the lock with NX, never with a plain SET, and compare the token before writing.',
  });
