import { Redis } from 'ioredis';
import Redlock from 'redlock4';

export { Redis };

export function open(connection) {
  const redis = new Redis(connection);
  const redlock = new Redlock([redis], { retryCount: -1 });
  return {
    acquire: async (name) => {
      const lock = await redlock.lock(name, 30_000);
      return { release: async () => await lock.unlock() };
    },
    close: () => redis.disconnect(),
  };
}
