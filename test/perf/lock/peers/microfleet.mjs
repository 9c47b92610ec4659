import { createLock } from '@microfleet/ioredis-lock';
import { Redis } from 'ioredis5';

export { Redis };

export function open(connection) {
  const redis = new Redis(connection);
  return {
    acquire: async (name) => {
      const lock = createLock(redis, { timeout: 30_000, retries: Infinity });
      await lock.acquire(name);
      return { release: async () => await lock.release() };
    },
    close: () => redis.disconnect(),
  };
}
