import { createMoments } from './moments';

/** Redis threw a held lock away to make room. */
export const createEvicted = () =>
  createMoments({
    code: 'evicted',
    severity: 'critical',
    matches: ({ endReason }) => endReason === 'evicted',
    groupBy: 'target',
    summary: ({ first, count }) =>
      count === 1
        ? `evicted by Redis while ${first.owner} held it: another may enter`
        : `${count} held locks were evicted by Redis: others may enter`,
    remedy:
      'Set maxmemory-policy to noeviction (CONFIG SET maxmemory-policy noeviction) on the Redis that keeps locks, or move the cache away from it. Check what the owners did since.',
  });
