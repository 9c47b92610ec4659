import type { LockFormat } from './format';
import { redisson } from './redisson';
import { DROP_WAITER } from './release-scripts';

/** Script that takes one waiter out of the queue: see its own description for arguments and answer. */
export const dropWaiterScript = DROP_WAITER;

/**
 * Redisson's fair lock (RedissonFairLock): the hash of a plain lock, told apart by its queue. Without a
 * value it is a queue whose lock is gone.
 */
export const redissonFair: LockFormat = {
  ...redisson,
  id: 'redisson-fair',
  name: 'Redisson fair lock',
  kind: 'fair',
  recognise: (key, value, context) => {
    if (!context.queued || (value && !redisson.recognise(key, value, context))) return null;
    return {
      certainty: 'certain',
      because: { id: value ? 'hash-uuid-thread-queue' : 'queue-alone' },
    };
  },
  waiters: 'fair-queue',
  releaseNotes: ['release-deletes', 'wakes-head', 'dead-head', 'watchdog-stops'],
};
