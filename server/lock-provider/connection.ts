import { Redis } from 'ioredis';
import { displayAddress, unavailable, withinTimeout } from '@/server/redis/connection-options';
import type { Log } from './contract';

const CONNECT_TIMEOUT_MS = 3_000;
const MAX_RETRY_DELAY_MS = 1_000;

export interface LockConnection {
  redis: Redis;
  close: () => Promise<void>;
}

/**
 * A connection that comes back by itself after it was cut. What it is cut off by is logged once, until it
 * was connected again. Throws TARGET_UNAVAILABLE where the first attempt fails.
 */
export async function connectForLocks(url: string, log: Log): Promise<LockConnection> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectionName: 'lockscope-lock',
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: (times) => Math.min(times * 50, MAX_RETRY_DELAY_MS),
  });
  let logged = true;
  const failed = new Promise<never>((_, reject) => redis.once('error', reject));
  redis.on('error', (error: Error) => {
    if (!logged) log.warn(`REDIS_UNREACHABLE ${displayAddress(url)}: ${error.message}`);
    logged = true;
  });
  redis.on('ready', () => (logged = false));
  try {
    await withinTimeout(Promise.race([redis.connect(), failed]));
  } catch (error) {
    redis.disconnect();
    throw unavailable(url, error);
  }
  return {
    redis,
    close: async () => {
      try {
        await redis.quit();
      } catch {
        // Cut off just now: there is nothing left to say goodbye to.
        redis.disconnect();
      }
    },
  };
}
