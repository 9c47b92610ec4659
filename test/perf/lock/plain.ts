import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Connection, LockTaker } from '@/test/perf/lock/client';
import { pause } from '@/test/support/pause';

export { Redis };

const LEASE_MS = 30_000;
const LONGEST_PAUSE_MS = 20;
const COMPARE_AND_DELETE = `if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0`;

type ReleaseCommand = (key: string, token: string) => Promise<number>;

/** ioredis adds what `defineCommand` names to the connection, which its types cannot know. */
function releaseCommandOf(redis: Redis): ReleaseCommand {
  redis.defineCommand('compareAndDelete', { lua: COMPARE_AND_DELETE, numberOfKeys: 1 });
  const { compareAndDelete } = redis as unknown as { compareAndDelete: ReleaseCommand };
  return compareAndDelete.bind(redis);
}

/** The limit: what a lock costs that does nothing else. Where it is held it asks again after 1–20 ms. */
export function open(connection: Connection): LockTaker {
  const redis = new Redis(connection);
  const compareAndDelete = releaseCommandOf(redis);
  return {
    acquire: async (name) => {
      const token = randomUUID();
      while ((await redis.set(name, token, 'PX', LEASE_MS, 'NX')) === null) {
        await pause(1 + Math.random() * (LONGEST_PAUSE_MS - 1));
      }
      return { release: async () => await compareAndDelete(name, token) };
    },
    close: () => redis.disconnect(),
  };
}
