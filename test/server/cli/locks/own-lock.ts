import type { Redis } from 'ioredis';

/** A lock as a client of ours leaves it in Redis: lib/lock/README.md, "On the wire". */
export interface OwnLock {
  key: string;
  instance: string;
  task: string;
  owner: string;
}

export const instanceId = (n: number): string =>
  `${n.toString(16).padStart(8, '0')}-1111-8222-9333-444444444444`;

export async function holdOwnLock(
  redis: Redis,
  name: string,
  options: {
    instance?: string;
    leaseMs?: number;
    depth?: number;
    fence?: number;
    businessId?: string;
    since?: number;
    /** False = the process has died. */
    isAlive?: boolean;
  } = {},
): Promise<OwnLock> {
  const instance = options.instance ?? instanceId(1);
  const owner = `${instance}:7`;
  const key = `qoder:lock:${name}`;
  const since = options.since ?? Date.now();
  await redis.hset(key, owner, options.depth ?? 1, 'since', since);
  if (options.businessId) await redis.hset(key, 'business', options.businessId);
  await redis.pexpire(key, options.leaseMs ?? 60_000);
  await redis.set(`redisson_lock_token:{${key}}`, options.fence ?? 1);
  if (options.isAlive !== false) await announce(redis, instance);
  return { key, instance, task: '7', owner };
}

export async function announce(redis: Redis, instance: string, ip = '10.24.1.7'): Promise<void> {
  const key = `lockscope:instance:${instance}`;
  const facts = { host: 'worker-3', ip, pid: 4121, app: 'log-analyser', startedAt: Date.now() };
  await redis.hset(key, facts);
  await redis.pexpire(key, 30_000);
}

/** A waiter whose client listens to its inbox, or one that stands there although nobody listens. */
export async function queueOwnWaiter(
  redis: Redis,
  key: string,
  owner: string,
  {
    listening,
    wish,
    countsForMs = 30_000,
  }: { listening?: Redis; wish?: string; countsForMs?: number } = {},
): Promise<void> {
  await listening?.subscribe(`lockscope:inbox:${owner.split(':')[0]}`);
  if (wish) await redis.hset(`lockscope:wishes:{${key}}`, owner, wish);
  await redis.zadd(`redisson_lock_timeout:{${key}}`, Date.now() + countsForMs, owner);
  await redis.rpush(`redisson_lock_queue:{${key}}`, owner);
}
