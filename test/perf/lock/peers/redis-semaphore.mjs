import { Redis } from 'ioredis';
import { Mutex } from 'redis-semaphore';

export { Redis };

export function open(connection) {
  const redis = new Redis(connection);
  return {
    acquire: async (name) => {
      const mutex = new Mutex(redis, name, { lockTimeout: 30_000, acquireTimeout: Infinity });
      await mutex.acquire();
      return { release: async () => await mutex.release() };
    },
    close: () => redis.disconnect(),
  };
}
