import { sentence } from '@/lib/messages/sentence';
import { createMoments } from './moments';

/** Redis threw a held lock away to make room. */
export const createEvicted = () =>
  createMoments({
    code: 'evicted',
    severity: 'critical',
    matches: ({ endReason }) => endReason === 'evicted',
    groupBy: 'target',
    summary: ({ first, count }) => sentence('evicted:held', { count, owner: first.owner }),
    remedy: sentence('evicted:remedy', {}),
  });
