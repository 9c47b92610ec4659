import { LockError } from '../errors.js';
import type { ConfigTopic } from './config-topic.js';
import type { ConfigText } from './config-wire.js';
import type {
  ChangeListener,
  ConfigReader,
  ConfigReaderOptions,
  ConfigSnapshot,
  RefusedVersion,
} from './contract.js';
import { VersionBuffer } from './version-buffer.js';

interface Waiting<T> {
  version: number;
  resolve: (snapshot: ConfigSnapshot<T>) => void;
  reject: (error: LockError) => void;
}

interface ReaderParts {
  topic: ConfigTopic;
  /** Called after each swap. */
  onApplied: () => void;
  onClose: () => void;
}

/** One reader of a feed's topic: two buffers, and those who wait for what comes into force. */
export class TopicReader<T> implements ConfigReader<T> {
  readonly key: string;
  readonly #name: string;
  readonly #parts: ReaderParts;
  readonly #buffer: VersionBuffer<T>;
  readonly #listeners = new Set<ChangeListener<T>>();
  readonly #waiting = new Set<Waiting<T>>();
  readonly #closing = new AbortController();

  constructor(options: ConfigReaderOptions<T>, parts: ReaderParts) {
    this.key = parts.topic.key;
    this.#name = options.name;
    this.#parts = parts;
    if (options.onChange) this.#listeners.add(options.onChange);
    this.#buffer = new VersionBuffer({
      name: options.name,
      validate: options.validate,
      onSwap: (now, before) => this.#swapped(now, before),
      onRefused: (refused) => {
        this.#refuse(refused);
        options.onRefused?.(refused);
      },
    });
    parts.topic.add(this);
  }

  get current(): ConfigSnapshot<T> | null {
    return this.#buffer.current;
  }

  get refused(): RefusedVersion | null {
    return this.#buffer.refused;
  }

  /** What is in force; 0 for none. */
  get version(): number {
    return this.current?.version ?? 0;
  }

  offer(text: ConfigText): void {
    this.#buffer.offer(text);
  }

  async ready({ signal }: { signal?: AbortSignal } = {}): Promise<ConfigSnapshot<T> | null> {
    const { topic } = this.#parts;
    await this.#orEnd(topic.firstRead, signal);
    return topic.latestVersion > 0 ? await this.waitFor(topic.latestVersion, { signal }) : null;
  }

  async waitFor(
    version: number,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<ConfigSnapshot<T>> {
    if (this.current && this.current.version >= version) return this.current;
    if (this.refused && this.refused.version >= version) throw this.refused.error;
    const { promise, resolve, reject } = Promise.withResolvers<ConfigSnapshot<T>>();
    const waiting = { version, resolve, reject };
    this.#waiting.add(waiting);
    try {
      return await this.#orEnd(promise, signal);
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  onChange(listener: ChangeListener<T>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#listeners.clear();
    this.#parts.topic.remove(this);
    this.#parts.onClose();
  }

  #swapped(now: ConfigSnapshot<T>, before: ConfigSnapshot<T> | null): void {
    for (const listener of this.#listeners) queueMicrotask(() => listener(now, before));
    for (const { version, resolve } of this.#waiting) if (version <= now.version) resolve(now);
    this.#parts.onApplied();
  }

  #refuse(refused: RefusedVersion): void {
    for (const { version, reject } of this.#waiting) {
      if (version <= refused.version) reject(refused.error);
    }
  }

  async #orEnd<R>(work: Promise<R>, signal: AbortSignal | undefined): Promise<R> {
    const { promise, reject } = Promise.withResolvers<never>();
    const closed = (): void =>
      reject(
        new LockError('CLIENT_CLOSED', `The reader of ${this.#name} was closed.`, {
          name: this.#name,
        }),
      );
    const aborted = (): void =>
      reject(
        new LockError(
          'ABORTED',
          `The wait for the configuration ${this.#name} was given up.`,
          { name: this.#name },
          signal?.reason,
        ),
      );
    if (this.#closing.signal.aborted) closed();
    if (signal?.aborted) aborted();
    this.#closing.signal.addEventListener('abort', closed);
    signal?.addEventListener('abort', aborted);
    try {
      return await Promise.race([work, promise]);
    } finally {
      this.#closing.signal.removeEventListener('abort', closed);
      signal?.removeEventListener('abort', aborted);
    }
  }
}
