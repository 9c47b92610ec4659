import type { Redis } from 'ioredis';
import { followDeadlockAlerts } from './follow-alerts';
import { randomOf } from './world';
import { startConsole } from '@/test/support/console';
import { pause } from '@/test/support/pause';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const LEASE_MS = 600_000;
const WAIT_MS = 300_000;
/** From one deadlock to the next, at random so that none keeps step with the console's own clockwork. */
const LONGEST_PAUSE_MS = 350;
const FOUND_WITHIN_MS = 20_000;
/** Held locks beside those that are measured, each with a waiter of its own. */
const OTHERS = 1000;

const ownerOf = (number: number, thread: number): string =>
  `${`${number}`.padStart(8, '0')}-1111-4111-8111-111111111111:${thread}`;

/** As Redisson's fair lock takes a lock and joins its queue. */
async function take(client: Redis, key: string, owner: string): Promise<void> {
  await client.hincrby(key, owner, 1);
  await client.pexpire(key, LEASE_MS);
}
async function queue(client: Redis, key: string, owner: string): Promise<void> {
  await client.rpush(`redisson_lock_queue:{${key}}`, owner);
  await client.zadd(`redisson_lock_timeout:{${key}}`, Date.now() + WAIT_MS, owner);
}

export interface Detection {
  /** From the last edge to the alert in a browser's list, one for each that was found. */
  latencies: number[];
  missed: number;
  /** Alerts of deadlocks that nobody made. */
  phantom: number;
}

/** Makes deadlocks one after another in a real Redis that a real console watches, and breaks each once it is told. */
export async function detect(count: number): Promise<Detection> {
  const redis = await startRedis();
  const client = redis.client();
  const console = await startConsole({ redisUrl: redis.url });
  const madeAt = new Map<string, number>();
  const latencies: number[] = [];
  const strange = new Set<string>();
  const told = new Set<string>();
  const follower = await followDeadlockAlerts(console.url, (alerts) => {
    const now = performance.now();
    for (const { id, subject } of alerts) {
      const [name] = subject.label.split(':', 1);
      const at = madeAt.get(name ?? '');
      if (name === undefined || at === undefined) strange.add(id);
      else if (!told.has(name)) {
        told.add(name);
        latencies.push(now - at);
      }
    }
  });
  try {
    for (let i = 0; i < OTHERS; i++) {
      await take(client, `other:${i}`, ownerOf(i, 7));
      await queue(client, `other:${i}`, ownerOf(i, 8));
    }
    const random = randomOf(count);
    for (let i = 0; i < count; i++) {
      const name = `d${i}`;
      const [one, two] = [`${name}:1`, `${name}:2`];
      const [a, b] = [ownerOf(i, 1), ownerOf(i, 2)];
      await take(client, one, a);
      await take(client, two, b);
      await queue(client, two, a);
      await pause(random() * LONGEST_PAUSE_MS);
      madeAt.set(name, performance.now());
      await queue(client, one, b);
      await found(name, told);
      await client.del(one, two, ...[one, two].flatMap(companions));
    }
  } finally {
    follower.close();
    await console.stop();
    await redis.stop();
  }
  return { latencies, missed: count - latencies.length, phantom: strange.size };
}

const companions = (key: string): string[] => [
  `redisson_lock_queue:{${key}}`,
  `redisson_lock_timeout:{${key}}`,
];

async function found(name: string, told: ReadonlySet<string>): Promise<void> {
  try {
    await until('it is told', () => told.has(name), FOUND_WITHIN_MS);
  } catch {
    // It counts as missed.
  }
}
