import type { Redis } from 'ioredis';
import { pause } from '@/test/support/pause';
import type { Plan, Step } from './plan';

/** A step as Redis did it: `at` is epoch ms by Redis's clock, with its fraction. */
export type Played = Omit<Step, 'at'> & { at: number };

const SLICE_MS = 4;
const LEASE_MS = 600_000;

/**
 * One step as Redisson's fair lock writes it, and Redis's own time of it.
 * KEYS: hash, queue, deadlines. ARGV: kind, owner, lease ms, when a wait ends at the latest (epoch ms).
 */
const STEP = `
local kind, owner = ARGV[1], ARGV[2]
if kind == 'take' or kind == 'grant' then
  if kind == 'grant' then
    redis.call('LPOP', KEYS[2])
    redis.call('ZREM', KEYS[3], owner)
  end
  redis.call('HSET', KEYS[1], owner, 1)
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
elseif kind == 'join' then
  redis.call('ZADD', KEYS[3], ARGV[4], owner)
  redis.call('RPUSH', KEYS[2], owner)
elseif kind == 'leave' then
  redis.call('LREM', KEYS[2], 1, owner)
  redis.call('ZREM', KEYS[3], owner)
else
  redis.call('DEL', KEYS[1])
end
local now = redis.call('TIME')
return now[1] .. '.' .. string.format('%06d', now[2])`;

/** Plays the plan in real time and tells what was done when. */
export async function playWorkload(redis: Redis, plan: Plan): Promise<Played[]> {
  // Loading it is no step.
  const digest = String(await redis.script('LOAD', STEP));
  const startedAt = performance.now();
  const played: Played[] = [];
  let next = 0;
  while (next < plan.steps.length) {
    const elapsed = performance.now() - startedAt;
    const due: Step[] = [];
    for (let step = plan.steps[next]; step && step.at <= elapsed; step = plan.steps[++next]) {
      due.push(step);
    }
    if (due.length > 0) played.push(...(await playSlice(redis, digest, due)));
    else await pause(SLICE_MS);
  }
  return played;
}

async function playSlice(redis: Redis, digest: string, due: readonly Step[]): Promise<Played[]> {
  const pipeline = redis.pipeline();
  for (const { kind, lock, owner } of due) {
    const names = [lock, `redisson_lock_queue:{${lock}}`, `redisson_lock_timeout:{${lock}}`];
    pipeline.evalsha(digest, 3, ...names, kind, owner, LEASE_MS, Date.now() + LEASE_MS);
  }
  const answers = (await pipeline.exec()) ?? [];
  return due.map((step, i) => {
    const [error, time] = answers[i] ?? [];
    if (error) throw error;
    return { ...step, at: Number(time) * 1000 };
  });
}
