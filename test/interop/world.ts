import { afterAll, beforeAll } from 'vitest';
import type { Redis } from 'ioredis';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import type { Ecosystem } from '@/test/interop/ecosystem';
import { startPeer, type Peer } from '@/test/interop/peer-process';

/** A Redis with a console on it and the real libraries of one ecosystem. Read the parts inside tests. */
export interface InteropWorld {
  ecosystem: Ecosystem;
  redis: TestRedis;
  /** A client on db 0. */
  client: Redis;
  console: TestConsole;
  peer: Peer;
}

/** What the console is told of locks with free names: the suite's own begin so. */
export const OWN_NAMES = 'it:*';

/** One world for all tests of a file. `watch` = more patterns of lock names, `env` = more settings. */
export function interopWorld(
  ecosystem: Ecosystem,
  options: { watch?: readonly string[]; env?: Record<string, string> } = {},
): InteropWorld {
  let parts: Omit<InteropWorld, 'ecosystem'> | undefined;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const redis = await startRedis();
    stops.push(redis.stop);
    const watch = [OWN_NAMES, ...(options.watch ?? [])].join(',');
    const env = { LOCKSCOPE_WATCH: watch, ...options.env };
    const [console, peer] = await Promise.all([
      startConsole({ redisUrl: redis.url, env }),
      startPeer(ecosystem, redis.port),
    ]);
    stops.push(console.stop, peer.stop);
    parts = { redis, client: redis.client(), console, peer };
  }, 120_000);
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });
  const started = (): Omit<InteropWorld, 'ecosystem'> => {
    if (!parts) throw new Error('read the parts inside a test: nothing is started yet');
    return parts;
  };
  return {
    ecosystem,
    get redis() {
      return started().redis;
    },
    get client() {
      return started().client;
    },
    get console() {
      return started().console;
    },
    get peer() {
      return started().peer;
    },
  };
}
