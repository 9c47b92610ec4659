import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf, type Watching } from './watch-harness';

const OURS = '6fa459ea-ee8a-8ca4-894e-db77e160355e:7';
const JAVA = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:2';
const KEY = 'qoder:lock:a';
const WISHES = `lockscope:wishes:{${KEY}}`;

let stop: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of stop.toReversed()) await each();
  stop = [];
});

async function startWatching(user?: string): Promise<Watching & { redis: Redis }> {
  const server = await startRedis({ flags: 'KEAn' });
  stop.push(server.stop);
  const redis = server.client();
  if (user !== undefined) await redis.call('ACL', 'SETUSER', 'console', ...user.split(' '));
  const url = user === undefined ? server.url : server.url.replace('//', '//console:pw@');
  const watching = watchOf(server, { url });
  stop.push(watching.watch.stop);
  await watching.watch.start();
  await until('the watch is ready', () => watching.watch.ready);
  return { ...watching, redis };
}

async function queueUp(redis: Redis): Promise<void> {
  await redis
    .multi()
    .hset(KEY, `${OURS.slice(0, -1)}1`, '1')
    .zadd(`redisson_lock_timeout:{${KEY}}`, 5, OURS, 6, JAVA)
    .rpush(`redisson_lock_queue:{${KEY}}`, OURS, JAVA)
    .exec();
}

const queueOf = async ({ reads }: Watching) =>
  await until('the queue is read', () =>
    reads(KEY)
      .map(({ queue }) => queue ?? [])
      .find((queue) => queue.length === 2),
  );

describe('a lock beside which keys are of another type', () => {
  const readOf = async ({ reads }: Watching, key: string) =>
    await until('the lock is read', () => reads(key).find(({ value }) => value?.type === 'hash'));
  const LIST = `redisson_lock_queue:{${KEY}}`;

  it.each([
    ['the queue', LIST, null],
    ['the deadlines', `redisson_lock_timeout:{${KEY}}`, [{ owner: OURS, deadline: null }]],
    ['the fencing counter', `redisson_lock_token:{${KEY}}`, [{ owner: OURS, deadline: null }]],
  ])('is seen: %s', async (_what, beside, queue) => {
    const watching = await startWatching();
    await watching.redis.rpush(LIST, OURS);
    await watching.redis.del(beside);
    await watching.redis.hset(beside, 'no', 'such thing');
    await watching.redis.hset(KEY, OURS, '1');
    expect(await readOf(watching, KEY)).toMatchObject({ queue, fence: null });
  });
});

describe('what waiters of our own client wrote down', () => {
  it('is read with the queue, word by word', async () => {
    const watching = await startWatching();
    await watching.redis.hset(WISHES, OURS, '60000 17 SO-1', JAVA, 'not asked for');
    await queueUp(watching.redis);
    expect(await queueOf(watching)).toMatchObject([
      { owner: OURS, deadline: 5, wish: '60000 17 SO-1' },
      { owner: JAVA, deadline: 6 },
    ]);
    expect((await queueOf(watching))[1]).not.toHaveProperty('wish');
  });

  it('may be of another type, and the queue is read all the same', async () => {
    const watching = await startWatching();
    await watching.redis.set(WISHES, 'no hash');
    await queueUp(watching.redis);
    expect((await queueOf(watching)).map(({ owner }) => owner)).toEqual([OURS, JAVA]);
  });

  it('may be forbidden, and the queue is read all the same', async () => {
    const keys = '~qoder:* ~redisson* ~lockscope:canary:* ~lockscope:reports*';
    const watching = await startWatching(`on >pw ${keys} &* +@all`);
    await watching.redis.hset(WISHES, OURS, '60000 17 SO-1');
    await queueUp(watching.redis);
    expect((await queueOf(watching)).map(({ owner }) => owner)).toEqual([OURS, JAVA]);
  });

  it('without any script, is not known', async () => {
    const watching = await startWatching('on >pw ~* &* +@all -eval -eval_ro -evalsha -evalsha_ro');
    await watching.redis.hset(WISHES, OURS, '60000 17 SO-1');
    await queueUp(watching.redis);
    expect((await queueOf(watching))[0]).toMatchObject({ owner: OURS, deadline: 5 });
  });
});
