import type { RedisOptions } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient, type Lock, type LockClient } from '@/lib/lock/index';
import { BEAT_MS } from '@/lib/lock/scripts/shared';
import {
  createLockWorld,
  queueKey,
  rejection,
  timeoutsKey,
  type LockWorld,
} from '@/test/support/lock-fleet/lock-world';
import { pause } from '@/test/support/pause';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

let world: LockWorld;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  world = await createLockWorld();
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  await world.reset();
});
afterAll(async () => {
  await world.stop();
});

/** A client on a connection with these options. */
async function clientWith(options: RedisOptions): Promise<LockClient> {
  const redis = world.redis.client(options);
  redis.on('error', () => {
    // What is cut on purpose is told of by the locks.
  });
  await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
  const client = createLockClient({ redis, allowInsecure: true });
  ends.push(
    () => redis.disconnect(),
    async () => await client.close(),
  );
  return client;
}

/** A client that is connected, so that what it asks for goes out at once. */
async function openClient(options: Parameters<LockWorld['client']>[0] = {}): Promise<LockClient> {
  const client = world.client(options);
  await client.using(world.freshName(), () => {});
  return client;
}

const silence = async (ms: number): Promise<unknown> =>
  await world.admin.call('CLIENT', 'PAUSE', `${ms}`, 'ALL');

describe('a Redis that answers late', () => {
  it('does not cost a lock that was entered again meanwhile, and is renewed since', async () => {
    const client = world.client({ ttlMs: 4_000 });
    await client.using(world.freshName(), async (lock) => {
      await silence(2_000);
      await (await client.acquire(lock.name)).release();
      await pause(4_000);
      expect(lock.isHeld).toBe(true);
    });
  });

  it('gives no lock whose lease has ended by then: it is taken anew', async () => {
    const client = await openClient({ ttlMs: 1_500 });
    await silence(2_500);
    const lock = await client.acquire(world.freshName());
    expect(lock.isHeld).toBe(true);
    expect(lock.remainingMs).toBeGreaterThan(0);
    await lock.release();
  });

  it('gives none to an attempt that does not wait, and keeps none', async () => {
    const client = await openClient();
    const name = world.freshName();
    await silence(2_000);
    const error = await rejection(client.tryAcquire(name, { ttlMs: 200 }));
    expect(error).toMatchObject({ code: 'REDIS_UNREACHABLE' });
    await until('it is free', async () => (await world.admin.exists(client.keyOf(name))) === 0);
  });

  it('is not sent one beat after another by who waits', async () => {
    const client = await openClient();
    const holder = await world.client().acquire(world.freshName());
    const waiting = client.acquire(holder.name);
    await world.untilQueued(holder.key, 1);
    const before = await evaluations();
    await silence(5_000);
    const startedAt = performance.now();
    // At its end Redis does what was sent in it, the first question first.
    await evaluations();
    const sent = (await evaluations()) - before;
    const beatsAfter = Math.ceil(Math.max(0, performance.now() - startedAt - 5_000) / BEAT_MS);
    expect(sent).toBeLessThanOrEqual(2 + beatsAfter);
    await holder.release();
    await (await waiting).release();
  });

  it('is given up by the timeout of the connection: nothing stays behind', async () => {
    const client = await clientWith({ commandTimeout: 1_000 });
    const name = world.freshName();
    await client.using(world.freshName(), () => {});
    await silence(3_000);
    const error = await rejection(client.acquire(name));
    expect(error).toMatchObject({ code: 'REDIS_UNREACHABLE' });
    await until('it is free', async () => (await world.admin.exists(client.keyOf(name))) === 0);
  });

  it('ends no wait by the timeout of the connection', async () => {
    const client = await clientWith({ commandTimeout: 1_000 });
    const holder = await world.client().acquire(world.freshName());
    const waiting = client.acquire(holder.name);
    await world.untilQueued(holder.key, 1);
    await silence(3_000);
    await holder.release();
    await (await waiting).release();
  });
});

async function evaluations(): Promise<number> {
  const stats = await world.admin.info('commandstats');
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1]);
}

describe('a Redis that takes no writes for a while', () => {
  it('ends neither waits nor holds', async () => {
    const master = await startRedis();
    ends.push(async () => await master.stop());
    const holder = await world.client().acquire(world.freshName(), { ttlMs: 12_000 });
    const waiting = world.client().acquire(holder.name, { waitMs: 60_000 });
    await world.untilQueued(holder.key, 1);
    await world.admin.replicaof('127.0.0.1', master.port);
    // Its master has no locks, and is not to be followed so far.
    await world.admin.call('REPLICAOF', '127.0.0.1', '1');
    // The holder's renewal falls into it.
    await pause(4_500);
    await world.admin.call('REPLICAOF', 'NO', 'ONE');
    await holder.release();
    await (await waiting).release();
  });
});

describe('a script that Redis forgot', () => {
  it('leaves no waiter behind that gave up while it was sent again', async () => {
    const [client, other] = [await openClient(), await openClient()];
    const holder = await world.client().acquire(world.freshName());
    for (let round = 0; round < 20; round++) {
      const controller = new AbortController();
      await world.admin.script('FLUSH');
      const attempt = rejection(client.acquire(holder.name, { signal: controller.signal }));
      await Promise.resolve();
      await Promise.all([other.tryAcquire(world.freshName()), new Promise(setImmediate)]);
      controller.abort();
      expect(await attempt).toMatchObject({ code: 'ABORTED' });
    }
    await until('nobody waits', async () => (await world.queueOf(holder.key)).length === 0);
    await holder.release();
  });
});

describe('an attempt that the namespace is asked about', () => {
  const limited = async (): Promise<LockClient> => {
    const client = await openClient({ limits: { namespaceAttemptsPerSecond: 100 } });
    // What was reserved in advance is forfeited by then.
    await pause(250);
    return client;
  };

  it('is ended by its signal', async () => {
    const client = await limited();
    const holder = await world.client().acquire(world.freshName());
    const controller = new AbortController();
    const attempt = rejection(client.acquire(holder.name, { signal: controller.signal }));
    await Promise.resolve();
    controller.abort();
    expect(await attempt).toMatchObject({ code: 'ABORTED' });
    await holder.release();
  });

  it('takes nothing when the client is closed meanwhile', async () => {
    const client = await limited();
    const name = world.freshName();
    const attempt = rejection(client.acquire(name));
    await Promise.resolve();
    await client.close();
    expect(await attempt).toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(await world.admin.exists(client.keyOf(name))).toBe(0);
  });
});

describe('a connection', () => {
  it.each<[string, RedisOptions]>([
    ['that keeps no commands while it is away', { enableOfflineQueue: false }],
    ['that gives numbers as text', { stringNumbers: true }],
    ['that speaks RESP3', { protocol: 3 }],
    ['that collects commands', { enableAutoPipelining: true }],
    ['that tries once', { maxRetriesPerRequest: 0 }],
    ['that tries for ever', { maxRetriesPerRequest: null }],
  ])('%s does', async (_what, options) => {
    const client = await clientWith(options);
    const other = world.client();
    const lock = await client.acquire(world.freshName());
    const next = other.acquire(lock.name);
    await world.untilQueued(lock.key, 1);
    await lock.release();
    const waiting = client.acquire(lock.name);
    await world.untilQueued(lock.key, 1);
    await (await next).release();
    await (await waiting).release();
    const name = world.freshName();
    await world.admin.set(client.keyOf(name), 'no lock');
    expect(await rejection(client.acquire(name))).toMatchObject({ code: 'WRONG_TYPE' });
  });
});

describe('a user', () => {
  const userWith = async (...rules: string[]): Promise<LockClient> => {
    await world.admin.call('ACL', 'SETUSER', 'weak', 'reset', 'on', '>weak', '+@all', ...rules);
    return await clientWith({ username: 'weak', password: 'weak' });
  };

  it('who may not count fences leaves no lock behind', async () => {
    const around = ['~qoder:lock:*', '~lockscope:*', '~redisson_lock_queue:*'];
    const client = await userWith(...around, '~redisson_lock_timeout:*', 'allchannels');
    const name = world.freshName();
    expect(await rejection(client.acquire(name))).toMatchObject({ code: 'REDIS_FORBIDS' });
    expect(await world.admin.exists(client.keyOf(name))).toBe(0);
  });

  it('who may not set an end to a key leaves no lock without one', async () => {
    const client = await userWith('allkeys', 'allchannels', '-pexpire');
    const name = world.freshName();
    expect(await rejection(client.acquire(name))).toMatchObject({ code: 'REDIS_FORBIDS' });
    await until('it is free', async () => (await world.admin.exists(client.keyOf(name))) === 0);
  });

  it('who may not announce a release is told so, and not that the lock was taken away', async () => {
    const client = await userWith('allkeys', 'resetchannels', '&lockscope:inbox:*');
    const lock = await client.acquire(world.freshName());
    expect(await rejection(lock.release())).toMatchObject({ code: 'REDIS_FORBIDS' });
  });
});

describe('a fencing counter', () => {
  it.each(['no number', '9e300', '99999999999999999999', '', '-5', '9007199254740993'])(
    'that was set to %j is begun anew',
    async (value) => {
      const client = world.client();
      const name = world.freshName();
      await world.admin.set(`redisson_lock_token:{${client.keyOf(name)}}`, value);
      const first = await client.using(name, (lock) => lock.fence);
      expect(first).toBeGreaterThan(1_700_000_000_000_000);
      expect(await client.using(name, (lock) => lock.fence)).toBeGreaterThan(first);
    },
  );
});

describe('the line of a log that tells of a wait', () => {
  it('is one line, whatever the lock and its holder are called', async () => {
    const lines: string[] = [];
    const log = { info: (line: string) => lines.push(line), warn: () => {} };
    const client = world.client({ log });
    const name = `order\u001b[2J\nWAITING_FOR_LOCK key=forged`;
    await world.admin.hset(client.keyOf(name), 'some\r\none:1', '1');
    await rejection(client.acquire(name, { waitMs: 50 }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe('waiters that are gone, and count as alive since the clock of Redis went back', () => {
  it('keep nobody from a free lock', async () => {
    const client = await openClient();
    const name = world.freshName();
    const key = client.keyOf(name);
    const inAnHour = Date.now() + 3_600_000;
    for (const task of ['1', '2', '3']) {
      const gone = `aaaaaaaa-bbbb-8ccc-8ddd-eeeeeeeeeeee:${task}`;
      await world.admin.rpush(queueKey(key), gone);
      await world.admin.zadd(timeoutsKey(key), inAnHour, gone);
      await world.admin.hset(`lockscope:wishes:{${key}}`, gone, '60000 1 ');
    }
    expect(await client.tryAcquire(name)).toMatchObject({ isHeld: true });
    expect(await world.queueOf(key)).toEqual([]);
  });
});

describe('a message that the lock was handed over', () => {
  it.each([
    ['of an acquire', (_: LockClient, work: () => Promise<Lock>) => work()],
    ['of a task', (client: LockClient, work: () => Promise<Lock>) => client.task(work)],
  ])('%s is not believed when it is of an earlier grant', async (_, inTask) => {
    const [client, other] = [await openClient(), await openClient()];
    const holder = await other.acquire(world.freshName());
    let isGranted = false;
    const waiting = inTask(client, async () => {
      const lock = await client.acquire(holder.name);
      isGranted = true;
      return lock;
    });
    await world.untilQueued(holder.key, 1);
    const [owner = ''] = await world.queueOf(holder.key);
    const task = owner.slice(client.instance.length + 1);
    const inbox = `lockscope:inbox:${client.instance}`;
    expect(await world.admin.publish(inbox, `granted ${task} 1 ${holder.key}`)).toBe(1);
    await pause(60);
    expect(isGranted).toBe(false);
    await holder.release();
    expect((await waiting).fence).toBeGreaterThan(holder.fence);
    await (await waiting).release();
  });
});

describe('a key of another type beside the locks', () => {
  it('in the place of the reports costs nobody a lock', async () => {
    await world.admin.set('lockscope:reports', 'no stream');
    const [client, other] = [await openClient({ reports: 'all' }), await openClient()];
    const holder = await client.acquire(world.freshName());
    const waiting = other.acquire(holder.name);
    await world.untilQueued(holder.key, 1);
    await holder.release();
    await (await waiting).release();
    expect(await world.admin.get('lockscope:reports')).toBe('no stream');
  });

  it('in the place of the namespace’s limit is named by the refusal', async () => {
    await world.admin.set('lockscope:limit', 'no hash');
    const client = world.client({ limits: { namespaceAttemptsPerSecond: 100 } });
    const error = await rejection(client.acquire(world.freshName()));
    expect(error).toMatchObject({ code: 'WRONG_TYPE', fields: { key: 'lockscope:limit' } });
  });
});

describe('the functions of a client', () => {
  it('work apart from it', async () => {
    const { acquire, tryAcquire, using, task, keyOf, close } = await openClient();
    const name = world.freshName();
    const lock = await acquire(name);
    expect(lock.key).toBe(keyOf(name));
    expect(await tryAcquire(name)).toBeNull();
    await lock.release();
    expect(await task(() => using(name, () => 7))).toBe(7);
    await close();
  });
});
