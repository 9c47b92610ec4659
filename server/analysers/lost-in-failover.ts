import { describeTime } from '@/lib/analysis/duration';
import type { View } from './analyser';
import { createMoments, type Moment } from './moments';
import { ownerName } from './subject';

function overlap({ db, key, owner, hold }: Moment, { table }: View): string {
  const next = table.get(db, key)?.hold ?? null;
  const other = next && next.generation > hold.generation ? ownerName(next) : 'the next owner';
  const until = hold.deadline ? ` until ${describeTime(hold.deadline)}` : ', without expiry,';
  return `lost in failover: ${owner}${until} may overlap ${other}`;
}

/** Held before a restart or failover, absent after: the write had not reached the new primary. */
export const createLostInFailover = () =>
  createMoments({
    code: 'lost-in-failover',
    severity: 'critical',
    matches: ({ endReason }) => endReason === 'lost-in-failover',
    groupBy: 'target',
    summary: ({ first, count }, view) =>
      count === 1
        ? overlap(first, view)
        : `${count} held locks were lost in a failover or restart: their owners may overlap the next ones`,
    remedy:
      'The former owner does not know: stop it, or wait until its lease would have ended. Replication is asynchronous, so a lock that must survive a failover needs WAIT, or a fencing token where it is used.',
  });
