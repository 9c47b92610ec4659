import type { Lock } from '../contract.js';
import { LockError, LockLostError } from '../errors.js';
import type { TaskRunStatus } from './contract.js';
import type { RunStore } from './run-store.js';

/** What broke a run off from outside its work. */
export interface Interruption {
  kind: 'lost' | 'handed-on' | 'redis';
  error: unknown;
}

export interface AcknowledgementsOptions {
  status: TaskRunStatus;
  lock: Lock;
  store: RunStore;
  /** Aborted: stop at the next checkpoint or step. */
  closing: AbortSignal;
  /** Aborted: there is no more time. */
  givenUp: AbortSignal;
}

/**
 * What one process keeps of a run, one after another, each numbered after the one before; the script in Redis
 * decides whether it still may. Once it may not, nothing is sent any more.
 */
export class Acknowledgements {
  readonly #options: AcknowledgementsOptions;
  #count: number;
  #interruption: Interruption | null = null;
  #hasEnded = false;
  #last: Promise<void> = Promise.resolve();

  constructor(options: AcknowledgementsOptions) {
    this.#options = options;
    this.#count = options.status.acknowledged;
  }

  /** `value` is JSON. Throws LOST, NOT_HELD, REDIS_… . */
  async keep(field: string, value: string): Promise<void> {
    const sent = this.#last.then(async () => await this.#send(field, value));
    // Whoever asked gets the error; the next in line is asked for by itself.
    this.#last = sent.catch(() => undefined);
    await sent;
  }

  /** Throws LOST or NOT_HELD. */
  assertHeld(): void {
    const { status, lock, givenUp } = this.#options;
    // A run that is to be handed on may still keep what is under way.
    if (this.#interruption && this.#interruption.kind !== 'handed-on') {
      throw this.#interruption.error;
    }
    if (this.#hasEnded) throw lostError(status, 'ended');
    const loss = lossOf(lock);
    if (loss) throw this.#interrupt(givenUp.aborted ? 'handed-on' : 'lost', loss);
  }

  /** Throws CLIENT_CLOSED when the run is to go on elsewhere. */
  stopWhenClosing(): void {
    const { status, closing } = this.#options;
    if (closing.aborted) throw this.#interrupt('handed-on', closingError(status));
  }

  /** Why the work should stop by now, or null. */
  get reasonToStop(): Error | null {
    const { status, lock, givenUp } = this.#options;
    return givenUp.aborted ? closingError(status) : lossOf(lock);
  }

  /** Keeps nothing any more, waits for what is on its way, and tells what broke the run off, or null. */
  async end(): Promise<Interruption | null> {
    this.#hasEnded = true;
    await this.#last;
    if (this.#interruption) return this.#interruption;
    const error = this.reasonToStop;
    const kind = this.#options.givenUp.aborted ? 'handed-on' : 'lost';
    return error && { kind, error };
  }

  async #send(field: string, value: string): Promise<void> {
    this.assertHeld();
    const { status, lock, store } = this.#options;
    const kept = { number: this.#count + 1, field, value };
    const accepted = await store
      .acknowledge(status.id, lock.fence, kept)
      .catch((error: unknown) => {
        throw this.#interrupt('redis', error);
      });
    if (!accepted) throw this.#interrupt('lost', lostError(status, 'fenced'));
    this.#count += 1;
  }

  #interrupt<E>(kind: Interruption['kind'], error: E): E {
    this.#interruption ??= { kind, error };
    return error;
  }
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

function lostError({ task, id, fence }: TaskRunStatus, reason: 'fenced' | 'ended'): LockLostError {
  const why = reason === 'fenced' ? 'another process has begun it' : 'its work has ended here';
  return new LockLostError(
    `Run ${id} of ${task} is no longer this process's, ${why}: nothing further is acknowledged.`,
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
