import sesamecare from '@sesamecare-oss/redlock';
import { Redis } from 'ioredis';

export { Redis };

export function open(connection) {
  const redis = new Redis(connection);
  const redlock = new sesamecare.Redlock([redis], { retryCount: -1 });
  // It says with an event each time that a lock is held, and an unheard 'error' would end the process.
  redlock.on('error', () => undefined);
  return {
    acquire: async (name) => {
      const lock = await redlock.acquire([name], 30_000);
      return { release: async () => await lock.release() };
    },
    close: () => redis.disconnect(),
  };
}
