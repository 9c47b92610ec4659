import type { Bytes } from '@/lib/protocol/bytes';
import type { TableState } from './table-state';
import type { Tracked } from './tracked';
import { hasGivenUp, waitingCount } from './waiting';

export function tellWaiting(
  state: TableState,
  lock: Tracked,
  before: { at: number; waitingBefore: number | null; queueBefore: Tracked['queue'] },
): void {
  const after = waitingCount(lock);
  const { at, waitingBefore, queueBefore } = before;
  if (after !== waitingBefore || lock.passed) {
    const moments = queueMoments(lock, queueBefore, at);
    state.changes.push({
      ...{ kind: 'waiting-changed', at, lock, before: waitingBefore, after },
      ...moments,
    });
    return;
  }
  const isSame = lock.queue.every(
    (waiter, i) => waiter.owner === queueBefore[i]?.owner && waiter.alive === queueBefore[i]?.alive,
  );
  if (!isSame) state.changes.push({ kind: 'lock-changed', at, lock });
}

/** When those came and went whom the queue shows anew, or no more: events told of it before the read did. */
function queueMoments(
  lock: Tracked,
  queueBefore: Tracked['queue'],
  at: number,
): { came: number[]; went: number[] } {
  const isIn = (queue: Tracked['queue'], owner: Bytes): boolean =>
    queue.some((waiter) => waiter.owner === owner);
  const came = lock.queue
    .filter((waiter) => !hasGivenUp(waiter) && !isIn(queueBefore, waiter.owner))
    .map(({ owner, since }) =>
      lock.seenJoining?.has(owner) === true ? Math.min(at, since ?? at) : at,
    );
  const went = queueBefore
    .filter((waiter) => !hasGivenUp(waiter) && !isIn(lock.queue, waiter.owner))
    .map(({ owner, since }) => {
      // It may have held the lock before it queued, and have given up now.
      const granted = [lock.hold, ...lock.ended].find(
        (hold) => hold?.token === owner && hold.since >= (since ?? at),
      );
      return Math.min(at, granted?.since ?? at);
    });
  for (const { from, to } of lock.passed ?? []) {
    came.push(from);
    went.push(to);
  }
  lock.passed = null;
  return { came, went };
}
