import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromRedis } from '@/lib/lock/from-redis';
import {
  createConfigReader,
  createConfigWriter,
  readConfigStatus,
} from '@/lib/lock/hot-config/index';
import {
  createLockClient,
  type Lockable,
  type LockClient,
  type LockClientOptions,
} from '@/lib/lock/index';
import { aclRule } from '@/lib/lock/acl';
import { adviceKey, keyOf, limitKey, reportsKey } from '@/lib/lock/names';
import { createStock } from '@/lib/lock/stock/index';
import { createTaskRunner } from '@/lib/lock/task-runner/index';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { ROOT } from '@/test/support/source-tree';
import { until } from '@/test/support/until';

const PREFIX = 'qoder:lock:';
/** As the README of the lock client has them. */
const KEYS = [
  '<key>',
  '<tag>:owner:rwlock_timeout:1',
  'redisson_lock_queue:<tag>',
  'redisson_lock_timeout:<tag>',
  'redisson_lock_token:<tag>',
  'lockscope:wishes:<tag>',
  'lockscope:task:state:<tag>',
  'lockscope:task:queue:<tag>',
  'lockscope:task:run:<tag>:1',
  'lockscope:config:<tag>',
  'lockscope:config:<tag>:versions',
];
const CHANNELS = [
  'redisson_lock__channel:<tag>',
  'redisson_rwlock:<tag>',
  'redisson_sc:<tag>',
  'lockscope:task:channel:<tag>',
  'lockscope:config:<tag>',
];
const CALL = /\bp?call\('([A-Z]+)'(?:, '(NUMSUB)')?/g;
const BAD_OPTIONS = expect.objectContaining({ code: 'BAD_OPTIONS' });

const everyKind: ((client: LockClient) => Lockable)[] = [
  (client) => client.mutex('a:1'),
  (client) => client.mutex('{b}'),
  (client) => client.semaphore('s', 1),
  (client) => client.readWrite('rw').write,
  (client) => client.multi(['m:1', 'm:2']),
];

/** Sets the rule up as an operator would, word by word. */
async function apply(admin: Redis, rule: string): Promise<void> {
  const [command = '', ...words] = rule.split(' ');
  await admin.call(command, ...words);
}

describe('the ACL rule of a namespace', () => {
  let server: TestRedis;
  let admin: Redis;
  beforeAll(async () => {
    server = await startRedis({ password: 'administrator' });
    admin = server.client();
  });
  afterAll(async () => {
    await server.stop();
  });

  const login = async (user: string, options: Parameters<typeof aclRule>[0]): Promise<Redis> => {
    await apply(admin, aclRule({ ...options, user, password: 'secret' }));
    return server.client({ username: user, password: 'secret' });
  };
  const mayWrite = async (user: Redis, key: string): Promise<boolean> => {
    try {
      await user.eval("redis.call('PTTL', KEYS[1]) return 1", 1, key);
      await user.pexpire(key, 1000);
      return true;
    } catch (error) {
      expect(String(error)).toContain('NOPERM');
      return false;
    }
  };
  const mayPublish = async (user: Redis, channel: string): Promise<boolean> => {
    try {
      await user.publish(channel, '0');
      return true;
    } catch (error) {
      expect(String(error)).toContain('NOPERM');
      return false;
    }
  };
  const around = (namespace: string, kinds: string[]): string[] =>
    ['a', '{b}', 'a:{b}:c'].flatMap((name) => {
      const key = keyOf(PREFIX, namespace, name);
      const tag = key.includes('{') ? key : `{${key}}`;
      return kinds.map((kind) => kind.replace('<tag>', tag).replace('<key>', key));
    });
  const keysOf = (namespace: string): string[] => [
    ...around(namespace, KEYS),
    reportsKey(namespace),
    adviceKey(namespace),
    limitKey(namespace),
  ];

  it('opens every key and channel of its own locks', async () => {
    const user = await login('own', { user: '', namespace: 'pay' });
    for (const key of [...keysOf('pay'), 'lockscope:instance:1']) {
      expect([key, await mayWrite(user, key)]).toEqual([key, true]);
    }
    for (const channel of around('pay', CHANNELS)) {
      expect([channel, await mayPublish(user, channel)]).toEqual([channel, true]);
      expect(await mayPublish(user, `${channel}:owner`)).toBe(true);
    }
    expect(await mayPublish(user, 'lockscope:inbox:1')).toBe(true);
  });

  it.each(['', 'ship', 'pay2', 'PAY', 'pa'])('keeps the namespace %o shut', async (other) => {
    const user = await login('shut', { user: '', namespace: 'pay' });
    for (const key of [...keysOf(other), 'data']) {
      expect([key, await mayWrite(user, key)]).toEqual([key, false]);
    }
    for (const channel of around(other, CHANNELS)) {
      expect([channel, await mayPublish(user, channel)]).toEqual([channel, false]);
    }
  });

  it('gives no way to find the names of others', async () => {
    const user = await login('blind', { user: '', namespace: 'pay' });
    const asked = [
      ['keys', '*'],
      ['scan', '0'],
      ['randomkey'],
      ['dbsize'],
      ['psubscribe', 'lockscope:inbox:*'],
      ['pubsub', 'channels'],
      ['client', 'list'],
      ['monitor'],
      ['config', 'get', '*'],
      ['acl', 'list'],
      ['flushdb'],
    ];
    for (const [command = '', ...words] of asked) {
      await expect(user.call(command, ...words)).rejects.toThrow(/NOPERM/);
    }
  });

  it('lets a script of the user touch nothing that the user may not', async () => {
    const user = await login('script', { user: '', namespace: 'pay' });
    await admin.set('other', '1');
    await expect(user.eval("return redis.call('DEL', 'other')", 0)).rejects.toThrow(
      /can't access at least one of the keys|No permissions to access a key/,
    );
    expect(await admin.get('other')).toBe('1');
  });

  it('is said to be what a denial lacks, also when it comes from within a script', async () => {
    await apply(admin, aclRule({ user: 'wrong', password: 'secret', namespace: 'pay' }));
    const redis = server.client({ username: 'wrong', password: 'secret' });
    const client = createLockClient({ redis, namespace: 'ship' });
    await expect(client.acquire('a')).rejects.toMatchObject({ code: 'REDIS_FORBIDS' });
    await client.close();
    const denied = await redis.eval("return redis.call('DEL', 'other')", 0).catch(fromRedis);
    expect(denied).toMatchObject({ code: 'REDIS_FORBIDS' });
  });

  it('takes a prefix with signs of patterns literally', async () => {
    const user = await login('glob', { user: '', prefix: 'a*[x]?:', namespace: 'pay' });
    expect(await mayWrite(user, 'a*[x]?:pay:1')).toBe(true);
    expect(await mayWrite(user, 'abx1:pay:1')).toBe(false);
    expect(await mayWrite(user, 'a**[x]?:pay:1')).toBe(false);
  });

  it('takes rights away that the user had before, and keeps the password where none is given', async () => {
    await admin.call('ACL', 'SETUSER', 'before', 'on', '>old', '~*', '&*', '+@all');
    await apply(admin, aclRule({ user: 'before', namespace: 'pay' }));
    const user = server.client({ username: 'before', password: 'old' });
    expect(await mayWrite(user, 'data')).toBe(false);
    expect(await mayWrite(user, `${PREFIX}pay:a`)).toBe(true);
    expect(await mayPublish(user, 'news')).toBe(false);
  });

  it('never shows the password', () => {
    const rule = aclRule({ user: 'a', password: 'aBc$9xY!2', namespace: 'pay' });
    expect(rule).not.toContain('aBc$9xY!2');
    expect(rule).toMatch(/ #[0-9a-f]{64} /);
  });

  it.each([
    { user: '' },
    { user: 'a b' },
    { user: 'a', password: '' },
    { user: 'a', prefix: '' },
    { user: 'a', prefix: 'my locks:' },
    { user: 'a', alsoUnder: [''] },
    { user: 'a', namespace: 'pay:eu' },
    { user: 'a', namespace: 'pay*' },
    { user: 'a', namespace: 'n'.repeat(65) },
    { user: 'a', namespace: ' ' },
  ])('refuses %o', (options) => {
    expect(() => aclRule(options)).toThrow(BAD_OPTIONS);
  });

  it('is all that the client needs, whatever it is asked to do', async () => {
    await apply(admin, aclRule({ user: 'works', password: 'secret', namespace: 'pay' }));
    const redis = server.client({ username: 'works', password: 'secret', disableClientInfo: true });
    await admin.call('ACL', 'LOG', 'RESET');
    await admin.hset(adviceKey('pay'), { 'a:*': 5000 });
    const options: LockClientOptions = {
      redis,
      namespace: 'pay',
      reports: 'all',
      ttlMs: 1_500,
      adaptiveLease: { minMs: 300, maxMs: 1_500 },
      limits: { attemptsPerSecond: 1000, namespaceAttemptsPerSecond: 1000 },
    };
    const clients = [createLockClient(options), createLockClient(options)];
    for (const take of everyKind) {
      const inside = { now: 0, most: 0 };
      const work = async (): Promise<void> => {
        inside.most = Math.max(inside.most, ++inside.now);
        await pause(600);
        inside.now -= 1;
      };
      await Promise.all(clients.map((client) => take(client).using({ waitMs: 60_000 }, work)));
      expect(inside.most).toBe(1);
    }
    const [first] = clients;
    const reader = createConfigReader({
      redis,
      namespace: 'pay',
      name: 'rates',
      acknowledge: { as: 'a', withinMs: 10 },
    });
    const writer = first && createConfigWriter({ client: first, redis, name: 'rates' });
    const written = await writer?.replace({ rate: 1 });
    expect(await reader.waitFor(written?.version ?? 0)).toEqual(written);
    const status = () => readConfigStatus({ redis, namespace: 'pay', name: 'rates' });
    await until('it is acknowledged', async () => (await status()).readers.total === 1);
    reader.close();
    for (const client of clients) await client.close();
    expect(await admin.xlen(reportsKey('pay'))).toBeGreaterThan(10);
    // Each entry is one denial, with what was denied as its `object`.
    const denied = await admin.call('ACL', 'LOG');
    expect(denied).toEqual([]);
  });

  it('is all that tasks and stocks need', async () => {
    const prefix = 'stock:pay:';
    const rule = { user: 'builds', password: 'secret', namespace: 'pay', alsoUnder: [prefix] };
    await apply(admin, aclRule(rule));
    const redis = server.client({
      username: 'builds',
      password: 'secret',
      disableClientInfo: true,
    });
    await admin.call('ACL', 'LOG', 'RESET');
    const client = createLockClient({ redis, namespace: 'pay' });
    const stock = createStock({ client, redis, name: 'sku', prefix });
    await stock.setUp(3);
    await stock.deduct(2, { orderId: 'a' });
    await stock.giveBack('a');
    const done: string[] = [];
    const tasks = { sync: { run: async () => void done.push('sync') } };
    const runner = createTaskRunner({ client, redis, tasks });
    await runner.start();
    await runner.trigger('sync');
    await until('the task ran', () => done.length === 1);
    await runner.close();
    await client.close();
    expect(await admin.call('ACL', 'LOG')).toEqual([]);
  });

  it('of a reader of configurations, as its README has it, lets it read and nothing else', async () => {
    const readme = readFileSync(join(ROOT, 'lib/lock/hot-config/README.md'), 'utf8');
    await apply(admin, /ACL SETUSER .*/.exec(readme)?.[0] ?? '');
    const options = { username: 'rates', password: 'secret', disableClientInfo: true };
    const redis = server.client(options);
    await admin.call('ACL', 'LOG', 'RESET');
    const reader = createConfigReader({ redis, name: 'rates' });
    await reader.ready();
    const client = createLockClient({ redis: server.client() });
    const written = await createConfigWriter({ client, redis: admin, name: 'rates' }).replace(1);
    expect(await reader.waitFor(written.version)).toEqual(written);
    reader.close();
    await client.close();
    expect(await admin.call('ACL', 'LOG')).toEqual([]);
    expect(await mayWrite(redis, reader.key)).toBe(false);
    await expect(redis.hset(reader.key, 'version', 1)).rejects.toThrow(/NOPERM/);
    await expect(redis.hget(`${PREFIX}a`, 'b')).rejects.toThrow(/NOPERM/);
  });

  it('has every command that a script of the client calls', () => {
    const folders = ['scripts', 'hot-config', 'task-runner', 'stock'].map((folder) =>
      join(ROOT, 'lib/lock', folder),
    );
    const files = folders.flatMap((folder) =>
      readdirSync(folder).map((file) => join(folder, file)),
    );
    const called = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(CALL)])
      .map(([, command, verb]) => (verb ? `${command}|${verb}` : `${command}`).toLowerCase());
    expect(called.length).toBeGreaterThan(10);
    const granted = aclRule({ user: 'a' }).split(' ');
    expect(called.filter((command) => !granted.includes(`+${command}`))).toEqual([]);
  });
});
