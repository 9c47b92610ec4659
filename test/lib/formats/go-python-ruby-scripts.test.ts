import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import { beside, hash, text } from '@/test/support/raw-values';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { createWakingScripts } from '@/test/support/waking-scripts';

const EVERY_BYTE = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i));
const DIGEST = 'uniquejobs:0123456789abcdef0123456789abcdef';
const SEEN = text('jid-1');

let server: TestRedis;
let redis: Redis;
let scripts: ReturnType<typeof createWakingScripts>;

beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
  scripts = createWakingScripts(server, redis);
});
afterAll(async () => await server.stop());
beforeEach(async () => void (await redis.flushall()));

/** Sends a blocking command on a connection of its own, and waits until Redis has it blocked. */
async function block<T>(send: (client: Redis) => Promise<T>): Promise<{ answer: Promise<T> }> {
  const answer = send(server.client());
  await until('the client is blocked', async () => {
    return /^blocked_clients:[1-9]/m.test(await redis.info('clients'));
  });
  return { answer };
}

describe.each([
  'redsync',
  'bsm-redislock',
  'go-zero',
  'asynq',
  'pottery',
  'aioredlock',
  'celery-once',
  'celery-singleton',
  'redbeat',
  'rq-scheduler',
  'arq',
  'huey',
  'redlock-rb',
  'suo',
  'resque-lock',
])('the release of %s', (id) => {
  it('deletes the value that was seen, byte by byte, and no other', async () => {
    const key = `lock:"]]--[[\r\n${'\xff'}`;
    await redis.set(Buffer.from(key, 'latin1'), Buffer.from(EVERY_BYTE, 'latin1'));
    expect(await scripts.release(id, key, text(`${EVERY_BYTE}x`))).toEqual([-1]);
    expect(await redis.dbsize()).toBe(1);
    expect(await scripts.release(id, key, text(EVERY_BYTE))).toEqual([1, -1]);
    expect(await redis.dbsize()).toBe(0);
    expect(await scripts.release(id, key, text(EVERY_BYTE))).toEqual([0]);
  });

  it('wakes nobody', () => {
    expect(formatTable.byId(id)).toMatchObject({ readOnly: false });
    expect(formatTable.byId(id).wake).toBeUndefined();
    expect(['poll', 'never-waits']).toContain(formatTable.byId(id).waiters);
  });
});

describe('the release of python-redis-lock', () => {
  it('deletes the lock and leaves one signal that goes by itself', async () => {
    await redis.set('lock:a', 'me');
    await redis.rpush('lock-signal:a', '1', '1', '1');
    // All sent at once: the signal is there for a second only.
    const [released, signals, leftMs] = await Promise.all([
      scripts.release('python-redis-lock', 'lock:a', text('me')),
      redis.lrange('lock-signal:a', 0, -1),
      redis.pttl('lock-signal:a'),
    ]);
    expect(released).toEqual([1, -1]);
    expect(await redis.exists('lock:a')).toBe(0);
    expect(signals).toEqual(['1']);
    expect(leftMs).toBeGreaterThan(0);
    expect(leftMs).toBeLessThanOrEqual(1000);
  });

  it('wakes a client that is blocked, which then finds the lock free', async () => {
    await redis.set('lock:a', 'me');
    const { answer } = await block((client) => client.blpop('lock-signal:a', 0));
    await scripts.release('python-redis-lock', 'lock:a', text('me'));
    expect(await answer).toEqual(['lock-signal:a', '1']);
    expect(await redis.set('lock:a', 'next', 'NX')).toBe('OK');
    expect(await redis.exists('lock-signal:a')).toBe(0);
  });

  it('leaves another holder, another type and nothing as they are, and signals nobody', async () => {
    await redis.set('lock:a', 'other');
    expect(await scripts.release('python-redis-lock', 'lock:a', text('me'))).toEqual([-1]);
    expect(await redis.get('lock:a')).toBe('other');
    await redis.del('lock:a');
    expect(await scripts.release('python-redis-lock', 'lock:a', text('me'))).toEqual([0]);
    await redis.rpush('lock:a', 'me');
    expect(await scripts.release('python-redis-lock', 'lock:a', text('me'))).toEqual([-1]);
    expect(await redis.exists('lock-signal:a')).toBe(0);
  });

  it('is not stopped by a signal of another type', async () => {
    await redis.mset('lock:a', 'me', 'lock-signal:a', 'x');
    const [released, signals] = await Promise.all([
      scripts.release('python-redis-lock', 'lock:a', text('me')),
      redis.lrange('lock-signal:a', 0, -1),
    ]);
    expect([released, signals]).toEqual([[1, -1], ['1']]);
  });
});

describe('waking who waits for python-redis-lock', () => {
  const wake = async () => await scripts.wake('python-redis-lock', 'lock:a');

  it('frees a client that a lapse left asleep', async () => {
    await redis.set('lock:a', 'me', 'PX', 50);
    const { answer } = await block((client) => client.blpop('lock-signal:a', 0));
    await until('the lock lapses', async () => (await redis.exists('lock:a')) === 0);
    expect(await wake()).toEqual([1, -1]);
    expect(await answer).toEqual(['lock-signal:a', '1']);
  });

  it('does nothing while the lock is held', async () => {
    await redis.set('lock:a', 'me');
    expect(await wake()).toEqual([-1]);
    expect(await redis.exists('lock-signal:a')).toBe(0);
  });

  it('does nothing while a signal is there that nobody took', async () => {
    const both = await Promise.all([wake(), wake(), redis.llen('lock-signal:a')]);
    expect(both).toEqual([[1, -1], [0], 1]);
  });
});

describe('the release of sidekiq-unique-jobs', () => {
  const ID = 'sidekiq-unique-jobs';
  const LOCKED = hash(['jid-1', '1700000000.123']);

  async function take(): Promise<void> {
    await redis.set(DIGEST, 'jid-1');
    await redis.hset(`${DIGEST}:LOCKED`, 'jid-1', '1700000000.123');
    await redis.set(`${DIGEST}:INFO`, '{}');
    await redis.rpush(`${DIGEST}:PRIMED`, 'jid-1');
    await redis.zadd('uniquejobs:digests', 1, DIGEST, 2, 'uniquejobs:other');
    await redis.zadd('uniquejobs:expiring_digests', 1, DIGEST);
  }
  const release = async (locked = LOCKED) =>
    await scripts.release(ID, DIGEST, SEEN, { beside: beside({ [`${DIGEST}:LOCKED`]: locked }) });

  it('deletes the digest, all keys around it and its entries in both indexes', async () => {
    await take();
    expect(await release()).toEqual([1, -1]);
    expect((await redis.keys('*')).toSorted()).toEqual([`${DIGEST}:QUEUED`, 'uniquejobs:digests']);
    expect(await redis.zrange('uniquejobs:digests', '0', '-1')).toEqual(['uniquejobs:other']);
    expect(await redis.lrange(`${DIGEST}:QUEUED`, 0, -1)).toEqual(['1']);
    expect(await redis.pttl(`${DIGEST}:QUEUED`)).toBeGreaterThan(1000);
  });

  it('wakes a job that is blocked', async () => {
    await take();
    const { answer } = await block((client) =>
      client.blmove(`${DIGEST}:QUEUED`, `${DIGEST}:PRIMED`, 'LEFT', 'RIGHT', 0),
    );
    await release();
    expect(await answer).toBe('1');
  });

  it('changes nothing when the digest or who holds it is not as seen', async () => {
    await take();
    const before = await redis.keys('*');
    expect(await scripts.release(ID, DIGEST, text('jid-2'))).toEqual([-1]);
    expect(await release(hash(['jid-2', '1700000000.123']))).toEqual([-1]);
    expect(await release(hash(['jid-1', '1']))).toEqual([-1]);
    await redis.hset(`${DIGEST}:LOCKED`, 'jid-2', '1700000001');
    expect(await release()).toEqual([-1]);
    expect((await redis.keys('*')).toSorted()).toEqual(before.toSorted());
  });

  it('compares the digest alone where the holders were not read', async () => {
    await take();
    expect(await scripts.release(ID, DIGEST, SEEN)).toEqual([1, -1]);
    expect(await redis.exists(DIGEST, `${DIGEST}:LOCKED`)).toBe(0);
  });

  it('takes a digest away of which nothing else is left', async () => {
    await redis.set(DIGEST, 'jid-1');
    const nothing = { beside: beside({ [`${DIGEST}:LOCKED`]: null }) };
    expect(await scripts.release(ID, DIGEST, SEEN, nothing)).toEqual([1, -1]);
    expect(await scripts.release(ID, DIGEST, SEEN, nothing)).toEqual([0]);
  });

  it('is not stopped by companions of another type', async () => {
    await redis.mset(DIGEST, 'jid-1', `${DIGEST}:QUEUED`, 'x', 'uniquejobs:digests', 'x');
    expect(await scripts.release(ID, DIGEST, SEEN)).toEqual([1, -1]);
    expect(await redis.get('uniquejobs:digests')).toBe('x');
  });
});

describe('waking who waits for sidekiq-unique-jobs', () => {
  const wake = async () => await scripts.wake('sidekiq-unique-jobs', DIGEST);

  it('frees a job that is blocked on a free lock, once', async () => {
    const { answer } = await block((client) =>
      client.blmove(`${DIGEST}:QUEUED`, `${DIGEST}:PRIMED`, 'LEFT', 'RIGHT', 0),
    );
    expect(await wake()).toEqual([1, -1]);
    expect(await answer).toBe('1');
    expect(await wake()).toEqual([1, -1]);
    expect(await wake()).toEqual([0]);
  });

  it.each([
    ['the digest is there', 'SET', [DIGEST, 'jid-1']],
    ['somebody stands in the hash', 'HSET', [`${DIGEST}:LOCKED`, 'jid-1', '1']],
  ])('does nothing while %s', async (_name, command, args) => {
    await redis.call(command, ...args);
    expect(await wake()).toEqual([-1]);
    expect(await redis.exists(`${DIGEST}:QUEUED`)).toBe(0);
  });
});

describe.each(['lpush', 'pexpire', 'del'])('a user who may not %s', (command) => {
  it.each([
    ['python-redis-lock', 'lock:a', 'lock-signal:a'],
    ['sidekiq-unique-jobs', DIGEST, `${DIGEST}:QUEUED`],
  ])('changes nothing of %s', async (id, key, signal) => {
    const rules = ['on', '>pw', '~*', '&*', '+@all', `-${command}`];
    await redis.call('ACL', 'SETUSER', command, ...rules);
    const operator = server.client({ username: command, password: 'pw' });
    await redis.set(key, 'me');
    const script = formatTable.byId(id).release;
    const { keys, args } = script?.arguments(key, text('me'), 0) ?? { keys: [], args: [] };
    await expect(operator.eval(script?.lua ?? '', keys.length, ...keys, ...args)).rejects.toThrow(
      /can't run this command|no permissions to run/,
    );
    expect(await redis.get(key)).toBe('me');
    expect(await redis.exists(signal)).toBe(0);
  });
});
