import { createMoments } from './moments';

/** A held key that was gone without any event: FLUSHDB, SWAPDB, a reload. One incident for all of them. */
export const createVanished = () =>
  createMoments({
    code: 'vanished',
    severity: 'critical',
    matches: ({ endReason }) => endReason === 'vanished',
    groupBy: 'target',
    summary: ({ first, count }) =>
      count === 1
        ? `vanished without an event while ${first.owner} held it: another may enter`
        : `${count} held locks vanished without an event: others may enter`,
    remedy:
      'Look for FLUSHDB, FLUSHALL, SWAPDB or a reload (INFO commandstats, SLOWLOG). The owners do not know that they lost their locks: check what they did since.',
  });
