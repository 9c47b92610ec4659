import { Batch } from './batch.js';
import type {
  AcquireOptions,
  Lock,
  Lockable,
  LockClient,
  LockClientOptions,
  LockEvent,
} from './contract.js';
import type { Way } from './claim.js';
import { Engine } from './engine.js';
import { LockError } from './errors.js';
import {
  DEFAULT_PREFIX,
  keyOf,
  channelOf,
  CHANNEL,
  reportsKey,
  RW_CHANNEL,
  SEMAPHORE_CHANNEL,
} from './names.js';
import { checkClientOptions, validPermits } from './options.js';
import { createMulti } from './multi.js';
import { Quorum } from './quorum.js';
import { Permits } from './permits.js';
import { MUTEX_SCRIPT } from './scripts/mutex.js';
import { READ_WRITE_SCRIPT } from './scripts/read-write.js';
import { SEMAPHORE_SCRIPT } from './scripts/semaphore.js';
import { scriptOf, type Script } from './scripts/run-script.js';
import type { Sender } from './sender.js';

type Work<T> = (lock: Lock) => Promise<T> | T;

const MUTEX = scriptOf(MUTEX_SCRIPT);
const READ_WRITE = scriptOf(READ_WRITE_SCRIPT);
const SEMAPHORE = scriptOf(SEMAPHORE_SCRIPT);
const DEFAULTS: AcquireOptions = Object.freeze({});
/** Names are built once for locks used again and again, and forgotten together before they are many. */
const MOST_WAYS = 4096;

/** Makes a client on a connection of yours. Throws BAD_OPTIONS; the server is checked at the first attempt. */
export function createLockClient(options: LockClientOptions): LockClient {
  checkClientOptions(options);
  return new Client(options);
}

class Client implements LockClient {
  readonly #options: LockClientOptions;
  readonly #engine: Engine;
  readonly #mutexes: Sender;
  readonly #readWrites: Sender;
  readonly #semaphores: Sender;
  readonly #ways = new Map<string, Way>();

  constructor(options: LockClientOptions) {
    this.#options = options;
    const nodes = options.redis ? [options.redis] : (options.nodes ?? []);
    const [first, ...others] = nodes;
    if (!first)
      throw new LockError('BAD_OPTIONS', 'Give either redis or nodes.', { option: 'redis' });
    const engine = new Engine([first, ...others], options);
    const { connections } = engine;
    const stream = reportsKey(options.namespace ?? '');
    const sender = (script: Script): Sender => {
      const voters = nodes.map((redis) => ({
        sender: new Batch({
          redis,
          script,
          instance: engine.instance,
          reports: engine.reports,
          stream,
          cuts: () => connections.cutsOf(redis),
        }),
        votes: () => connections.electorate.admits(redis),
      }));
      const [only] = voters;
      return only && voters.length === 1 ? only.sender : new Quorum(voters);
    };
    this.#engine = engine;
    this.#mutexes = sender(MUTEX);
    this.#readWrites = sender(READ_WRITE);
    this.#semaphores = sender(SEMAPHORE);
  }

  get instance(): string {
    return this.#engine.instance;
  }

  readonly keyOf = (name: string): string => {
    return keyOf(this.#options.prefix ?? DEFAULT_PREFIX, this.#options.namespace ?? '', name);
  };

  readonly acquire = (name: string, options: AcquireOptions = DEFAULTS): Promise<Lock> => {
    try {
      return this.#engine.acquire(this.#way(name), options);
    } catch (error) {
      return Promise.reject(error);
    }
  };

  readonly tryAcquire = async (
    name: string,
    options: AcquireOptions = {},
  ): Promise<Lock | null> => {
    return this.#engine.take(this.#way(name), { ...options, waitMs: 0 });
  };

  readonly using = async <T>(
    name: string,
    first: AcquireOptions | Work<T>,
    second?: Work<T>,
  ): Promise<T> => {
    return usingOn(this.#engine, this.#way(name), first, second);
  };

  readonly mutex = (name: string): Lockable => {
    return lockable(this.#engine, this.#way(name));
  };

  readonly readWrite = (name: string): { read: Lockable; write: Lockable } => {
    this.#needOneRedis('readWrite');
    const key = this.keyOf(name);
    const channel = channelOf(key, RW_CHANNEL);
    const sender = this.#readWrites;
    const [reads, writes] = [`${key} read`, `${key} write`];
    const read: Way = { name, key, channel, sender, id: reads, pair: writes, suffix: '' };
    const write: Way = { ...read, id: writes, pair: reads, suffix: ':write', blockedBy: reads };
    return { read: lockable(this.#engine, read), write: lockable(this.#engine, write) };
  };

  readonly semaphore = (name: string, permits: number): Lockable => {
    this.#needOneRedis('semaphore');
    const key = this.keyOf(name);
    return lockable(this.#engine, {
      name,
      key,
      channel: channelOf(key, SEMAPHORE_CHANNEL),
      sender: new Permits(this.#semaphores, validPermits(permits)),
      id: `${key} permit`,
      suffix: '',
    });
  };

  readonly multi = (names: readonly string[]): Lockable => {
    return createMulti(
      this.#engine,
      names.map((name) => this.#way(name)),
    );
  };

  readonly task = async <T>(work: () => Promise<T> | T): Promise<T> => {
    return this.#engine.tasks.open(work);
  };

  readonly on = (listener: (event: LockEvent) => void): (() => void) => {
    return this.#engine.audience.on(listener);
  };

  readonly close = (): Promise<void> => {
    return this.#engine.close();
  };

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #needOneRedis(kind: string): void {
    if (!this.#options.nodes) return;
    const text = `${kind}() works on one Redis; a majority of nodes can agree on one holder only.`;
    throw new LockError('BAD_OPTIONS', text, { option: 'nodes' });
  }

  #way(name: string): Way {
    const known = this.#ways.get(name);
    if (known) return known;
    const key = this.keyOf(name);
    const way: Way = {
      name,
      key,
      channel: channelOf(key, CHANNEL),
      sender: this.#mutexes,
      id: key,
      suffix: '',
    };
    if (this.#ways.size >= MOST_WAYS) this.#ways.clear();
    this.#ways.set(name, way);
    return way;
  }
}

function usingOn<T>(
  engine: Engine,
  way: Way,
  first: AcquireOptions | Work<T>,
  second?: Work<T>,
): Promise<T> {
  if (typeof first === 'function') return engine.using(way, {}, first);
  if (second) return engine.using(way, first, second);
  throw new LockError('BAD_OPTIONS', 'using() needs the work to do while the lock is held.');
}

function lockable(engine: Engine, way: Way): Lockable {
  return {
    acquire: async (options = {}) => engine.acquire(way, options),
    tryAcquire: async (options = {}) => engine.take(way, { ...options, waitMs: 0 }),
    using: async <T>(first: AcquireOptions | Work<T>, second?: Work<T>): Promise<T> =>
      usingOn(engine, way, first, second),
  };
}
