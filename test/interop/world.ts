import { afterAll, beforeAll } from 'vitest';
import type { Redis } from 'ioredis';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import type { Ecosystem } from '@/test/interop/ecosystem';
import { KeyEvents } from '@/test/interop/key-events';
import { startPeer, type Peer } from '@/test/interop/peer-process';

/** A Redis with a console on it and the real libraries of one ecosystem. Read the parts inside tests. */
export interface InteropWorld {
  ecosystem: Ecosystem;
  redis: TestRedis;
  /** A client on db 0. */
  client: Redis;
  console: TestConsole;
  peer: Peer;
  /** What Redis announced, in all dbs. */
  events: KeyEvents;
  /** `redis_version` of the server. */
  redisVersion: string;
}

/** What the console is told of locks with free names: the suite's own begin so. */
export const OWN_NAMES = 'it:*';

/** Before that a hold is found by looking, which dates it less well. */
async function seesAll(console: TestConsole): Promise<boolean> {
  const nodes = (await console.query('targets')).flatMap((target) => target.nodes);
  return nodes.every(
    ({ connected, canSee, gaps, sweep }) =>
      connected &&
      canSee.acquire === true &&
      sweep.finishedAt !== null &&
      gaps.every(({ to }) => to !== null),
  );
}

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
    await until('the console sees what happens', async () => await seesAll(console));
    const client = redis.client();
    const events = new KeyEvents();
    await events.listen(redis.client());
    const redisVersion = /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? '';
    parts = { redis, client, console, peer, events, redisVersion };
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
    get events() {
      return started().events;
    },
    get redisVersion() {
      return started().redisVersion;
    },
  };
}
