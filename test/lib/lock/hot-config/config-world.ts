import type { Redis } from 'ioredis';
import {
  createConfigReader,
  createConfigWriter,
  type ConfigReader,
  type ConfigWriter,
} from '@/lib/lock/hot-config/index';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import type { Marked } from '@/test/lib/lock/hot-config/marked';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

export interface ConfigWorld {
  server: TestRedis;
  redis: Redis;
  writer: (name: string, redis?: Redis) => ConfigWriter<Marked>;
  reader: (
    name: string,
    options?: Partial<Parameters<typeof createConfigReader<Marked>>[0]>,
  ) => ConfigReader<Marked>;
  client: (redis?: Redis) => LockClient;
  /** Closes clients and readers. */
  reset: () => Promise<void>;
  stop: () => Promise<void>;
}

/** A Redis with writers and readers of configurations, all in this process. */
export async function createConfigWorld(
  options: Parameters<typeof startRedis>[0] = {},
): Promise<ConfigWorld> {
  const server = await startRedis(options);
  const connect = (): Redis => {
    const connection = server.client({ retryStrategy: () => 50, maxRetriesPerRequest: null });
    connection.on('error', () => {
      // Tests end Redis on purpose, and look at what readers make of it.
    });
    return connection;
  };
  const redis = connect();
  const clients: LockClient[] = [];
  const readers: ConfigReader<Marked>[] = [];
  const client = (connection = connect()): LockClient => {
    const made = createLockClient({ redis: connection, allowInsecure: true, ttlMs: 20_000 });
    clients.push(made);
    return made;
  };
  return {
    server,
    redis,
    client,
    writer: (name, connection = connect()) =>
      createConfigWriter<Marked>({ client: client(connection), redis: connection, name }),
    reader: (name, given = {}) => {
      const reader = createConfigReader<Marked>({ redis: connect(), name, ...given });
      readers.push(reader);
      return reader;
    },
    reset: async () => {
      for (const reader of readers.splice(0)) reader.close();
      await Promise.allSettled(clients.splice(0).map((each) => each.close()));
    },
    stop: async () => await server.stop(),
  };
}
