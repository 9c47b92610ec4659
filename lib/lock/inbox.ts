import type { RedisConnection } from './contract.js';
import { fromRedis } from './from-redis.js';
import { INBOX } from './names.js';

/** A channel of clients that know no inbox, and the lock that they announce there. */
export interface Followed {
  channel: string;
  key: string;
}

export interface InboxListener {
  granted: (task: string, key: string, fence: number) => void;
  /** The lock may be free: attempt again. Task null = some client outside announced it for the whole key. */
  tryAgain: (task: string | null, key: string) => void;
  revoked: (task: string, key: string) => void;
  /** The subscription is back: what was said meanwhile is lost. */
  reconnected: () => void;
}

const GRANTED = /^granted (\S+) (\d+) ([\s\S]*)$/;
const ADDRESSED = /^(try|revoked) (\S+) ([\s\S]*)$/;

/** The connection on which a client hears: its own inbox, and locks that a client of another library holds. */
export class Inbox {
  readonly #redis: RedisConnection;
  readonly #channel: string;
  readonly #listener: InboxListener;
  readonly #foreign = new Map<string, string>();
  #hasBeenReady = false;

  constructor(redis: RedisConnection, instance: string, listener: InboxListener) {
    // It is younger than the connection it is made from, and may not be there when the first lock is asked for.
    const patience = { enableOfflineQueue: true, commandTimeout: undefined };
    this.#redis =
      'nodes' in redis
        ? redis.duplicate([], { enableOfflineQueue: true })
        : redis.duplicate(patience);
    this.#channel = INBOX + instance;
    this.#listener = listener;
    this.#redis.on('message', (channel: string, message: string) => this.#hear(channel, message));
    // ioredis reconnects by itself; without a listener it would print each failure.
    this.#redis.on('error', () => undefined);
    this.#redis.on('ready', () => {
      if (this.#hasBeenReady) this.#listenAgain();
      this.#hasBeenReady = true;
    });
  }

  /**
   * Resolves once it hears. `mayComeLater`: one of several nodes, which may be away now; ioredis goes on trying.
   * Throws REDIS_FORBIDS where the user may not subscribe.
   */
  async start(mayComeLater: boolean): Promise<void> {
    const subscribed = this.#redis.subscribe(this.#channel);
    if (mayComeLater) {
      subscribed.catch(() => undefined);
      return;
    }
    try {
      await subscribed;
    } catch (error) {
      throw fromRedis(error);
    }
  }

  /** Hears the lock's releases by clients that know no inbox, until `ignore`. */
  follow({ channel, key }: Followed): void {
    if (this.#foreign.has(channel)) return;
    this.#foreign.set(channel, key);
    // Where it is refused or fails, the beats find the lock free a little later.
    this.#redis.subscribe(channel).catch(() => this.#foreign.delete(channel));
  }

  isFollowing({ channel }: Followed): boolean {
    return this.#foreign.has(channel);
  }

  ignore({ channel }: Followed): void {
    if (this.#foreign.delete(channel)) this.#redis.unsubscribe(channel).catch(() => undefined);
  }

  stop(): void {
    this.#redis.disconnect();
  }

  /** ioredis takes up again only what was confirmed before. */
  #listenAgain(): void {
    const channels = [this.#channel, ...this.#foreign.keys()];
    this.#redis.subscribe(...channels).then(
      () => this.#listener.reconnected(),
      () => undefined,
    );
  }

  #hear(channel: string, message: string): void {
    const key = this.#foreign.get(channel);
    if (key !== undefined) {
      this.#listener.tryAgain(null, key);
      return;
    }
    const granted = GRANTED.exec(message);
    if (granted) {
      this.#listener.granted(`${granted[1]}`, `${granted[3]}`, Number(granted[2]));
      return;
    }
    const [, word, task = '', lock = ''] = ADDRESSED.exec(message) ?? [];
    if (word === 'try') this.#listener.tryAgain(task, lock);
    else if (word === 'revoked') this.#listener.revoked(task, lock);
  }
}
