import { LockError } from '../errors.js';
import { fromRedis } from '../from-redis.js';
import { checkNames } from '../known-options.js';
import { Acknowledgements } from './acknowledgements.js';
import { TopicReader } from './config-reader.js';
import { ConfigTopic } from './config-topic.js';
import { configKey, configLockKey } from './config-wire.js';
import type {
  ConfigFeed,
  ConfigFeedOptions,
  ConfigReader,
  ConfigReaderOptions,
} from './contract.js';

const CHECK_MS = 10_000;
const SHORTEST_CHECK_MS = 100;

const OF_FEED = ['redis', 'prefix', 'namespace', 'checkMs', 'acknowledge', 'onError'];
const OF_READER = ['name', 'validate', 'onChange', 'onRefused'];

/** See `README.md`. Throws BAD_OPTIONS. */
export function createConfigFeed(options: ConfigFeedOptions): ConfigFeed {
  checkNames(options, OF_FEED);
  return new Feed(options);
}

/** A feed with one reader, which ends with it. Throws BAD_OPTIONS, EMPTY_KEY. */
export function createConfigReader<T = unknown>(
  options: ConfigFeedOptions & ConfigReaderOptions<T>,
): ConfigReader<T> {
  checkNames(options, [...OF_FEED, ...OF_READER]);
  const feed = new Feed(options);
  return feed.open(options, () => feed.close());
}

/** What a feed needs of the connection that listens, the same for one Redis and a Cluster. */
interface Listener {
  readonly status: string;
  on: (event: 'error' | 'message' | 'ready', listener: (...words: string[]) => void) => unknown;
  subscribe: (...keys: string[]) => Promise<unknown>;
  unsubscribe: (...keys: string[]) => Promise<unknown>;
  disconnect: (reconnect?: boolean) => void;
}

class Feed implements ConfigFeed {
  readonly #options: ConfigFeedOptions;
  readonly #checkMs: number;
  readonly #listener: Listener;
  readonly #topics = new Map<string, ConfigTopic>();
  readonly #readers = new Set<{ close: () => void }>();
  readonly #acknowledgements: Acknowledgements | null;
  #check: NodeJS.Timeout;
  #isChecking = false;
  #isProbing = false;
  #problem: LockError | null = null;
  #isClosed = false;

  constructor(options: ConfigFeedOptions) {
    const { redis, acknowledge, checkMs = CHECK_MS } = options;
    if (!(checkMs >= SHORTEST_CHECK_MS)) {
      throw new LockError(
        'BAD_OPTIONS',
        `checkMs is ${checkMs}, but needs at least ${SHORTEST_CHECK_MS} ms.`,
        { option: 'checkMs' },
      );
    }
    this.#options = options;
    this.#checkMs = checkMs;
    const onError = (error: unknown): void => this.#fail(error);
    this.#acknowledgements = acknowledge
      ? new Acknowledgements({ acknowledge, redis, checkMs, onError })
      : null;
    this.#listener = 'nodes' in redis ? redis.duplicate() : redis.duplicate();
    this.#listener.on('error', onError);
    this.#listener.on('message', (key = '', message = '') => this.#topics.get(key)?.hear(message));
    this.#listener.on('ready', () => void this.#listen([...this.#topics.values()]));
    this.#check = this.#planCheck();
  }

  get problem(): LockError | null {
    return this.#problem;
  }

  reader<T = unknown>(options: ConfigReaderOptions<T>): ConfigReader<T> {
    return this.open(options, () => {});
  }

  open<T>(options: ConfigReaderOptions<T>, onClose: () => void): ConfigReader<T> {
    const { prefix, namespace } = this.#options;
    const { name } = options;
    if (this.#isClosed) {
      throw new LockError('CLIENT_CLOSED', `The feed was closed before ${name} was read.`, {
        name,
      });
    }
    const topic = this.#topicOf(configKey(configLockKey({ name, prefix, namespace })));
    const reader: TopicReader<T> = new TopicReader(options, {
      topic,
      onApplied: () => this.#acknowledgements?.plan(topic),
      onClose: () => {
        this.#readers.delete(reader);
        onClose();
      },
    });
    this.#readers.add(reader);
    return reader;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#check);
    this.#acknowledgements?.stop();
    for (const reader of this.#readers) reader.close();
    this.#listener.disconnect();
  }

  #topicOf(key: string): ConfigTopic {
    const known = this.#topics.get(key);
    if (known) return known;
    const topic = new ConfigTopic({
      key,
      redis: this.#options.redis,
      onError: (error) => this.#fail(error),
      onUnused: () => void this.#drop(key),
    });
    this.#topics.set(key, topic);
    void this.#listen([topic]);
    return topic;
  }

  /** What was published before the subscription stands is read once it stands, so that nothing falls between. */
  async #listen(topics: readonly ConfigTopic[]): Promise<void> {
    if (topics.length === 0) return;
    try {
      await this.#listener.subscribe(...topics.map(({ key }) => key));
    } catch (error) {
      this.#fail(error);
    }
    await Promise.all(topics.map((topic) => topic.catchUp()));
  }

  async #drop(key: string): Promise<void> {
    this.#topics.delete(key);
    if (this.#isClosed) return;
    try {
      await this.#listener.unsubscribe(key);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** A tenth sooner or later, so that a million processes do not ask in one moment. */
  #planCheck(): NodeJS.Timeout {
    const jitter = 0.9 + Math.random() * 0.2;
    return setTimeout(() => void this.#look(), this.#checkMs * jitter).unref();
  }

  async #look(): Promise<void> {
    this.#check = this.#planCheck();
    const topics = [...this.#topics.values()];
    void this.#probe(topics[0]);
    if (this.#isChecking) {
      this.#fail(new Error(`ETIMEDOUT: no answer to a check for ${this.#checkMs} ms`));
      return;
    }
    this.#isChecking = true;
    const answered = await Promise.all(topics.map((topic) => topic.check()));
    if (answered.every(Boolean)) this.#problem = null;
    await Promise.all(topics.map((topic) => this.#acknowledgements?.send(topic)));
    this.#isChecking = false;
  }

  /**
   * Subscribes again to what is subscribed already, which changes nothing and is answered. A connection that
   * leaves this unanswered for a whole check is dead without a sign, and is made anew.
   */
  async #probe(topic: ConfigTopic | undefined): Promise<void> {
    if (!topic || this.#listener.status !== 'ready') return;
    if (this.#isProbing) {
      this.#isProbing = false;
      this.#listener.disconnect(true);
      return;
    }
    this.#isProbing = true;
    try {
      await this.#listener.subscribe(topic.key);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isProbing = false;
    }
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    this.#problem = fromRedis(error);
    this.#options.onError?.(this.#problem);
  }
}
