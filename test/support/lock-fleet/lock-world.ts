import { Redis } from 'ioredis';
import {
  createLockClient,
  type LockClient,
  type LockClientOptions,
  type LockEvent,
} from '@/lib/lock/index';
import { bundleChild, type Bundle } from '@/test/support/lock-fleet/bundle';
import { startProcess, type FleetProcess } from '@/test/support/lock-fleet/fleet';
import type { ProcessSettings } from '@/test/support/lock-fleet/messages';
import { monitorCommands } from '@/test/support/monitor';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

export type ClientOptions = Omit<LockClientOptions, 'redis' | 'nodes'>;

/** A Redis with clients of the lock in this process and in others. */
export interface LockWorld {
  redis: TestRedis;
  /** Looks at Redis beside the locks. */
  admin: Redis;
  /** A client on a connection of its own; closed by `reset`. */
  client: (options?: ClientOptions) => LockClient;
  /** A client in a process of its own; killed by `reset`. */
  child: (client?: ProcessSettings['client']) => Promise<FleetProcess>;
  /** A name that no other test uses. */
  freshName: (stem?: string) => string;
  /** Owners that wait for that key, head first. */
  queueOf: (key: string) => Promise<string[]>;
  /** Waits until so many wait. */
  untilQueued: (key: string, count: number) => Promise<void>;
  /** The commands that clients send while `work` runs, those inside scripts left out. */
  sentDuring: (work: () => Promise<unknown>) => Promise<string[][]>;
  /** Ends what a test began, and empties Redis. */
  reset: () => Promise<void>;
  stop: () => Promise<void>;
}

const braced = (prefix: string, key: string): string =>
  key.includes('{') ? prefix + key : `${prefix}{${key}}`;

export const queueKey = (key: string): string => braced('redisson_lock_queue:', key);
export const timeoutsKey = (key: string): string => braced('redisson_lock_timeout:', key);
export const fenceKey = (key: string): string => braced('redisson_lock_token:', key);

export async function createLockWorld(
  redisOptions: Parameters<typeof startRedis>[0] = {},
): Promise<LockWorld> {
  const redis = await startRedis(redisOptions);
  const admin = redis.client();
  admin.on('error', ignoreError);
  const clients: LockClient[] = [];
  const connections: Redis[] = [];
  const children: FleetProcess[] = [];
  let bundle: Promise<Bundle> | undefined;
  let names = 0;
  let processes = 0;
  const queueOf = async (key: string): Promise<string[]> =>
    await admin.lrange(queueKey(key), 0, -1);
  return {
    redis,
    admin,
    client: (options = {}) => {
      const connection = new Redis(redis.url);
      connection.on('error', ignoreError);
      connections.push(connection);
      const client = createLockClient({ redis: connection, allowInsecure: true, ...options });
      clients.push(client);
      return client;
    },
    child: async (client = {}) => {
      bundle ??= bundleChild('lockscope-child');
      const { path } = await bundle;
      const { port } = redis;
      const process = `child-${++processes}`;
      const child = await startProcess(path, {
        process,
        locksPort: port,
        resourcePort: port,
        client,
      });
      children.push(child);
      return child;
    },
    freshName: (stem = 'order') => `${stem}-${++names}`,
    queueOf,
    untilQueued: async (key, count) =>
      void (await until(`${count} wait`, async () => (await queueOf(key)).length === count)),
    sentDuring: async (work) => await watchSent(redis, work),
    reset: async () => {
      await Promise.all(children.splice(0).map(async (child) => await child.kill()));
      await Promise.all(clients.splice(0).map(async (client) => await client.close()));
      for (const connection of connections.splice(0)) connection.disconnect();
      await admin.flushall();
    },
    stop: async () => {
      await redis.stop();
      await (await bundle)?.remove();
    },
  };
}

function ignoreError(): void {
  // Tests end Redis and cut connections on purpose; what that does to the locks is what they look at.
}

async function watchSent(redis: TestRedis, work: () => Promise<unknown>): Promise<string[][]> {
  const sent: string[][] = [];
  const monitor = await monitorCommands(redis, ({ words, from }) => {
    if (from !== 'lua') sent.push(words);
  });
  await work();
  await monitor.end();
  return sent;
}

/** The client's next event of that kind. */
export async function nextEvent(client: LockClient, kind: LockEvent['event']): Promise<LockEvent> {
  return await new Promise((resolve) => {
    const stop = client.on((event) => {
      if (event.event !== kind) return;
      stop();
      resolve(event);
    });
  });
}

/** Blocks this process, timers and all. */
export function blockProcess(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** The error that `work` rejects with; fails when it does not. */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('it did not reject');
}
