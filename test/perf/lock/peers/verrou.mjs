import { Verrou } from '@verrou/core';
import { redisStore } from '@verrou/core/drivers/redis';
import { Redis } from 'ioredis5';

export { Redis };

export function open(connection) {
  const redis = new Redis(connection);
  const verrou = new Verrou({
    default: 'redis',
    stores: { redis: { driver: redisStore({ connection: redis }) } },
  });
  return {
    acquire: async (name) => {
      const lock = verrou.createLock(name, 30_000);
      await lock.acquire();
      return { release: async () => await lock.release() };
    },
    close: () => redis.disconnect(),
  };
}
