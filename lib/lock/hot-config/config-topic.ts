import type { RedisConnection } from '../contract.js';
import { fromFields, fromMessage, VERSION_FIELDS, type ConfigText } from './config-wire.js';

/** Who uses a configuration in this process. */
export interface Taker {
  offer: (text: ConfigText) => void;
  /** What it has in force; 0 for none. */
  readonly version: number;
}

interface TopicOptions {
  key: string;
  redis: RedisConnection;
  onError: (error: unknown) => void;
  onUnused: () => void;
}

/**
 * The newest version of one configuration as far as this process knows, for all its readers. A message is
 * taken as it comes; everything that a message may have been missed by is followed by a read.
 */
export class ConfigTopic {
  readonly key: string;
  /** Settles when Redis was read for the first time. */
  readonly firstRead: Promise<void>;
  readonly #options: TopicOptions;
  readonly #takers = new Set<Taker>();
  #latest: ConfigText | null = null;
  #reading: Promise<void> | null = null;
  #isReadStale = false;
  #settleFirstRead: () => void = () => {};

  constructor(options: TopicOptions) {
    this.key = options.key;
    this.#options = options;
    this.firstRead = new Promise((resolve) => {
      this.#settleFirstRead = resolve;
    });
  }

  get latestVersion(): number {
    return this.#latest?.version ?? 0;
  }

  /** What every reader of this process has, at least. */
  get versionInForce(): number {
    return Math.min(...[...this.#takers].map(({ version }) => version));
  }

  add(taker: Taker): void {
    this.#takers.add(taker);
    if (this.#latest) taker.offer(this.#latest);
  }

  remove(taker: Taker): void {
    if (this.#takers.delete(taker) && this.#takers.size === 0) this.#options.onUnused();
  }

  hear(message: string): void {
    const { version, at, text } = fromMessage(message);
    if (version <= this.latestVersion) return;
    if (text === null || Number.isNaN(version)) void this.catchUp();
    else this.#take({ version, at, text });
  }

  /** Reads the whole; never rejects. A call during a read has one more follow, for what changed since. */
  catchUp(): Promise<void> {
    if (this.#reading) {
      this.#isReadStale = true;
      return this.#reading;
    }
    this.#reading = this.#readUntilFresh().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Compares versions with Redis, and reads the whole when it has a newer one. Returns whether Redis answered. */
  async check(): Promise<boolean> {
    try {
      const version = Number(await this.#options.redis.hget(this.key, VERSION_FIELDS[0]));
      if (version > this.latestVersion) await this.catchUp();
      this.#settleFirstRead();
      return true;
    } catch (error) {
      this.#options.onError(error);
      return false;
    }
  }

  async #readUntilFresh(): Promise<void> {
    do {
      this.#isReadStale = false;
      try {
        const text = fromFields(await this.#options.redis.hmget(this.key, ...VERSION_FIELDS));
        if (text) this.#take(text);
        this.#settleFirstRead();
      } catch (error) {
        this.#options.onError(error);
      }
    } while (this.#isReadStale);
  }

  #take(text: ConfigText): void {
    if (text.version <= this.latestVersion) return;
    this.#latest = text;
    for (const taker of this.#takers) taker.offer(text);
  }
}
