import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Redis } from 'ioredis';
import { register } from '@/server/cli/list';
import type { ListedLocks } from '@/server/cli/locks/list-locks';
import { middleCut } from '@/server/cli/locks/list-text';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { announce, holdOwnLock, instanceId, queueOwnWaiter } from './own-lock';
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

const list = (...args: string[]) => cli.run([register], 'lock', 'list', ...args);
const listed = async (...args: string[]) => (await list('--json', ...args)).json<ListedLocks>();
const keysOf = ({ items }: ListedLocks): string[] => items.map(({ key }) => key);

describe('lock list', () => {
  it('says that nothing is held', async () => {
    expect(await list()).toMatchObject({ code: 0, out: 'No lock is held in db 0.\n' });
  });

  it('says in a sentence which right it lacks', async () => {
    await redis.call('ACL', 'SETUSER', 'noscan', 'on', '>n', '~*', '&*', '+@all', '-scan');
    const poor = await createTestCli(server.url.replace('//', '//noscan:n@'));
    onTestFinished(poor.remove);
    const { code, err } = await poor.run([register], 'lock', 'list');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^lockscope: The Redis user may not do what this command needs: .*scan.*\n$/,
    );
  });

  it('lists locks of every library with holder, lease, depth and fence', async () => {
    await holdOwnLock(redis, 'order_sync:1001', { fence: 12, depth: 2 });
    await redis.set('mutex:cart', '0b0c7a3e-1111-4222-8333-444444444444', 'PX', 6000);
    await redis.set('bystander', 'not a lock');
    const page = await listed();
    expect(keysOf(page).toSorted()).toEqual(['mutex:cart', 'qoder:lock:order_sync:1001']);
    const own = page.items.find(({ key }) => key.startsWith('qoder'));
    expect(own?.hold).toMatchObject({ depth: 2, fence: '12' });
    expect(own?.hold?.owner).toMatchObject({ ip: '10.24.1.7', pid: 4121, liveness: 'seen' });
    const { out } = await list();
    expect(out).toMatch(/qoder:lock:order_sync:1001 +qoder +10\.24\.1\.7/);
    expect(out).toMatch(/mutex:cart +redis-…-mutex/);
  });

  it('keeps within 100 columns, however long the keys are', async () => {
    const long = `order_sync:${'x'.repeat(300)}:tail-4711`;
    await holdOwnLock(redis, long);
    const { out } = await list();
    expect(Math.max(...out.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(100);
    expect(out).toContain('tail-4711');
    await redis.del(`qoder:lock:${long}`);
  });

  it('shows locks that are waited for first', async () => {
    const { key } = await holdOwnLock(redis, 'zz:hot');
    await announce(redis, instanceId(5));
    await queueOwnWaiter(redis, key, `${instanceId(5)}:1`, { listening: server.client() });
    const page = await listed();
    expect(page.items[0]).toMatchObject({ key, waiting: { count: 1 } });
    expect(page.items[0]?.waiting.owners).toMatchObject([{ alive: true }]);
  });

  it('claims to have looked at no more keys than there are', async () => {
    const keys = await redis.dbsize();
    expect((await listed()).scanned).toBeLessThanOrEqual(keys);
    expect((await listed('--all')).scanned).toBeLessThanOrEqual(keys);
  });

  it('finds by pattern what stands behind the prefix, and whole keys', async () => {
    expect(keysOf(await listed('--pattern', 'order_sync:*'))).toEqual([
      'qoder:lock:order_sync:1001',
    ]);
    expect(keysOf(await listed('--pattern', 'mutex:*'))).toEqual(['mutex:cart']);
    expect(keysOf(await listed('--pattern', 'nothing:*'))).toEqual([]);
  });

  it('finds locks with names of their own by their value when asked for all', async () => {
    await redis.hset('myapp-cart-7', REDISSON, 1);
    await redis.pexpire('myapp-cart-7', 30_000);
    expect(keysOf(await listed())).not.toContain('myapp-cart-7');
    expect(keysOf(await listed('--all'))).toContain('myapp-cart-7');
    expect(keysOf(await listed('--pattern', 'myapp-*'))).toEqual(['myapp-cart-7']);
  });

  it('lists the locks of one library', async () => {
    const page = await listed('--format', 'qoder');
    expect(new Set(page.items.map(({ format }) => format))).toEqual(new Set(['qoder']));
  });

  it('shows no more than the limit, and how many there are', async () => {
    const page = await listed('--limit', '1');
    expect(page.items).toHaveLength(1);
    expect(page.total).toBeGreaterThan(1);
    expect((await list('--limit', '1')).out).toMatch(/1 of \d+ locks/);
  });

  it('stops scanning at the given number of keys and says so', async () => {
    const many = Array.from({ length: 5000 }, (_, i) => [`filler:${i}`, '1']).flat();
    await redis.mset(...many);
    const page = await listed('--max-keys', '1000');
    expect(page).toMatchObject({ complete: false });
    expect((await list('--max-keys', '1000')).out).toContain('Not all keys were looked at');
    expect(await listed()).toMatchObject({ complete: true });
  });

  it('never sends KEYS', async () => {
    await redis.config('RESETSTAT');
    await list('--all');
    const stats = await redis.info('commandstats');
    expect(stats).toContain('cmdstat_scan');
    expect(stats).not.toContain('cmdstat_keys');
  });

  it('works for a user who may run no script and count no subscriber', async () => {
    const rules = ['on', '>pw', '~*', '+@read', '+scan', '+ping', '+select', '+hello', '+auth'];
    await redis.call('ACL', ['SETUSER', 'reader', ...rules, '+client|setname', '+info']);
    const reader = await createTestCli(`redis://reader:pw@127.0.0.1:${server.port}/0`);
    const page = (await reader.run([register], 'lock', 'list', '--json')).json<ListedLocks>();
    await reader.remove();
    expect(keysOf(page)).toContain('qoder:lock:order_sync:1001');
    expect(page.waitersCounted).toBe(false);
  });

  it('tells the db of each lock when it looks in several', async () => {
    const other = server.client({ db: 5 });
    await holdOwnLock(other, 'elsewhere:1');
    const all = await createTestCli(server.url, { LOCKSCOPE_DBS: '*' });
    const { out } = await all.run([register], 'lock', 'list', '--pattern', '*:1*');
    await all.remove();
    expect(out).toMatch(/^KEY +DB +FORMAT/);
    expect(out).toMatch(/^qoder:lock:elsewhere:1 +5 /m);
    expect(out).toMatch(/^qoder:lock:order_sync:1001 +0 /m);
  });

  it('ends with 2 for a library that does not exist', async () => {
    expect((await list('--format', 'nonesuch')).code).toBe(2);
  });
});

describe('cutting a key', () => {
  it('keeps both ends', () => {
    expect(middleCut('abcdefghij', 5)).toBe('ab…ij');
    expect(middleCut('abc', 5)).toBe('abc');
  });
});
