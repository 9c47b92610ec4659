import { errorFrom, type ErrorBody } from '@/lib/protocol/errors';
import type { ActionInput, ActionName, ActionResult } from '@/lib/protocol/actions';
import type { QueryName, QueryParams } from '@/lib/protocol/queries';
import type { Frame } from '@/lib/protocol/events';
import { canonicalJson } from './canonical';
import { LiveEntry } from './live-entry';
import { createServerClock } from './server-clock';
import type { ConnectionState, LiveTransport } from './transport';

/** How long a query stays open after its last user left: long enough for a page to be swapped. */
const LINGER_MS = 1000;
const RETRY_MS = 5000;

/**
 * The browser's copy of what it opened. Only the server's snapshots and frames change it; an action
 * never does. Knows no framework and no socket: the transport is handed in.
 */
export class LiveStore {
  readonly #transport: LiveTransport;
  readonly #clock = createServerClock(() => Date.now());
  readonly #entries = new Map<string, LiveEntry>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #connectionListeners = new Set<() => void>();
  #connection: ConnectionState = 'connecting';
  #refused: ErrorBody['error'] | null = null;

  constructor(transport: LiveTransport) {
    this.#transport = transport;
  }

  /** Connects. A store that was stopped may be started again and opens what is still in use. */
  start(): void {
    this.#transport.start({
      connection: (state, refused) => this.#setConnection(state, refused),
      frame: (frame) => this.#takeFrame(frame),
      failed: ({ stream, error }) => {
        for (const entry of this.#onStream(stream)) this.#fail(entry, error);
      },
    });
  }

  stop(): void {
    this.#transport.stop();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#setConnection('connecting', null);
  }

  get connection(): ConnectionState {
    return this.#connection;
  }

  /** Why the server turned the session away; null while it does not. */
  get refused(): ErrorBody['error'] | null {
    return this.#refused;
  }

  onConnection(listener: () => void): () => void {
    this.#connectionListeners.add(listener);
    return () => this.#connectionListeners.delete(listener);
  }

  /** Epoch ms by the server's clock. */
  serverNow(): number {
    return this.#clock.now();
  }

  /** Opens the query, or shares it when it is open; every `use` needs one `release`. */
  use<N extends QueryName>(query: N, params: QueryParams<N>): LiveEntry {
    const name = canonicalJson([query, params]);
    let entry = this.#entries.get(name);
    if (!entry) {
      entry = new LiveEntry(query, params);
      this.#entries.set(name, entry);
      if (this.#connection === 'connected') void this.#open(entry);
    }
    entry.users++;
    return entry;
  }

  release(entry: LiveEntry): void {
    entry.users--;
    if (entry.users === 0) this.#later(LINGER_MS, () => entry.users === 0 && this.#close(entry));
  }

  /** Runs an action. Throws a {@link CodedError}; the effect shows through the opened queries. */
  async run<N extends ActionName>(action: N, input: ActionInput<N>): Promise<ActionResult<N>> {
    const answer = await this.#transport.run(action, input);
    if (answer.ok) return resultOf<N>(answer.value);
    throw errorFrom(answer.error);
  }

  async #open(entry: LiveEntry): Promise<void> {
    const opening = ++entry.openings;
    const answer = await this.#transport.open(entry.query, entry.params);
    if (opening !== entry.openings) return;
    if (!answer.ok) return this.#fail(entry, answer.error);
    this.#clock.sample(answer.value.at);
    entry.adopt(answer.value);
    if (!this.#isOpen(entry)) this.#leaveStream(answer.value.stream);
  }

  #close(entry: LiveEntry): void {
    if (!this.#isOpen(entry)) return;
    this.#entries.delete(canonicalJson([entry.query, entry.params]));
    if (entry.stream !== null) this.#leaveStream(entry.stream);
  }

  #isOpen(entry: LiveEntry): boolean {
    return this.#entries.get(canonicalJson([entry.query, entry.params])) === entry;
  }

  /** Two spellings of the same parameters share one stream; it ends with the last of them. */
  #leaveStream(stream: string): void {
    if (this.#onStream(stream).length === 0) this.#transport.close(stream);
  }

  #onStream(stream: string): LiveEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.stream === stream);
  }

  #takeFrame(frame: Frame): void {
    this.#clock.sample(frame.at);
    for (const entry of this.#onStream(frame.stream)) {
      if (!entry.advance(frame)) void this.#open(entry);
    }
  }

  #fail(entry: LiveEntry, error: ErrorBody['error']): void {
    const retry = entry.fail(error);
    if (!retry) return;
    this.#later(RETRY_MS, () => {
      const wanted = this.#isOpen(entry) && entry.snapshot.state === 'failed';
      if (wanted && this.#connection === 'connected') void this.#open(entry);
    });
  }

  #setConnection(state: ConnectionState, refused: ErrorBody['error'] | null): void {
    const was = this.#connection;
    this.#connection = state;
    this.#refused = refused;
    if (state !== 'connected') for (const entry of this.#entries.values()) entry.lose();
    if (state === 'connected' && was !== 'connected') {
      this.#clock.reset();
      for (const entry of this.#entries.values()) void this.#open(entry);
    }
    for (const listener of this.#connectionListeners) listener();
  }

  #later(delayMs: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, delayMs);
    this.#timers.add(timer);
  }
}

/** The server answers an action with the result of its own schema; both sides share the type. */
const resultOf = <N extends ActionName>(value: unknown): ActionResult<N> =>
  value as ActionResult<N>;
