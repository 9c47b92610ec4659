import { sentence } from '@/lib/messages/sentence';
import { createMoments } from './moments';

/** A held key that was gone without any event: FLUSHDB, SWAPDB, a reload. One incident for all of them. */
export const createVanished = () =>
  createMoments({
    code: 'vanished',
    severity: 'critical',
    matches: ({ endReason }) => endReason === 'vanished',
    groupBy: 'target',
    summary: ({ first, count }) => sentence('vanished:held', { count, owner: first.owner }),
    remedy: sentence('vanished:remedy', {}),
  });
