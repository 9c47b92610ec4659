import { describeMs } from '@/lib/analysis/duration';
import { createMoments } from './moments';

/** An owner that tried to release after its lease had ended: it worked without the lock. */
export const createOverrun = () =>
  createMoments({
    code: 'overrun',
    severity: 'warning',
    matches: ({ notes }) => notes.has('late-release'),
    groupBy: 'lock',
    summary: ({ last, count }) => {
      const late = last.hold.lateReleaseMs;
      const after =
        late === null
          ? 'after its lease had ended'
          : `${describeMs(late)} after its lease had ended`;
      return `${last.owner} released ${after}${count === 1 ? '' : `; ${count} times in a row`}`;
    },
    remedy:
      'The work takes longer than the lease: renew the lease while working, or make it longer. What was written after the lease ended was not protected.',
  });
