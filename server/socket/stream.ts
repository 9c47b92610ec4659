import type { Frame, Snapshot } from '@/lib/protocol/events';
import type { ErrorBody } from '@/lib/protocol/errors';
import type { Patch } from '@/lib/live/patch';
import { toErrorBody } from './error-body';
import { WireCopy } from './wire-copy';

/** Frames of one stream never follow each other faster: one per painted frame. */
const SHORTEST_WINDOW_MS = 16;
/** At most a fifth of the time goes into computing one stream. */
const WINDOW_PER_COST = 5;

export interface StreamOptions {
  name: string;
  /** Computes the answer anew. */
  compute: () => Promise<unknown>;
  /** Equal = `compute` would give the same again. */
  token: () => string;
  now: () => number;
  onFrame: (frame: Frame) => void;
  /** The stream is over; it has stopped itself. */
  onFailed: (failure: { stream: string } & ErrorBody) => void;
}

/**
 * One query with one set of parameters, for everybody who opened it. `idle` → `computing` at once when
 * touched after a pause; otherwise `waiting` until the window is over; `stopped` for ever.
 */
export class Stream {
  readonly name: string;
  readonly #options: StreamOptions;
  #state: 'idle' | 'waiting' | 'computing' | 'stopped' = 'idle';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #touchedMeanwhile = false;
  #notBefore = 0;
  #token = '';
  readonly #copy = new WireCopy();
  #version = 0;
  #at = 0;
  #first: Promise<void> | null = null;

  constructor(options: StreamOptions) {
    this.name = options.name;
    this.#options = options;
  }

  /** Resolves when there is something to show. Rejects with what the first computation threw. */
  ready(): Promise<void> {
    this.#first ??= this.#computeFirst();
    return this.#first;
  }

  /** The last answer. The caller has awaited `ready`. */
  snapshot(): Omit<Snapshot, 'data'> & { data: unknown } {
    return { stream: this.name, version: this.#version, at: this.#at, data: this.#copy.data };
  }

  /** Something may have changed. Cheap; called for every change in the table. */
  touch(): void {
    if (this.#state === 'computing') this.#touchedMeanwhile = true;
    if (this.#state !== 'idle' || this.#version === 0) return;
    if (this.#options.token() === this.#token) return;
    const delayMs = this.#notBefore - performance.now();
    if (delayMs <= 0) return void this.#recompute();
    this.#state = 'waiting';
    this.#timer = setTimeout(() => void this.#recompute(), delayMs);
  }

  stop(): void {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
  }

  async #computeFirst(): Promise<void> {
    this.#state = 'computing';
    try {
      await this.#compute();
    } finally {
      this.#settle();
    }
  }

  async #recompute(): Promise<void> {
    this.#state = 'computing';
    try {
      await this.#compute();
    } catch (error) {
      if (this.#isStopped()) return;
      this.stop();
      this.#options.onFailed({ stream: this.name, ...toErrorBody(error) });
      return;
    }
    this.#settle();
  }

  #settle(): void {
    if (this.#isStopped()) return;
    this.#state = 'idle';
    if (!this.#touchedMeanwhile) return;
    this.#touchedMeanwhile = false;
    this.touch();
  }

  async #compute(): Promise<void> {
    const began = performance.now();
    this.#token = this.#options.token();
    const answer = await this.#options.compute();
    if (this.#isStopped()) return;
    const patch = this.#copy.take(answer);
    if (patch) this.#publish(patch);
    const costMs = performance.now() - began;
    this.#notBefore = began + Math.max(SHORTEST_WINDOW_MS, costMs * (WINDOW_PER_COST + 1));
  }

  /** The first answer is nobody's change: whoever asked gets it as a snapshot. */
  #publish(patch: Patch): void {
    this.#at = this.#options.now();
    const from = this.#version++;
    if (from > 0) {
      this.#options.onFrame({ stream: this.name, from, to: this.#version, at: this.#at, patch });
    }
  }

  /** A method, because a check before an `await` would otherwise narrow the state for good. */
  #isStopped(): boolean {
    return this.#state === 'stopped';
  }
}
