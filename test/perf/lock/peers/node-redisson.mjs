import { Redis } from 'ioredis';
import { Redisson } from 'node-redisson';

export { Redis };

export function open(connection) {
  const redisson = new Redisson({
    redis: { options: connection },
    lockWatchdogTimeout: 30_000n,
  });
  return {
    acquire: async (name) => {
      const lock = redisson.getLock(name);
      await lock.lock();
      return { release: async () => await lock.unlock() };
    },
    close: async () => await redisson.quit(),
  };
}
