import { waitTraits } from '@/lib/formats/format';
import type { LockRecord } from './lock-record';

/** How many wait for a lock as far as is known now; null = cannot be known. */
export function waitingCount(lock: LockRecord): number | null {
  if (lock.waitersCurrent === false) return null;
  const { waiters } = waitTraits(lock.format, lock.raw);
  if (waiters === 'fair-queue' || lock.queue.length > 0) return lock.queue.length;
  if (waiters === 'pubsub') return lock.subscribers;
  return waiters === 'never-waits' ? 0 : null;
}
