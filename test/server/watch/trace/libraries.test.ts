import type { Redis } from 'ioredis';
import { Redisson } from 'node-redisson';
import { Mutex, Semaphore } from 'redis-semaphore';
import Redlock from 'redlock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { acquirePy, releasePy } from '@/server/demo/replay/redis-py';
import { startServer, type TestServer } from '@/test/server/queries/server-under-test';
import { until } from '@/test/support/until';
import { clientNamed, tracesOf } from './trace-under-test';

let server: TestServer;
const traces = tracesOf(() => server);
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
afterEach(() => traces.stopAll());

const TRIES = 5;

interface Library {
  key: string;
  /** The lock is taken by somebody before the trace. */
  hold: (client: Redis) => Promise<unknown>;
  /** One attempt by somebody else, which fails. */
  fail: (client: Redis) => Promise<unknown>;
}

const ownClients: LockClient[] = [];

function ownClient(redis: Redis): LockClient {
  const client = createLockClient({ redis, allowInsecure: true });
  ownClients.push(client);
  return client;
}
afterAll(() => Promise.all(ownClients.map((client) => client.close())));

const redlockOf = (client: Redis) => new Redlock([client], { retryCount: 0 });

/** Redisson's RLock: KEYS lock; ARGV lease ms, holder. */
const RLOCK = `if ((redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], ARGV[2]) == 1)) then
redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) return nil end
return redis.call('pttl', KEYS[1])`;

const LIBRARIES: Record<string, Library> = {
  'redlock 5': {
    key: 'lock:redlock',
    hold: (client) => redlockOf(client).acquire(['lock:redlock'], 60_000),
    fail: (client) => expect(redlockOf(client).acquire(['lock:redlock'], 1000)).rejects.toThrow(),
  },
  'redis-semaphore, its mutex': {
    key: 'mutex:m',
    hold: (client) => new Mutex(client, 'm', { lockTimeout: 60_000, refreshInterval: 0 }).acquire(),
    fail: async (client) =>
      expect(await new Mutex(client, 'm', { acquireAttemptsLimit: 1 }).tryAcquire()).toBe(false),
  },
  'redis-semaphore, its semaphore': {
    key: 'semaphore:s',
    hold: (client) =>
      new Semaphore(client, 's', 1, { lockTimeout: 60_000, refreshInterval: 0 }).acquire(),
    fail: async (client) =>
      expect(await new Semaphore(client, 's', 1, { acquireAttemptsLimit: 1 }).tryAcquire()).toBe(
        false,
      ),
  },
  Redisson: {
    key: 'inv:redisson',
    hold: (client) => client.eval(RLOCK, 1, 'inv:redisson', 60_000, `${crypto.randomUUID()}:1`),
    fail: async (client) =>
      expect(
        await client.eval(RLOCK, 1, 'inv:redisson', 1000, `${crypto.randomUUID()}:1`),
      ).toBeGreaterThan(0),
  },
  'redis-py': {
    key: 'lock:py',
    hold: (client) =>
      acquirePy(client, { name: 'lock:py', token: 'a', leaseMs: null, patienceMs: 0 }),
    fail: async (client) => {
      const lock = { name: 'lock:py', token: 'b', leaseMs: null, patienceMs: 0 };
      expect(await acquirePy(client, lock)).toBe(false);
      expect(await releasePy(client, 'lock:py', 'b')).toBe(false);
    },
  },
  'our own client': {
    key: 'qoder:lock:own',
    hold: (client) => ownClient(client).acquire('own'),
    fail: async (client) => expect(await ownClient(client).tryAcquire('own')).toBeNull(),
  },
};

describe.each(Object.entries(LIBRARIES))('%s', (_name, { key, hold, fail }) => {
  it('is seen to fail as often as it fails, and to be held all the while', async () => {
    const holder = await clientNamed(server, 'holder');
    await hold(holder);
    await server.lock(key);
    const id = await traces.start();
    const other = await clientNamed(server, 'other');
    for (let i = 0; i < TRIES; i++) await fail(other);
    const row = await traces.lock(id, key, ({ failed }) => failed >= TRIES);
    expect(row).toMatchObject({ attempts: TRIES, failed: TRIES, clientCount: 1 });
    expect((await server.lock(key)).acquisitions).toBe(1);
  });
});

describe('node-redisson', () => {
  it('is seen to fail, and to wait for the wake-up', async () => {
    const redis = { options: { port: server.redis.port, host: '127.0.0.1' } };
    const [one, other] = [1, 2].map(() => new Redisson({ redis, eventAdapter: 'pubsub' }));
    try {
      await one?.getLock('inv:node').lock(60_000n);
      await server.lock('inv:node');
      const id = await traces.start();
      expect(await other?.getLock('inv:node').tryLock(300n, 1000n)).toBe(false);
      const row = await traces.lock(id, 'inv:node', ({ waiting }) => waiting > 0);
      expect(row.failed).toBeGreaterThan(0);
      expect(row.attempts).toBe(row.failed);
    } finally {
      await Promise.all([one?.quit(), other?.quit()]);
    }
  });
});

describe('python-redis-lock', () => {
  it('is seen to fail and then to block on its signal, and to take it in the end', async () => {
    await server.client.set('lock:pl', 'bMbNV3B3Gw0Zl2ckzYZYnUp6', 'EX', 60, 'NX');
    await server.lock('lock:pl');
    const id = await traces.start();
    const waiter = await clientNamed(server, 'waiter');
    const take = (): Promise<'OK' | null> =>
      waiter.set('lock:pl', 'cMbNV3B3Gw0Zl2ckzYZYnUp6', 'EX', 60, 'NX');
    expect(await take()).toBeNull();
    const woken = waiter.blpop('lock-signal:pl', 30);
    await traces.lock(id, 'lock:pl', ({ waiting }) => waiting === 1);
    await server.client.multi().lpush('lock-signal:pl', 1).del('lock:pl').exec();
    await woken;
    expect(await take()).toBe('OK');
    const row = await until('both attempts', async () =>
      (await traces.get(id)).keys.find(({ key, attempts }) => key === 'lock:pl' && attempts === 2),
    );
    expect(row).toMatchObject({ failed: 1, releases: 1, waiting: 1, evidence: 'observed' });
  });
});
