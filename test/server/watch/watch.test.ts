import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { ownConnections, watchOf, type Watching } from './watch-harness';

let server: TestRedis;
let redis: Redis;
let started: Watching[] = [];

const start = async (
  ...args: Parameters<typeof watchOf> extends [unknown, ...infer R] ? R : never
) => {
  const watching = watchOf(server, ...args);
  started.push(watching);
  await watching.watch.start();
  return watching;
};

beforeEach(async () => {
  server = await startRedis({ flags: 'KEAn' });
  redis = server.client();
});

afterEach(async () => {
  await Promise.all(started.map(({ watch }) => watch.stop()));
  started = [];
  await server.stop();
});

describe('a watch', () => {
  it('sees acquire, value and release of a lock in their order', async () => {
    const { watch, story } = await start();
    // The first sweep would read the lock as well.
    await until('ready', () => watch.ready);
    await redis.set('lock:a', 'token', 'PX', 60_000, 'NX');
    await until('the value is read', () => story('lock:a').includes('=token'));
    await redis.del('lock:a');
    await until('the release is seen', () => story('lock:a').includes('del'));
    expect(story('lock:a')).toEqual(['new', 'set', 'expire', '=token', 'del']);
    expect(watch.status().nodes[0]?.canSee).toEqual({
      acquire: true,
      release: true,
      lapse: true,
      eviction: true,
    });
  });

  it('becomes ready when the first sweep is done, and has then read what was there before', async () => {
    await redis.set('lock:old', 'token', 'PX', 60_000);
    const { watch, reads } = await start();
    await until('ready', () => watch.ready);
    expect(reads('lock:old')[0]).toMatchObject({ cause: 'sweep', value: { bytes: 'token' } });
    expect(watch.status().nodes[0]?.sweep).toMatchObject({ running: false, locks: 1 });
  });

  it('lists each pattern once, although an operator repeats one of a library', () => {
    const { watch } = watchOf(server, { patterns: ['lock:*', 'mine:*'] });
    const patterns = watch.status().watch;
    expect(patterns.filter((pattern) => pattern === 'lock:*')).toHaveLength(1);
    expect(patterns).toContain('mine:*');
  });

  it('leaves no connection behind, and may be stopped twice', async () => {
    const { watch } = await start();
    await watch.commandConnection(0);
    expect((await ownConnections(redis)).length).toBeGreaterThan(0);
    await watch.stop();
    await watch.stop();
    await until('no connection is left', async () => (await ownConnections(redis)).length === 0);
  });

  it('can be started again after a start that failed', async () => {
    const { port } = server;
    await server.stop();
    const watching = watchOf(server);
    started.push(watching);
    await expect(watching.watch.start()).rejects.toMatchObject({ code: 'TARGET_UNAVAILABLE' });
    expect(watching.watch.ready).toBe(false);
    server = await startRedis({ flags: 'KEAn', port });
    await watching.watch.start();
    await until('ready', () => watching.watch.ready);
  });
});
