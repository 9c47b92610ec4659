import { Redis } from 'ioredis';
import { IoredisAdapter, createLock } from 'redlock-universal';

export { Redis };

export function open(connection) {
  const redis = new Redis(connection);
  const adapter = IoredisAdapter.from(redis);
  return {
    acquire: async (name) => {
      const retryAttempts = Number.MAX_SAFE_INTEGER;
      const lock = createLock({ adapter, key: name, ttl: 30_000, retryAttempts });
      const handle = await lock.acquire();
      return { release: async () => await lock.release(handle) };
    },
    close: () => redis.disconnect(),
  };
}
