import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import type { RawValue } from '@/lib/formats/format';
import { dropWaiterScript } from '@/lib/formats/redisson-fair';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const INSTANCE = '6fa459ea-ee8a-8ca4-894e-db77e160355e';
const OTHER = '16fd2706-8baf-833b-82eb-8c7fada847da';
const HOLDER = `${INSTANCE}:1`;
const WAITER = `${OTHER}:7`;
const SECOND = `${OTHER}:8`;
const JAVA = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:2';
const KEY = 'qoder:lock:inv';
const QUEUE = `redisson_lock_queue:{${KEY}}`;
const TIMEOUTS = `redisson_lock_timeout:{${KEY}}`;

let server: TestRedis;
let redis: Redis;
const listening: Redis[] = [];

beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
});
afterAll(async () => await server.stop());
beforeEach(async () => void (await redis.flushall()));
afterEach(async () => {
  for (const client of listening.splice(0)) await client.quit();
});

async function release(id: string, seen: RawValue): Promise<unknown> {
  const script = formatTable.byId(id).release;
  if (!script) throw new Error(`${id} has no release`);
  const { keys, args } = script.arguments(KEY, seen, Date.now());
  return await redis.eval(script.lua, keys.length, ...keys, ...args);
}

const hash = (fields: Record<string, string>): RawValue => ({
  type: 'hash',
  fields: Object.entries(fields),
  size: Object.keys(fields).length,
  truncated: false,
});
const zset = (...members: string[]): RawValue => ({
  type: 'zset',
  members: members.map((member) => [member, 1]),
  size: members.length,
  truncated: false,
});

async function listen(channel: string): Promise<string[]> {
  const client = server.client();
  const messages: string[] = [];
  client.on('message', (_channel: string, message: string) => messages.push(message));
  await client.subscribe(channel);
  listening.push(client);
  return messages;
}

const arrived = async (messages: string[], count = 1): Promise<string[]> =>
  await until('the message arrives', () => (messages.length >= count ? messages : null));

async function queueUp(owner: string, aliveForMs = 60_000): Promise<void> {
  await redis.rpush(QUEUE, owner);
  await redis.zadd(TIMEOUTS, Date.now() + aliveForMs, owner);
}

describe('the release of a mutex of our client', () => {
  const held = { [HOLDER]: '1', since: '17', business: 'SO-1' };
  beforeEach(async () => void (await redis.hset(KEY, held)));

  it('tells the holder at once that it lost the lock', async () => {
    const inbox = await listen(`lockscope:inbox:${INSTANCE}`);
    expect(await release('qoder', hash(held))).toEqual([1, 0]);
    expect(await arrived(inbox)).toEqual([`revoked 1 ${KEY}`]);
    expect(await redis.exists(KEY)).toBe(0);
  });

  it('asks the first living waiter to attempt again and drops the dead before it', async () => {
    await queueUp(`${OTHER}:6`, -1);
    await queueUp(WAITER);
    await queueUp(SECOND);
    const inbox = await listen(`lockscope:inbox:${OTHER}`);
    expect(await release('qoder', hash(held))).toEqual([1, 1]);
    expect(await arrived(inbox)).toEqual([`try 7 ${KEY}`]);
    expect(await redis.lrange(QUEUE, 0, -1)).toEqual([WAITER, SECOND]);
    expect(await redis.zcard(TIMEOUTS)).toBe(2);
  });

  it('wakes a Java waiter that heads the queue by its own channel, and the plain ones', async () => {
    await queueUp(JAVA);
    const head = await listen(`redisson_lock__channel:{${KEY}}:${JAVA}`);
    const plain = await listen(`redisson_lock__channel:{${KEY}}`);
    expect(await release('qoder', hash(held))).toEqual([1, 2]);
    expect(await arrived(head)).toEqual(['0']);
    expect(await arrived(plain)).toEqual(['0']);
  });

  it('does and tells nothing when the hold is not the one that was seen', async () => {
    await queueUp(WAITER);
    const inbox = await listen(`lockscope:inbox:${INSTANCE}`);
    expect(await release('qoder', hash({ ...held, since: '16' }))).toEqual([-1]);
    expect(await release('qoder', hash({ [HOLDER]: '1' }))).toEqual([-1]);
    expect(await redis.hgetall(KEY)).toEqual(held);
    await redis.publish(`lockscope:inbox:${INSTANCE}`, 'end');
    expect(await arrived(inbox)).toEqual(['end']);
    await redis.del(KEY);
    expect(await release('qoder', hash(held))).toEqual([0]);
  });

  it('leaves the fencing counter alone and is not stopped by a queue of another type', async () => {
    await redis.set(`redisson_lock_token:{${KEY}}`, '41');
    await redis.set(QUEUE, 'x');
    expect(await release('qoder', hash(held))).toEqual([1, 0]);
    expect(await redis.get(`redisson_lock_token:{${KEY}}`)).toBe('41');
  });

  it('releases what a Java client holds under our prefix', async () => {
    await redis.del(KEY);
    await redis.hset(KEY, JAVA, '2');
    await queueUp(WAITER);
    const inbox = await listen(`lockscope:inbox:${OTHER}`);
    expect(await release('qoder', hash({ [JAVA]: '2' }))).toEqual([1, 1]);
    expect(await arrived(inbox)).toEqual([`try 7 ${KEY}`]);
  });
});

describe('the release of a semaphore of our client', () => {
  it('removes the members seen, tells them, and wakes as many waiters', async () => {
    await redis.zadd(KEY, 1, HOLDER, 2, `${INSTANCE}:2`, 3, `${INSTANCE}:3`);
    for (const task of [1, 2, 3]) await queueUp(`${OTHER}:${task}`);
    const holders = await listen(`lockscope:inbox:${INSTANCE}`);
    const waiters = await listen(`lockscope:inbox:${OTHER}`);
    expect(await release('qoder-semaphore', zset(HOLDER, `${INSTANCE}:2`))).toEqual([1, 2]);
    expect(await arrived(holders, 2)).toEqual([`revoked 1 ${KEY}`, `revoked 2 ${KEY}`]);
    expect(await arrived(waiters, 2)).toEqual([`try 1 ${KEY}`, `try 2 ${KEY}`]);
    expect(await redis.zrange(KEY, '0', '-1')).toEqual([`${INSTANCE}:3`]);
  });

  it('removes none when one of them has gone', async () => {
    await redis.zadd(KEY, 1, HOLDER);
    expect(await release('qoder-semaphore', zset(HOLDER, SECOND))).toEqual([-1]);
    expect(await redis.zcard(KEY)).toBe(1);
  });
});

describe('the release of a read-write lock of our client', () => {
  it('frees it of all readers, their leases too, and wakes the readers at the head together', async () => {
    const seen = { mode: 'read', [HOLDER]: '2', since: '1' };
    await redis.hset(KEY, seen);
    const leases = [1, 2].map((n) => `{${KEY}}:${HOLDER}:rwlock_timeout:${n}`);
    for (const lease of leases) await redis.set(lease, '1', 'PX', 60_000);
    await queueUp(`${OTHER}:1`);
    await queueUp(`${OTHER}:2`);
    await queueUp(`${OTHER}:3:write`);
    await queueUp(`${OTHER}:4`);
    const waiters = await listen(`lockscope:inbox:${OTHER}`);
    expect(await release('qoder-read-write', hash(seen))).toEqual([1, 2]);
    expect(await arrived(waiters, 2)).toEqual([`try 1 ${KEY}`, `try 2 ${KEY}`]);
    expect(await redis.exists(...[KEY, ...leases])).toBe(0);
  });

  it('tells a writer by its task', async () => {
    const seen = { mode: 'write', [`${INSTANCE}:1:write`]: '1', since: '1' };
    await redis.hset(KEY, seen);
    const inbox = await listen(`lockscope:inbox:${INSTANCE}`);
    expect(await release('qoder-read-write', hash(seen))).toEqual([1, 0]);
    expect(await arrived(inbox)).toEqual([`revoked 1:write ${KEY}`]);
  });
});

describe('dropping a waiter before a task of our client', () => {
  it('asks that task to attempt again', async () => {
    await queueUp(`${INSTANCE}:1`, -1);
    await queueUp(WAITER);
    const inbox = await listen(`lockscope:inbox:${OTHER}`);
    const { keys, args } = dropWaiterScript.arguments(KEY, `${INSTANCE}:1`, Date.now());
    const reply = await redis.eval(dropWaiterScript.lua, keys.length, ...keys, ...args);
    expect(reply).toEqual([1, 1]);
    expect(await arrived(inbox)).toEqual([`try 7 ${KEY}`]);
    expect(await redis.lrange(QUEUE, 0, -1)).toEqual([WAITER]);
  });
});
