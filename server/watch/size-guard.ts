import type { Redis } from 'ioredis';
import { keysPerDb, parseInfo } from '@/server/redis/info';
import type { ServerFacts } from './server-facts';

/** A flush makes no event; the number of keys gives it away. */
export interface SizeGuard {
  /** True when so many keys are gone that every held lock should be read at once. */
  check: (redis: Redis, held: number) => Promise<boolean>;
  /** Keys in the watched dbs at the last check. */
  readonly size: number | null;
}

export function createSizeGuard(dbs: readonly number[], facts: ServerFacts): SizeGuard {
  let last: number | null = null;

  const sizeOf = async (redis: Redis): Promise<number | null> => {
    if (dbs.length === 1) return await redis.dbsize();
    if (!facts.capabilities.info) return null;
    const keys = keysPerDb(parseInfo(await redis.info('keyspace')));
    return dbs.reduce((sum, db) => sum + (keys.get(db) ?? 0), 0);
  };

  return {
    check: async (redis, held) => {
      const size = await sizeOf(redis);
      if (size === null) return false;
      const before = last ?? size;
      last = size;
      return size < held || size < before / 2;
    },
    get size() {
      return last;
    },
  };
}
