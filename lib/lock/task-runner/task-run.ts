import type { Lock } from '../contract.js';
import { LockError, LockLostError } from '../errors.js';
import { createLeaseSignal } from '../lease-signal.js';
import type { TaskEvent, TaskRun, TaskRunStatus } from './contract.js';
import { decode, encode } from './json.js';
import { STEP } from './run-record.js';
import type { RunStore } from './run-store.js';

export interface RunInHandOptions {
  status: TaskRunStatus;
  lock: Lock;
  store: RunStore;
  /** Aborted: stop at the next checkpoint or step. */
  closing: AbortSignal;
  /** Aborted: there is no more time. */
  givenUp: AbortSignal;
  emit: (event: TaskEvent) => void;
}

/** What broke a run off from outside its work. */
export type Interruption =
  | { kind: 'lost'; error: unknown }
  | { kind: 'handed-on'; error: unknown }
  | { kind: 'redis'; error: unknown };

export interface RunInHand {
  run: TaskRun;
  /** Lets nothing be acknowledged any more, waits for what is on its way, and tells what broke it off, or null. */
  end: () => Promise<Interruption | null>;
}

/**
 * A run as its work sees it. Acknowledgements go to Redis one after another, each numbered after the one
 * before; the script there decides whether this process may still make them.
 */
export function createRunInHand(options: RunInHandOptions): RunInHand {
  const { status, lock, store, closing, givenUp, emit } = options;
  const { task, id } = status;
  const steps = new Map(Object.entries(status.steps));
  const named = new Set<string>();
  let { acknowledged, progress } = status;
  let interruption: Interruption | null = null;
  let ended = false;
  let last: Promise<void> = Promise.resolve();

  const interrupt = (kind: Interruption['kind'], error: unknown): never => {
    interruption ??= { kind, error };
    throw error;
  };

  const assertHeld = (): void => {
    if (interruption?.kind === 'lost' || interruption?.kind === 'redis') throw interruption.error;
    if (ended) throw lostError(status, 'ended');
    const loss = lossOf(lock);
    if (loss) interrupt(givenUp.aborted ? 'handed-on' : 'lost', loss);
  };

  const send = async (field: string, value: string): Promise<void> => {
    assertHeld();
    const kept = { number: acknowledged + 1, field, value };
    const accepted = await store
      .acknowledge(id, lock.fence, kept)
      .catch((error: unknown) => interrupt('redis', error));
    if (!accepted) interrupt('lost', lostError(status, 'fenced'));
    acknowledged += 1;
  };

  const acknowledge = async (field: string, value: string): Promise<void> => {
    const sent = last.then(async () => await send(field, value));
    // Whoever asked gets the error; the next one in line has to be asked for itself.
    last = sent.catch(() => undefined);
    await sent;
  };

  const stopWhenClosing = (): void => {
    if (closing.aborted) interrupt('handed-on', closingError(status));
  };

  const { signal, abort } = createLeaseSignal(() => {
    if (givenUp.aborted) return closingError(status);
    return lossOf(lock);
  });
  // Both outlive this run.
  const sources = [lock.signal, givenUp];
  for (const source of sources) source.addEventListener('abort', abort);

  return {
    run: {
      task,
      id,
      payload: status.payload,
      attempt: status.attempt,
      takeovers: status.takeovers,
      fence: lock.fence,
      signal,
      get progress() {
        return progress;
      },
      assertHeld,
      checkpoint: async (next) => {
        const value = encode(next, `The progress of ${task} ${id}`);
        await acknowledge('progress', value);
        progress = decode(value);
        emit({ event: 'acknowledged', task, id, attempt: status.attempt, fence: lock.fence });
        stopWhenClosing();
      },
      step: async (name, work) => {
        if (named.has(name)) throw repeatedStep(status, name);
        named.add(name);
        if (steps.has(name)) return resultOf(steps.get(name));
        stopWhenClosing();
        assertHeld();
        const result = await work({ fence: lock.fence, signal });
        await acknowledge(STEP + name, encode(result, `The result of step ${name}`));
        emit({
          event: 'acknowledged',
          task,
          id,
          attempt: status.attempt,
          fence: lock.fence,
          step: name,
        });
        return result;
      },
    },
    end: async () => {
      ended = true;
      for (const source of sources) source.removeEventListener('abort', abort);
      await last;
      if (interruption) return interruption;
      if (givenUp.aborted) return { kind: 'handed-on', error: closingError(status) };
      const loss = lossOf(lock);
      return loss && { kind: 'lost', error: loss };
    },
  };
}

/** The step of this name made the result in an earlier process, of the type that it makes here. */
function resultOf<T>(kept: unknown): T {
  return kept as T;
}

/** Why the lock is held no more: LOST or NOT_HELD; null while it is. */
function lossOf(lock: Lock): Error | null {
  try {
    lock.assertHeld();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function lostError({ task, id, fence }: TaskRunStatus, reason: string): LockLostError {
  return new LockLostError(
    `Run ${id} of ${task} belongs to this process no more; nothing further is acknowledged.`,
    { task, id, fence, reason },
  );
}

function closingError({ task, id }: TaskRunStatus): LockError {
  return new LockError(
    'CLIENT_CLOSED',
    `The runner is closing: run ${id} of ${task} goes on elsewhere from its last checkpoint.`,
    { task, id },
  );
}

function repeatedStep({ task, id }: TaskRunStatus, name: string): LockError {
  return new LockError(
    'BAD_OPTIONS',
    `Step ${name} of ${task} is there twice in one run; the second would get the result of the first. Give each its own name.`,
    { task, id, step: name },
  );
}
