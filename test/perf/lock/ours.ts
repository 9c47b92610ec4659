import { Redis } from 'ioredis';
import { createLockClient } from '@/lib/lock/index';
import type { Connection, LockTaker } from '@/test/perf/lock/client';

export { Redis };

export function open(connection: Connection): LockTaker {
  const redis = new Redis(connection);
  const client = createLockClient({ redis, ttlMs: 30_000, waitMs: Infinity });
  return {
    acquire: async (name) => await client.acquire(name),
    close: async () => {
      await client.close();
      redis.disconnect();
    },
  };
}
