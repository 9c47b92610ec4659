import type { LockRecord } from './lock-record';

/** How many wait for a lock as far as is known now; null = cannot be known. */
export function waitingCount(lock: LockRecord): number | null {
  if (lock.waitersCurrent === false) return null;
  if (lock.format.waiters === 'fair-queue' || lock.queue.length > 0) return lock.queue.length;
  if (lock.format.waiters === 'pubsub') return lock.subscribers;
  return lock.format.waiters === 'never-waits' ? 0 : null;
}
