import type { ErrorBody, ErrorCode } from '@/lib/protocol/errors';
import type { Frame, Snapshot } from '@/lib/protocol/events';
import type { Patch } from './patch';
import { applyPatch } from './patch';

/** What a view shows of one query. A new object whenever anything in it changes. */
export interface LiveSnapshot<T = unknown> {
  data: T | undefined;
  /** `stale`: the connection is lost, the data are from `at`. `failed`: see `error`; data may be older ones. */
  state: 'loading' | 'live' | 'stale' | 'failed';
  error: ErrorBody['error'] | null;
  /** Server's time of the data, epoch ms; null before the first. */
  at: number | null;
}

export const LOADING: LiveSnapshot<never> = {
  data: undefined,
  state: 'loading',
  error: null,
  at: null,
};

/** Trying again cannot help before something else changes. */
const FINAL: readonly ErrorCode[] = ['INVALID_INPUT', 'UNAUTHENTICATED', 'FORBIDDEN'];

/**
 * One opened query. `loading` → `live` by a snapshot; `live` → `stale` when the connection goes;
 * any → `failed` by an error; back to `live` by the next snapshot.
 */
export class LiveEntry {
  readonly query: string;
  readonly params: unknown;
  snapshot: LiveSnapshot = LOADING;
  stream: string | null = null;
  users = 0;
  /** Answers to older `query:open` requests are dropped. */
  openings = 0;
  #version = -1;
  readonly #listeners = new Set<() => void>();

  constructor(query: string, params: unknown) {
    this.query = query;
    this.params = params;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  adopt(snapshot: Snapshot): void {
    this.stream = snapshot.stream;
    this.#version = snapshot.version;
    this.#show({ data: snapshot.data, state: 'live', error: null, at: snapshot.at });
  }

  /** False when the frame does not continue what is held: the query must be opened again. */
  advance(frame: Frame): boolean {
    if (frame.to <= this.#version) return true;
    if (frame.from !== this.#version) return false;
    try {
      const data = applyPatch(this.snapshot.data, trustedPatch(frame.patch));
      this.#version = frame.to;
      this.#show({ data, state: 'live', error: null, at: frame.at });
      return true;
    } catch {
      // A patch that does not fit is a gap like any other: the caller fetches a whole snapshot.
      return false;
    }
  }

  /** Returns whether it makes sense to try again later. */
  fail(error: ErrorBody['error']): boolean {
    this.stream = null;
    this.#version = -1;
    this.#show({ ...this.snapshot, state: 'failed', error });
    return !FINAL.includes(error.code);
  }

  /** The connection is gone, and with it the stream. */
  lose(): void {
    this.stream = null;
    this.#version = -1;
    this.openings++;
    if (this.snapshot.state === 'live') this.#show({ ...this.snapshot, state: 'stale' });
  }

  #show(snapshot: LiveSnapshot): void {
    this.snapshot = snapshot;
    for (const listener of this.#listeners) listener();
  }
}

/** Patches come from our own server's `makePatch`; `applyPatch` throws on anything else. */
const trustedPatch = (patch: unknown): Patch => patch as Patch;
