import type { Redis } from 'ioredis';
import type { Random } from '@/server/demo/random';

/** Runs a scheduled job under ShedLock: skipped when another node runs it, kept for `atLeastMs`. */
export async function runShedLocked(
  redis: Redis,
  job: {
    name: string;
    host: string;
    random: Random;
    atMostMs: number;
    atLeastMs: number;
    run: () => Promise<void>;
  },
): Promise<void> {
  const key = `job-lock:default:${job.name}`;
  const startedAt = Date.now();
  const value = `ADDED:${new Date(startedAt).toISOString()}@${job.host}:${job.random.uuid()}`;
  if ((await redis.set(key, value, 'PX', job.atMostMs, 'NX')) !== 'OK') return;
  await job.run();
  const restMs = startedAt + job.atLeastMs - Date.now();
  if (restMs > 0) await redis.set(key, value, 'PX', restMs, 'XX');
  else await redis.del(key);
}
