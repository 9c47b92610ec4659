import { randomUUID } from 'node:crypto';
import { LockError } from '../errors.js';
import { checkNames } from '../known-options.js';
import type { TaskDefinition, TaskEvent, TaskRunner, TaskRunnerOptions } from './contract.js';
import { encode } from './json.js';
import { taskKeys, type TaskKeys } from './keys.js';
import { Lane } from './lane.js';
import { createRunStore, type RunStore } from './run-store.js';
import { listen, type Wake } from './wake.js';

const DEFAULT_LEASE_MS = 1000;
const DEFAULT_KEEP_MS = 24 * 60 * 60 * 1000;
const DEFAULT_GRACE_MS = 5000;

interface Task {
  keys: TaskKeys;
  store: RunStore;
  lane: Lane;
}

/**
 * Runs triggered tasks: each task by one process at a time, from its last checkpoint when that process dies,
 * and with no step acknowledged twice (`README.md` says what that promises and what it cannot).
 * Throws BAD_OPTIONS.
 */
export function createTaskRunner(options: TaskRunnerOptions): TaskRunner {
  checkNames(options, ['client', 'redis', 'tasks', 'leaseMs', 'keepMs']);
  const { client, redis, leaseMs = DEFAULT_LEASE_MS, keepMs = DEFAULT_KEEP_MS } = options;
  const listeners = new Set<(event: TaskEvent) => void>();
  const emit = (event: TaskEvent): void => {
    for (const listener of listeners) listener(event);
  };
  atLeast(200, { leaseMs });
  atLeast(1000, { keepMs });
  const tasks = new Map<string, Task>();
  for (const [name, definition] of Object.entries(options.tasks)) {
    checkDefinition(name, definition);
    const keys = taskKeys(name, (lockName) => client.keyOf(lockName));
    const store = createRunStore(redis, keys);
    const lane = new Lane({ client, keys, definition, store, leaseMs, keepMs, emit });
    tasks.set(name, { keys, store, lane });
  }
  const taskOf = (name: string): Task => tasks.get(name) ?? unknownTask(name, [...tasks.keys()]);
  const lanes = [...tasks.values()];

  let starting: Promise<Wake> | null = null;
  let closing: Promise<void> | null = null;

  const open = async (): Promise<Wake> => {
    const bells = new Map(lanes.map(({ keys, lane }) => [keys.channel, () => lane.ring()]));
    const wake = await listen(redis, bells, (error) => emit({ event: 'error', task: null, error }));
    if (!closing) for (const { lane } of lanes) lane.start();
    return wake;
  };

  const end = async (graceMs: number): Promise<void> => {
    await Promise.all(lanes.map(async ({ lane }) => await lane.close(graceMs)));
    const wake = await starting;
    wake?.close();
  };

  const close: TaskRunner['close'] = async ({ graceMs = DEFAULT_GRACE_MS } = {}) => {
    closing ??= end(graceMs);
    await closing;
  };

  return {
    start: async () => {
      starting ??= open();
      await starting;
    },
    trigger: async (name, payload, { id = randomUUID() } = {}) => {
      const { store } = taskOf(name);
      return { id, created: await store.trigger(id, encode(payload, `The payload of ${name}`)) };
    },
    status: async (name, id) => await taskOf(name).store.status(id),
    on: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close,
    [Symbol.asyncDispose]: async () => await close(),
  };
}

function checkDefinition(name: string, definition: TaskDefinition): void {
  const { run, everyMs, attempts, backoffMs, takeovers } = definition;
  checkNames(
    definition,
    ['run', 'everyMs', 'attempts', 'backoffMs', 'takeovers'],
    `tasks.${name}.`,
  );
  if (typeof run !== 'function') {
    throw new LockError('BAD_OPTIONS', `The task ${JSON.stringify(name)} has no function run.`, {
      run,
    });
  }
  atLeast(100, { everyMs });
  atLeast(1, { attempts });
  atLeast(0, { backoffMs, takeovers });
}

function atLeast(least: number, values: Record<string, number | undefined>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || (Number.isSafeInteger(value) && value >= least)) continue;
    throw new LockError(
      'BAD_OPTIONS',
      `${name} of the task runner is a whole number of at least ${least}, not ${String(value)}.`,
      { [name]: value },
    );
  }
}

function unknownTask(name: string, known: string[]): never {
  throw new LockError(
    'BAD_OPTIONS',
    `There is no task ${JSON.stringify(name)}; this runner knows ${known.join(', ') || 'none'}.`,
    { task: name, known },
  );
}
