import type { PublishedLease, TimeoutAdvice, TimeoutsPage } from '@/lib/protocol/advice';
import type { ActionInput } from '@/lib/protocol/actions';

export interface PlannedWrite extends PublishedLease {
  nowMs: number | null;
}

/** What publishing would do, exactly. */
export interface Plan {
  classes: ActionInput<'advice.publish'>['classes'];
  writes: PlannedWrite[];
  removes: readonly PublishedLease[];
  /** Classes that are left out because they are guesses. */
  low: number;
}

const writesOf = ({ publish, recommendedMs }: TimeoutAdvice): PlannedWrite[] =>
  (publish ?? []).map(({ command: _told, ...place }) => ({ ...place, leaseMs: recommendedMs }));

/** The plan of one class, or of all that are no guess. */
export function planOf(
  { items, stale }: Pick<TimeoutsPage, 'items' | 'stale'>,
  what: 'all' | Pick<TimeoutAdvice, 'namespace' | 'class'>,
): Plan {
  const publishable = items.filter(({ publish }) => publish !== null);
  if (what === 'all') {
    const sure = publishable.filter(({ confidence }) => confidence !== 'low');
    const writes = sure.flatMap(writesOf);
    return { classes: 'all', writes, removes: stale, low: publishable.length - sure.length };
  }
  const chosen = publishable.filter(
    (item) => item.class === what.class && item.namespace === what.namespace,
  );
  return {
    classes: chosen.map(({ namespace, class: lockClass, recommendedMs }) => ({
      ...{ namespace, class: lockClass, leaseMs: recommendedMs },
    })),
    writes: chosen.flatMap(writesOf),
    removes: [],
    low: 0,
  };
}
