import { Redis } from 'ioredis';
import redlock5 from 'redlock5';

export { Redis };

// Its ESM build has no default export that Node sees; the class is the default of the CommonJS one.
const Redlock = redlock5.default ?? redlock5;

export function open(connection) {
  const redis = new Redis(connection);
  const redlock = new Redlock([redis], { retryCount: -1 });
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
