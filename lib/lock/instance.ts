import { randomUUID } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import { basename } from 'node:path';
import type { Redis } from 'ioredis';
import type { RedisConnection } from './contract.js';
import { INSTANCE } from './names.js';

const ALIVE_MS = 30_000;
const BEAT_MS = 10_000;

/** A UUID of version 8 (RFC 9562): random as version 4, with the digit that tells our instances. */
export function newInstance(): string {
  const uuid = randomUUID();
  return `${uuid.slice(0, 14)}8${uuid.slice(15)}`;
}

/** Our side of the socket is the address Redis sees, unless something translates it in between. */
function ownAddress(redis: RedisConnection): string {
  if (!redis.isCluster && 'stream' in redis) {
    // There is none before the first connection.
    const stream: Redis['stream'] | undefined = redis.stream;
    if (stream?.localAddress) return stream.localAddress.replace(/^::ffff:/, '');
  }
  const addresses = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '';
}

/** A Redlock's servers as this client knows them, `host:port/db`, and those of them that do not vote now. */
export interface Group {
  nodes: readonly string[];
  silent: readonly string[];
}

/** Where a node of a Redlock is, without what lets one in. */
export const addressOf = (redis: RedisConnection): string => {
  if (redis.isCluster || !('stream' in redis)) return 'cluster';
  const { host, port, path, db } = redis.options;
  return `${path ?? `${host}:${port}`}/${db ?? 0}`;
};

/** Keeps one hash in Redis while the client lives: who this instance is, for people who look at its locks. */
export class Presence {
  readonly #redis: RedisConnection;
  readonly #key: string;
  readonly #app: string;
  readonly #group: (() => Group) | null;
  readonly #startedAt = Date.now();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: {
    redis: RedisConnection;
    instance: string;
    app: string | undefined;
    /** Of a Redlock. */
    group: (() => Group) | null;
  }) {
    this.#redis = options.redis;
    this.#key = INSTANCE + options.instance;
    this.#group = options.group;
    this.#app = options.app ?? basename(process.argv[1] ?? 'node');
  }

  start(): void {
    this.#beat();
    this.#timer = setInterval(() => this.#beat(), BEAT_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
    // Without a connection the key goes by itself, and nobody has to wait for one.
    if (this.#redis.status === 'ready') await this.#redis.del(this.#key).catch(() => undefined);
  }

  #beat(): void {
    const pipeline = this.#redis.multi();
    const group = this.#group?.();
    pipeline.hset(this.#key, {
      host: hostname(),
      ip: ownAddress(this.#redis),
      pid: `${process.pid}`,
      app: this.#app,
      startedAt: `${this.#startedAt}`,
      ...(group && { nodes: group.nodes.join(' '), silent: group.silent.join(' ') }),
    });
    pipeline.pexpire(this.#key, ALIVE_MS);
    // A missed beat shows itself: the key lapses, and the instance reads as not seen.
    pipeline.exec().catch(() => undefined);
  }
}
