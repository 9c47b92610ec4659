export const TASK = 'count';
/** Length of a step, ms. */
export const STEP_MS = 20;
/** List of the waiting runners; see `lib/lock/README.md`. */
export const QUEUE_KEY = `redisson_lock_queue:{qoder:lock:task:${TASK}}`;
