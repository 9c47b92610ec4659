import { afterAll, beforeAll } from 'vitest';
import type { Redis } from 'ioredis';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

export interface Watched {
  redis: TestRedis;
  /** A client on db 0. */
  client: Redis;
  console: TestConsole;
}

/** A Redis and a console on it for all tests of a file (or describe block). Read the parts inside tests. */
export function watchedRedis(
  options: { redis?: Parameters<typeof startRedis>[0]; env?: Record<string, string> } = {},
): Watched {
  let parts: Watched | undefined;
  beforeAll(async () => {
    const redis = await startRedis(options.redis);
    try {
      const console = await startConsole({ redisUrl: redis.url, env: options.env ?? {} });
      parts = { redis, client: redis.client(), console };
    } catch (error) {
      await redis.stop();
      throw error;
    }
  });
  afterAll(async () => {
    await parts?.console.stop();
    await parts?.redis.stop();
  });
  const started = (): Watched => {
    if (!parts) throw new Error('read the parts inside a test: nothing is started yet');
    return parts;
  };
  return {
    get redis() {
      return started().redis;
    },
    get client() {
      return started().client;
    },
    get console() {
      return started().console;
    },
  };
}
