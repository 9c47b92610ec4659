import { LockError } from '../errors.js';
import { createLeaseSignal, type LeaseSignal } from '../lease-signal.js';
import {
  Acknowledgements,
  type AcknowledgementsOptions,
  type Interruption,
} from './acknowledgements.js';
import type { TaskEvent, TaskRun, TaskRunStatus, TaskStep } from './contract.js';
import { decode, encode } from './json.js';
import { STEP } from './run-record.js';

export interface RunInHandOptions extends AcknowledgementsOptions {
  emit: (event: TaskEvent) => void;
}

/** A run as its work sees it. */
export class RunInHand implements TaskRun {
  readonly task: string;
  readonly id: string;
  readonly payload: unknown;
  readonly attempt: number;
  readonly takeovers: number;
  readonly fence: number;
  readonly #options: RunInHandOptions;
  readonly #acknowledgements: Acknowledgements;
  readonly #signal: LeaseSignal;
  readonly #steps: ReadonlyMap<string, unknown>;
  readonly #named = new Set<string>();
  #progress: unknown;

  // Fields, so that work may take them out of its run: `run: async ({ payload, step }) => …`.
  readonly assertHeld = (): void => this.#acknowledgements.assertHeld();

  readonly checkpoint = async (progress: unknown): Promise<void> => {
    const value = encode(progress, `The progress of ${this.task} ${this.id}`);
    await this.#acknowledgements.keep('progress', value);
    this.#progress = decode(value);
    this.#tell({});
    this.#acknowledgements.stopWhenClosing();
  };

  readonly step = async <T>(name: string, work: (step: TaskStep) => Promise<T> | T): Promise<T> => {
    if (this.#named.has(name)) throw repeatedStep(this.#options.status, name);
    this.#named.add(name);
    if (this.#steps.has(name)) return resultOf(this.#steps.get(name));
    this.#acknowledgements.stopWhenClosing();
    this.assertHeld();
    const result = await work({ fence: this.fence, signal: this.signal });
    const value = encode(result, `The result of step ${name} of ${this.task}`);
    await this.#acknowledgements.keep(STEP + name, value);
    this.#tell({ step: name });
    return result;
  };

  constructor(options: RunInHandOptions) {
    const { status, lock, givenUp } = options;
    this.task = status.task;
    this.id = status.id;
    this.payload = status.payload;
    this.attempt = status.attempt;
    this.takeovers = status.takeovers;
    this.fence = lock.fence;
    this.#options = options;
    this.#acknowledgements = new Acknowledgements(options);
    this.#signal = createLeaseSignal(() => this.#acknowledgements.reasonToStop);
    for (const source of [lock.signal, givenUp]) {
      source.addEventListener('abort', this.#signal.abort);
    }
    this.#steps = new Map(Object.entries(status.steps));
    this.#progress = status.progress;
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  get progress(): unknown {
    return this.#progress;
  }

  /** See Acknowledgements.end. */
  async end(): Promise<Interruption | null> {
    const { lock, givenUp } = this.#options;
    // Both outlive this run.
    for (const source of [lock.signal, givenUp]) {
      source.removeEventListener('abort', this.#signal.abort);
    }
    return await this.#acknowledgements.end();
  }

  #tell(what: { step?: string }): void {
    const { task, id, attempt, fence } = this;
    this.#options.emit({ event: 'acknowledged', task, id, attempt, fence, ...what });
  }
}

/** The step of this name made the result in an earlier attempt, of the type that it makes in this one. */
function resultOf<T>(kept: unknown): T {
  return kept as T;
}

function repeatedStep({ task, id }: TaskRunStatus, name: string): LockError {
  return new LockError(
    'BAD_OPTIONS',
    `Step ${name} of ${task} is there twice in one run; the second would get the result of the first. Give each its own name.`,
    { task, id, step: name },
  );
}
