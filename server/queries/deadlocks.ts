import type { Deadlock } from '@/lib/protocol/measures';
import type { QueryContext } from './query-context';

const MAX_STORED = 200;

/** Present cycles first, then the resolved, newest first. */
export async function deadlocks(context: QueryContext): Promise<Deadlock[]> {
  const present = context.analysis.deadlocks();
  const known = new Set(present.map(({ id }) => id));
  const stored = await context.store.deadlocks({ limit: MAX_STORED });
  // What the store still calls confirmed and the analysis does not know ended while nobody watched.
  const past = stored.filter(({ id, state }) => !known.has(id) && state === 'resolved');
  return [...present, ...past].toSorted(
    (a, b) => Number(a.state === 'resolved') - Number(b.state === 'resolved') || b.since - a.since,
  );
}
