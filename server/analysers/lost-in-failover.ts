import { sentence } from '@/lib/messages/sentence';
import type { Sentence } from '@/lib/protocol/sentence';
import type { View } from './analyser';
import { createMoments, type Moment } from './moments';
import { ownerName } from './subject';

function overlap({ db, key, owner, hold }: Moment, { table }: View): Sentence {
  const next = table.get(db, key)?.hold ?? null;
  const other = next && next.generation > hold.generation ? ownerName(next) : null;
  const known = other === null ? 'may-overlap' : 'overlaps';
  const names = { owner, next: other ?? '' };
  return hold.deadline
    ? sentence(`lost-in-failover:${known}`, { ...names, deadlineAt: hold.deadline })
    : sentence(`lost-in-failover:${known}-for-ever`, names);
}

/** Held before a restart or failover, absent after: the write had not reached the new primary. */
export const createLostInFailover = () =>
  createMoments({
    code: 'lost-in-failover',
    severity: 'critical',
    matches: ({ endReason }) => endReason === 'lost-in-failover',
    groupBy: 'target',
    summary: ({ first, count }, view) =>
      count === 1 ? overlap(first, view) : sentence('lost-in-failover:several', { count }),
    remedy: sentence('lost-in-failover:remedy', {}),
  });
