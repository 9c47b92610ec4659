import type { RedisConnection } from '../contract.js';
import { fromRedis } from '../from-redis.js';
import {
  configKey,
  configLockKey,
  versionsKey,
  VERSION_FIELDS,
  type ConfigAddress,
} from './config-wire.js';

export interface ConfigStatus {
  key: string;
  /** Null when nothing was ever written. */
  version: number | null;
  /** Epoch ms of that change. */
  at: number | null;
  /** Business id of that change, where it was given. */
  businessId: string | null;
  /** Those that acknowledge and were heard of in time. */
  readers: {
    total: number;
    /** That have the newest version. */
    current: number;
    /** Some of the others, the furthest behind first. */
    behind: { reader: string; version: number }[];
  };
}

/**
 * What is published, and who has it. Costs three counts and one range in Redis however many readers there are;
 * `names` bounds how many that are behind are named (default 20). Throws EMPTY_KEY, REDIS_….
 */
export async function readConfigStatus(
  options: ConfigAddress & { redis: RedisConnection; names?: number },
): Promise<ConfigStatus> {
  const { redis, names = 20 } = options;
  const key = configKey(configLockKey(options));
  try {
    const [version, at, business] = await redis.hmget(
      key,
      ...VERSION_FIELDS.slice(0, 2),
      'business',
    );
    const below = `(${version ?? 0}`;
    const [total, current, behind] = await Promise.all([
      redis.zcard(versionsKey(key)),
      redis.zcount(versionsKey(key), version ?? 0, '+inf'),
      redis.zrangebyscore(versionsKey(key), '-inf', below, 'WITHSCORES', 'LIMIT', 0, names),
    ]);
    return {
      key,
      version: version == null ? null : Number(version),
      at: at == null ? null : Number(at),
      businessId: business || null,
      readers: { total, current, behind: pairs(behind) },
    };
  } catch (error) {
    throw fromRedis(error);
  }
}

function pairs(flat: readonly string[]): { reader: string; version: number }[] {
  return flat.flatMap((reader, i) =>
    i % 2 === 0 ? [{ reader, version: Number(flat[i + 1]) }] : [],
  );
}
