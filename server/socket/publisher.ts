import { said } from '@/lib/messages/in-english';
import { createHash } from 'node:crypto';
import { canonicalJson } from '@/lib/live/canonical';
import type { Frame } from '@/lib/protocol/events';
import { CodedError, type ErrorBody } from '@/lib/protocol/errors';
import type { QueryName } from '@/lib/protocol/queries';
import type { Actor } from '@/server/auth/actor';
import { isQueryName, parseParams } from '@/server/queries';
import type { ServerContext } from '@/server/queries/query-context';
import { changeToken, CLOCK_MS } from './change-token';
import { Stream } from './stream';

export interface PublisherOptions {
  context: ServerContext;
  /** Runs a query for an actor, as REST does. */
  query: (name: string, params: unknown, actor: Actor) => Promise<unknown>;
  onFrame: (frame: Frame) => void;
  onFailed: (failure: { stream: string } & ErrorBody) => void;
}

/**
 * The streams that somebody listens to. Equal queries of actors who may see and do the same share one:
 * computed once, patched once, sent once. Nothing is computed without listeners.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #streams = new Map<string, { stream: Stream; listeners: number }>();
  readonly #clock: ReturnType<typeof setInterval>;
  #wake: ReturnType<typeof setImmediate> | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#clock = setInterval(() => this.#touchAll(), CLOCK_MS);
    this.#clock.unref();
  }

  get streams(): number {
    return this.#streams.size;
  }

  /** Adds a listener; every `join` needs one `leave`, also when `ready` of the stream rejects. */
  join(query: string, rawParams: unknown, actor: Actor): Stream {
    if (!isQueryName(query)) {
      throw new CodedError('NOT_FOUND', said('not-found:query', { query }));
    }
    return this.#join(query, rawParams, actor);
  }

  leave(stream: Stream): void {
    const entry = this.#streams.get(stream.name);
    // A stream that failed is gone already; its name may belong to a new one.
    if (entry?.stream !== stream) return;
    entry.listeners--;
    if (entry.listeners > 0) return;
    stream.stop();
    this.#streams.delete(stream.name);
  }

  /** Something changed. Called for every change; looks at the streams once per turn of the loop. */
  notify(): void {
    if (this.#streams.size === 0) return;
    this.#wake ??= setImmediate(() => {
      this.#wake = undefined;
      this.#touchAll();
    });
  }

  stop(): void {
    clearInterval(this.#clock);
    clearImmediate(this.#wake);
    for (const { stream } of this.#streams.values()) stream.stop();
    this.#streams.clear();
  }

  #join<N extends QueryName>(query: N, rawParams: unknown, actor: Actor): Stream {
    const params = parseParams(query, rawParams);
    const name = streamName(query, params, actor);
    const known = this.#streams.get(name);
    if (known) {
      known.listeners++;
      return known.stream;
    }
    const { context, onFrame } = this.#options;
    const stream = new Stream({
      name,
      compute: () => this.#options.query(query, params, actor),
      token: () => changeToken(context, query, params),
      now: context.now,
      onFrame,
      onFailed: (failure) => {
        this.#streams.delete(name);
        this.#options.onFailed(failure);
      },
    });
    this.#streams.set(name, { stream, listeners: 1 });
    return stream;
  }

  #touchAll(): void {
    for (const { stream } of this.#streams.values()) stream.touch();
  }
}

/** Short, and not to be guessed into by another role: what the actor may do is part of it. */
function streamName(query: string, params: unknown, { role, namespaces }: Actor): string {
  const text = canonicalJson([query, params, role, namespaces]);
  return `${query}:${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
}
