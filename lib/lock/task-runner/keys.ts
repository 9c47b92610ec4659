import { LockError } from '../errors.js';

/** The lock of a task, and everything that is kept of it: in one slot of a cluster, by the lock's own tag. */
export interface TaskKeys {
  task: string;
  /** Name of the lock, as the client takes it. */
  lockName: string;
  /** Hash: `fence` = the highest fence that ever began a run; `scheduled` = id of the last run by interval. */
  state: string;
  /** Sorted set of the runs that have not ended: id → epoch µs from which it is due. */
  queue: string;
  /** Channel: something about the task's runs changed. */
  channel: string;
  /** Hash of one run. */
  run: (id: string) => string;
}

/**
 * Builds a task's keys. `keyOf` is the lock client's.
 * Throws BAD_OPTIONS for an empty name or one with a brace, which would move its keys to another slot.
 */
export function taskKeys(task: string, keyOf: (name: string) => string): TaskKeys {
  if (task.trim() === '' || /[{}]/.test(task)) {
    throw new LockError(
      'BAD_OPTIONS',
      `The name of a task is a word or more without braces; ${JSON.stringify(task)} is not.`,
      { task },
    );
  }
  const lockName = `task:${task}`;
  const key = keyOf(lockName);
  const tagged = key.includes('{') ? key : `{${key}}`;
  return {
    task,
    lockName,
    state: `lockscope:task:state:${tagged}`,
    queue: `lockscope:task:queue:${tagged}`,
    channel: `lockscope:task:channel:${tagged}`,
    run: (id) => `lockscope:task:run:${tagged}:${id}`,
  };
}
