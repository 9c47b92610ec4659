import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf, type Watching } from './watch-harness';

let server: TestRedis;
let redis: Redis;
let started: Watching[] = [];

beforeEach(async () => {
  started = [];
  server = await startRedis();
  redis = server.client();
});
afterEach(async () => {
  await Promise.all(started.map((each) => each.watch.stop()));
  await server.stop();
});

async function watch(overrides: Parameters<typeof watchOf>[1] = {}): Promise<Watching> {
  const watching = watchOf(server, overrides);
  started.push(watching);
  await watching.watch.start();
  return watching;
}

const mismatch = (watching: Watching): string | undefined =>
  watching.watch.status().warnings.find(({ code }) => code === 'db-mismatch')?.message;

const warned = (watching: Watching, message: string) =>
  until(message, () => mismatch(watching) === message);

/** How many steps of SCAN this Redis has run. */
async function scans(): Promise<number> {
  const stats = await redis.info('commandstats');
  return Number(/cmdstat_scan:calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

describe('a db that is not watched', () => {
  it('is warned of once it has a lock, and no more when the lock is gone', async () => {
    const other = server.client({ db: 5 });
    await other.set('page:1', 'a cached page');
    await other.set('lock:db5', 't');
    const watching = await watch();
    await warned(watching, 'db 5 has keys and is not watched (locks by their names: lock:db5)');
    await other.del('lock:db5');
    await until('it is over', () => mismatch(watching) === undefined);
    expect(watching.watch.status().unwatchedDbs).toEqual([5]);
    await redis.set('lock:here', 't', 'PX', 60_000);
    await until('the watched one is still seen', () => watching.story('lock:here').includes('=t'));
  });

  it('is none of our business where all of it is a cache', async () => {
    const cache = server.client({ db: 1 });
    for (let i = 0; i < 5_000; i++) await cache.set(`page:${i}`, 'x');
    const jobs = server.client({ db: 2 });
    await jobs.set('job:nightly', 't');
    const watching = await watch({ patterns: ['job:*'] });
    await warned(watching, 'db 2 has keys and is not watched (locks by their names: job:nightly)');
    // Five steps and one; the seventh is a second look at the small one.
    await until('all of it was seen', async () => (await scans()) >= 7);
    expect(mismatch(watching)).toContain('db 2 has');
    expect(watching.watch.status().unwatchedDbs).toEqual([1, 2]);
  });

  it('is warned of where nobody may look into it', async () => {
    await server.client({ db: 3 }).set('page:1', 'x');
    await redis.acl('SETUSER', 'blindfolded', 'on', '>pw', 'allchannels', '~*', '+@all', '-scan');
    await redis.acl('SETUSER', 'blindfolded', '-select');
    const watching = await watch({ url: server.url.replace('//', '//blindfolded:pw@') });
    await warned(watching, 'db 3 has keys and is not watched');
  });
});
