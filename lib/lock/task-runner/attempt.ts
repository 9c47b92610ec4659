import type { Lock } from '../contract.js';
import type { Interruption } from './acknowledgements.js';
import type { TaskDefinition, TaskEvent, TaskRun } from './contract.js';
import { encode } from './json.js';
import type { BegunRun, RunStore, Settlement } from './run-store.js';
import { RunInHand } from './task-run.js';

const DEFAULT_ATTEMPTS = 3;
const DEFAULT_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 60_000;
const DEFAULT_TAKEOVERS = 20;
/** After a failure of Redis itself, which is no attempt of the task's. */
const AFTER_REDIS_FAILURE_MS = 1000;
/** What is kept of an error's text. */
const ERROR_LENGTH = 2000;

export interface AttemptOptions {
  begun: BegunRun;
  lock: Lock;
  definition: TaskDefinition;
  store: RunStore;
  keepMs: number;
  closing: AbortSignal;
  givenUp: AbortSignal;
  emit: (event: TaskEvent) => void;
}

type Outcome = { ok: true; value: string } | { ok: false; error: unknown };

/** Runs a begun run's work once, under the lock, and settles it. Throws REDIS_… when it could not be settled. */
export async function attemptRun(options: AttemptOptions): Promise<void> {
  const { begun, lock, definition, store, emit } = options;
  const { status, stalled } = begun;
  const about = { task: status.task, id: status.id, attempt: status.attempt, fence: lock.fence };
  const settle = async (event: TaskEvent, settlement: Settlement): Promise<void> => {
    const settled = await store.settle(status.id, lock.fence, settlement);
    emit(settled ? event : { ...about, event: 'lost' });
  };

  if (stalled > (definition.takeovers ?? DEFAULT_TAKEOVERS)) {
    const value = `It was taken over ${stalled} times in a row without progress.`;
    const { attempt: attempts } = status;
    return await settle(
      { ...about, event: 'failed', error: value },
      { state: 'failed', attempts, value, keepMs: options.keepMs },
    );
  }
  emit({ ...about, event: begun.isTakenOver ? 'taken-over' : 'started' });
  const run = new RunInHand({ ...options, status });
  const outcome = await perform(definition, run);
  const interruption = await run.end();
  // Also when the work resolved: it may have stopped early because its signal told it to.
  if (interruption) return await settleInterrupted(options, interruption, settle);
  if (outcome.ok) {
    const { attempt: attempts } = status;
    const { value } = outcome;
    const { keepMs } = options;
    return await settle({ ...about, event: 'done' }, { state: 'done', attempts, value, keepMs });
  }
  const { error } = outcome;
  const settlement = afterError(options, error);
  const event = settlement.state === 'failed' ? 'failed' : 'retrying';
  await settle({ ...about, event, error }, settlement);
}

async function perform(definition: TaskDefinition, run: TaskRun): Promise<Outcome> {
  try {
    const result: unknown = await definition.run(run);
    return { ok: true, value: encode(result, `The result of ${run.task}`) };
  } catch (error) {
    return { ok: false, error };
  }
}

/** What came from outside the work is no attempt of it: a lost run is its successor's, any other waits again. */
async function settleInterrupted(
  { begun: { status }, lock, emit }: AttemptOptions,
  { kind, error }: Interruption,
  settle: (event: TaskEvent, settlement: Settlement) => Promise<void>,
): Promise<void> {
  const about = { task: status.task, id: status.id, attempt: status.attempt, fence: lock.fence };
  if (kind === 'lost') return emit({ ...about, event: 'lost', error });
  await settle(
    { ...about, event: kind === 'redis' ? 'error' : 'handed-on', error },
    {
      state: 'waiting',
      attempts: status.attempt - 1,
      value: null,
      dueInMs: kind === 'redis' ? AFTER_REDIS_FAILURE_MS : 0,
    },
  );
}

function afterError({ begun, definition, keepMs }: AttemptOptions, error: unknown): Settlement {
  const attempts = begun.status.attempt;
  const value = String(error).slice(0, ERROR_LENGTH);
  if (attempts >= (definition.attempts ?? DEFAULT_ATTEMPTS)) {
    return { state: 'failed', attempts, value, keepMs };
  }
  const backoffMs = (definition.backoffMs ?? DEFAULT_BACKOFF_MS) * 2 ** (attempts - 1);
  const dueInMs = Math.min(backoffMs, LONGEST_BACKOFF_MS);
  return { state: 'waiting', attempts, value, dueInMs };
}
