import type { Overview } from '@/lib/protocol/measures';

/** How many wait: exactly, at least, or not known at all (null). */
export interface WaitingFigure {
  value: number | null;
  isLeast: boolean;
}

/**
 * A count of the waiters that are seen is the whole only where all are. Nobody seen waiting beside locks
 * whose waiters cannot be seen says nothing, and is no zero.
 */
export function waitingFigure({
  waiting,
  waitingUnknownLocks,
}: Pick<Overview['counters'], 'waiting' | 'waitingUnknownLocks'>): WaitingFigure {
  if (waitingUnknownLocks === 0) return { value: waiting ?? 0, isLeast: false };
  const isSeen = waiting !== null && waiting > 0;
  return { value: isSeen ? waiting : null, isLeast: isSeen };
}
