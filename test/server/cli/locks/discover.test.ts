import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Discovery } from '@/lib/protocol/libraries';
import { register } from '@/server/cli/discover';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { createTestCli, type TestCli } from './run-cli';

const REDISSON = '5a1b2c3d-0000-4000-8000-123456789abc:31';
let server: TestRedis;
let redis: Redis;
let cli: TestCli;

beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
  cli = await createTestCli(server.url);
});
afterAll(async () => {
  await cli.remove();
  await server.stop();
});

const discover = (...args: string[]) => cli.run([register], 'lock', 'discover', ...args);

describe('lock discover', () => {
  it('says that nothing looks like a lock', async () => {
    await redis.set('lock:known', 'token');
    expect(await discover()).toMatchObject({
      code: 0,
      out: `Nothing that is not watched looks like a lock in db 0.\n1 key seen, 1 of them watched already. Every key was seen.\n`,
    });
  });

  it('lists patterns with library, sureness and number, and shows no value', async () => {
    for (let i = 10; i < 14; i++) await redis.hset(`stock-${i}`, REDISSON, 1);
    const { code, out } = await discover();
    expect(code).toBe(0);
    expect(out).toMatch(/^PATTERN +SURE +KEYS +WAIT +LIBRARY\nstock-\* +certain +4 +0 +redisson/);
    expect(out).not.toContain(REDISSON);
    const found = (await discover('--json', '--max-keys', '1000')).json<Discovery>();
    expect(found).toMatchObject({ state: 'done', dbs: [0], maxKeys: 1000 });
    expect(found.proposals[0]).toMatchObject({ pattern: 'stock-*', keys: 4 });
  });

  it('looks in the db that is named', async () => {
    const other = server.client({ db: 3 });
    await other.hset('billing-77', REDISSON, 1);
    expect((await discover('--db', '3')).out).toMatch(/billing-\*/);
  });

  it('says in a sentence which right it lacks', async () => {
    await redis.call('ACL', 'SETUSER', 'noscan', 'on', '>n', '~*', '&*', '+@all', '-scan');
    const poor = await createTestCli(server.url.replace('//', '//noscan:n@'));
    onTestFinished(poor.remove);
    const { code, err } = await poor.run([register], 'lock', 'discover');
    expect(code).toBe(1);
    expect(err).toMatch(/^lockscope: .*scan.*\n$/);
  });
});
