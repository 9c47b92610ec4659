import { sentence } from '@/lib/messages/sentence';
import { createMoments } from './moments';
import { overrunsOf } from './overrun-words';

/** An owner that tried to release after its lease had ended: it worked without the lock. */
export const createOverrun = () =>
  createMoments({
    code: 'overrun',
    severity: 'warning',
    // Somebody looked for the key; that it was the former holder is a conclusion.
    evidence: 'inferred',
    matches: ({ notes }) => notes.has('late-release'),
    groupBy: 'lock',
    summary: ({ last, count }) => {
      const { lateReleaseMs: lateMs } = last.hold;
      return lateMs === null
        ? sentence('overrun:late-unknown', { owner: last.owner, count })
        : sentence('overrun:late', { owner: last.owner, lateMs, count });
    },
    also: ({ lock, hold }, view) => overrunsOf(view, { lock, hold }),
    remedy: sentence('overrun:remedy', {}),
  });
