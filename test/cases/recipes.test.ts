import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

const HOLDER = '11111111-1111-4111-8111-111111111111:11';
const WAITERS = [
  '22222222-2222-4222-8222-222222222222:22',
  '33333333-3333-4333-8333-333333333333:33',
] as const;

/** The `ACL SETUSER` lines of the README, as words: to look, and to release as well. */
function recipes(): string[][] {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  return [...readme.matchAll(/^ +(ACL SETUSER(?:.*\S\n? *)+?)\n\n/gm)].map(
    (match) => match[1]?.trim().split(/\s+/) ?? [],
  );
}

let redis: TestRedis;
let client: Redis;
let observer: TestConsole;

const acl = async (words: readonly string[] | undefined): Promise<void> => {
  const [command = '', ...rest] = words ?? [];
  expect(await client.call(command, ...rest)).toBe('OK');
};

beforeAll(async () => {
  redis = await startRedis({ password: 'of-the-default-user', flags: 'KEAn' });
  client = redis.client();
  const [command = '', ...rest] = recipes()[0] ?? [];
  await client.call(command, ...rest);
  observer = await startConsole({
    redisUrl: `redis://lockscope:secret@127.0.0.1:${redis.port}/0`,
    env: { LOCKSCOPE_WATCH: 'inv:*', LOCKSCOPE_ALLOW_INSECURE_REDIS: '' },
  });
});
afterAll(async () => {
  await observer?.stop();
  await redis?.stop();
});

const release = async (key: string, owner: string): Promise<unknown> => {
  const { hold } = await observer.heldBy(key, owner);
  return await observer.release(key, { version: hold?.version, reason: 'by the recipe' });
};

describe('the recipes of the README', () => {
  it('are two', () => {
    expect(recipes().map((words) => words.slice(0, 3).join(' '))).toEqual([
      'ACL SETUSER lockscope',
      'ACL SETUSER lockscope',
    ]);
  });

  it('for looking: everything is seen, and nothing but releasing is missing', async () => {
    const target = await until('all is seen', async () => {
      const [found] = await observer.query('targets');
      return found?.nodes[0]?.canaryMs != null && found.warnings.length === 0 ? found : undefined;
    });
    expect(target.nodes[0]?.canSee).toEqual({
      acquire: true,
      release: true,
      lapse: true,
      eviction: true,
    });
    expect(target.capabilities).toEqual({
      config: true,
      info: true,
      client: true,
      eval: false,
      pubsub: true,
    });
    expect(target.missingRules.map(({ capability }) => capability)).toEqual(['eval']);
    await client.set('lock:look', 'A', 'PX', 600_000);
    const lock = await observer.heldBy('lock:look', 'A');
    expect(lock).toMatchObject({ canRelease: false });
    const answer = await observer.release('lock:look', {
      version: lock.hold?.version,
      reason: 'not allowed',
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { code: 'CAPABILITY_MISSING', details: { capability: 'eval' } } },
    });
    expect(await client.get('lock:look')).toBe('A');
  });

  it('for looking: the user of it writes to no key but the canary', async () => {
    const user = redis.client({ username: 'lockscope', password: 'secret' });
    await expect(user.set('lock:look', 'B')).rejects.toThrow(/NOPERM/);
    await expect(user.del('lock:look')).rejects.toThrow(/NOPERM/);
  });

  it('for releasing: it is enough to add it while the console runs', async () => {
    await acl(recipes()[1]);
    await until(
      'releasing is possible',
      async () => (await observer.detail('lock:look'))?.canRelease,
    );
    expect(await release('lock:look', 'A')).toMatchObject({ status: 200 });
    expect(await client.exists('lock:look')).toBe(0);
    expect((await observer.query('targets'))[0]?.missingRules).toEqual([]);
  });

  it('for releasing: a Redisson lock wakes its waiters, a fair one its next', async () => {
    const heard: string[] = [];
    const listen = async (channel: string): Promise<void> => {
      const subscriber = redis.client();
      subscriber.on('message', (_, message) => heard.push(`${channel} ${message}`));
      await subscriber.subscribe(channel);
    };
    await listen('redisson_lock__channel:{inv:1}');
    await client.multi().hincrby('inv:1', HOLDER, 1).pexpire('inv:1', 600_000).exec();
    expect(await release('inv:1', HOLDER)).toMatchObject({ body: { wokeWaiters: 1 } });

    const [first, second] = WAITERS;
    await listen(`redisson_lock__channel:{inv:2}:${first}`);
    await client
      .multi()
      .hset('inv:2', HOLDER, 1)
      .pexpire('inv:2', 600_000)
      .rpush('redisson_lock_queue:{inv:2}', 'dead:1', first, second)
      .zadd('redisson_lock_timeout:{inv:2}', Date.now() - 1000, 'dead:1')
      .zadd('redisson_lock_timeout:{inv:2}', Date.now() + 300_000, first)
      .zadd('redisson_lock_timeout:{inv:2}', Date.now() + 600_000, second)
      .exec();
    expect(await release('inv:2', HOLDER)).toMatchObject({ body: { wokeWaiters: 1 } });
    await until('both were told', () => heard.length === 2);
    expect(await client.lrange('redisson_lock_queue:{inv:2}', 0, -1)).toEqual([first, second]);

    const { target, keyB64 } = await until('it is an orphan queue', async () => {
      const found = await observer.detail('inv:2');
      return found?.state === 'orphan-queue' ? found : undefined;
    });
    const path = `/api/v1/locks/${encodeURIComponent(target)}/0/${keyB64}/drop-waiter`;
    const dropped = await observer.request('POST', path, {
      body: { owner: first, reason: 'it is dead' },
    });
    expect(dropped).toMatchObject({ status: 200, body: { outcome: 'dropped' } });
  });

  it('for releasing: a permit of a semaphore is given back', async () => {
    const permit = '0f0f0f0f-0000-4000-8000-000000000001';
    await client.zadd('semaphore:pool', Date.now(), permit);
    await client.pexpire('semaphore:pool', 60_000);
    expect(await release('semaphore:pool', permit)).toMatchObject({ status: 200 });
    expect(await client.exists('semaphore:pool')).toBe(0);
  });
});
