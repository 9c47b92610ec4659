import type { Redis } from 'ioredis';
import { keysPerDb, parseInfo } from '@/server/redis/info';
import { isRefusal } from '@/server/redis/redis-error';

/** Db numbers that hold any key, in order; null when this user may not ask (INFO). */
export async function dbsWithKeys(redis: Redis): Promise<number[] | null> {
  try {
    return [...keysPerDb(parseInfo(await redis.info('keyspace'))).keys()].toSorted((a, b) => a - b);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

/** The db numbers to look in, the URL's own first. */
export async function dbsToLookIn(
  redis: Redis,
  settings: { redis: { db: number }; dbs: readonly number[] | 'all' },
): Promise<number[]> {
  const own = settings.redis.db;
  const wanted = settings.dbs === 'all' ? ((await dbsWithKeys(redis)) ?? []) : settings.dbs;
  return settings.dbs === 'all' || settings.dbs.includes(own)
    ? [own, ...wanted.filter((db) => db !== own)]
    : [...wanted];
}
