import type { LockFormat } from './format';
import { redisson } from './redisson';
import { DROP_WAITER } from './redisson-scripts';

/** Script that takes one waiter out of the queue: see its own description for arguments and answer. */
export const dropWaiterScript = DROP_WAITER;

/** The name of the fair lock of a map's entry (RMap.getFairLock). */
const ENTRY_END = ':fairlock';

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
    const isHeld = value !== null && redisson.recognise(key, value, context) !== null;
    if (isHeld && key.endsWith(ENTRY_END)) {
      return { certainty: 'certain', because: { id: 'suffix', prefix: ENTRY_END } };
    }
    if (!context.queued || (value && !isHeld)) return null;
    return {
      certainty: 'certain',
      because: { id: value ? 'hash-uuid-thread-queue' : 'queue-alone' },
    };
  },
  waiters: 'fair-queue',
  releaseNotes: ['release-deletes', 'wakes-head', 'dead-head', 'watchdog-stops'],
};
