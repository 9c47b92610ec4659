import { waitTraits } from '@/lib/formats/format';
import { isOwnOwner } from '@/lib/formats/qoder-owner';
import type { LockRecord, WaiterRecord } from './lock-record';

/**
 * An entry of our own client whose heartbeats have stopped: it waits no more and stands in nobody's way,
 * because whoever comes next drops it.
 */
export const hasGivenUp = ({ owner, alive }: WaiterRecord): boolean =>
  alive === false && isOwnOwner(owner);

/** Whether this entry of a queue still waits at `now`. Past its deadline a library drops it at its next step. */
export function stillWaits(waiter: WaiterRecord, now: number): boolean {
  // Heartbeats move the deadline of our own client twice a second; a read judged it when it was fresh.
  if (isOwnOwner(waiter.owner)) return waiter.alive !== false;
  return waiter.deadline === null || waiter.deadline > now;
}

/** Owners in the queue, without those of our own client that have gone. */
export const queueLength = ({ queue }: Pick<LockRecord, 'queue'>): number =>
  queue.length === 0 ? 0 : queue.reduce((sum, waiter) => sum + (hasGivenUp(waiter) ? 0 : 1), 0);

/** Nobody stands in the queue, and clients of other libraries listen all the same. */
export const isCountedByChannel = (lock: LockRecord): boolean =>
  lock.format.hasForeignWaiters === true && (lock.subscribers ?? 0) > 0 && queueLength(lock) === 0;

/** How many wait for a lock as far as is known now; null = cannot be known. */
export function waitingCount(lock: LockRecord): number | null {
  if (lock.waitersCurrent === false) return null;
  const { waiters } = waitTraits(lock.format, lock.raw);
  if (isCountedByChannel(lock)) return lock.subscribers;
  // Its queue has not been read yet.
  const isNamed = waiters === 'fair-queue' || waiters === 'beside';
  if (isNamed && lock.rawAt === 0) return null;
  if (isNamed || lock.queue.length > 0) return queueLength(lock);
  if (waiters === 'pubsub') return lock.subscribers;
  return waiters === 'never-waits' ? 0 : null;
}
