import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beside, hash, text, zset } from '@/test/support/raw-values';
import { createWakingScripts } from '@/test/support/waking-scripts';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const NOW = 1_800_000_000_000;
const A = 'b983c153-7421-469a-addb-44fb92259a1b:1';
const B = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60:2';
const OWN = '6fa459ea-ee8a-8ca4-894e-db77e160355e';
const RW_CHANNEL = 'redisson_rwlock:{rw}';
const leaseOf = (reader: string, hold: number): string => `{rw}:${reader}:rwlock_timeout:${hold}`;

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
afterEach(async () => await scripts.silence());

const hears = async (messages: string[], expected: string[]): Promise<void> => {
  await until('the messages arrive', () => messages.length >= expected.length);
  expect(messages).toEqual(expected);
};
const readers = async (...fields: [string, string][]): Promise<void> => {
  await redis.hset('rw', 'mode', 'read', ...fields.flat());
  for (const [reader, count] of fields) {
    for (let i = 1; i <= Number(count); i++) await redis.set(leaseOf(reader, i), '1', 'PX', 60_000);
  }
};

describe.each(['redisson', 'node-redisson', 'redisson-multi-lock'])(
  'waking for a free %s',
  (id) => {
    it('reaches classic and sharded channels', async () => {
      const classic = await scripts.listen('redisson_lock__channel:{inv}');
      const sharded = await scripts.listen('redisson_lock__channel:{inv}', 'ssubscribe');
      expect(await scripts.wake(id, 'inv', NOW)).toEqual([1, 2]);
      await hears(classic, ['0']);
      await hears(sharded, ['0']);
    });

    it('is refused while somebody holds it', async () => {
      await redis.hset('inv', A, '1');
      const messages = await scripts.listen('redisson_lock__channel:{inv}');
      expect(await scripts.wake(id, 'inv', NOW)).toEqual([-1]);
      expect(messages).toEqual([]);
    });

    it('says when nobody is there', async () => {
      expect(await scripts.wake(id, 'inv', NOW)).toEqual([0]);
    });
  },
);

describe('waking the fair queue of a free lock', () => {
  it('drops dead heads and wakes the first living waiter', async () => {
    await redis.rpush('redisson_lock_queue:{inv}', A, B);
    await redis.zadd('redisson_lock_timeout:{inv}', NOW - 1, A, NOW + 9000, B);
    const head = await scripts.listen(`redisson_lock__channel:{inv}:${B}`);
    expect(await scripts.wake('redisson-fair', 'inv', NOW)).toEqual([1, 1]);
    await hears(head, ['0']);
    expect(await redis.lrange('redisson_lock_queue:{inv}', 0, -1)).toEqual([B]);
  });

  it('drops the dead where nobody lives', async () => {
    await redis.rpush('redisson_lock_queue:{inv}', A);
    await redis.zadd('redisson_lock_timeout:{inv}', NOW - 1, A);
    expect(await scripts.wake('redisson-fair', 'inv', NOW)).toEqual([1, 0]);
    expect(await redis.keys('*')).toEqual([]);
  });

  it('asks a task of our own client in its inbox', async () => {
    await redis.rpush('redisson_lock_queue:{inv}', `${OWN}:7`);
    const inbox = await scripts.listen(`lockscope:inbox:${OWN}`);
    expect(await scripts.wake('redisson-fair', 'inv', NOW)).toEqual([1, 1]);
    await hears(inbox, ['try 7 inv']);
  });
});

describe('the release of node-redisson in streams mode', () => {
  const seen = hash([A, '1']);

  it('writes to the stream that every instance reads', async () => {
    await redis.xadd('redisson:events', '*', 'x', '0');
    await redis.hset('inv', A, '1');
    expect(await scripts.release('node-redisson', 'inv', seen)).toEqual([1, -1]);
    const entries = await redis.xrange('redisson:events', '-', '+');
    expect(entries.at(-1)?.[1]).toEqual(['redisson_lock__channel:{inv}', '0']);
    expect(await scripts.wake('node-redisson', 'inv')).toEqual([1, -1]);
    expect(await redis.xlen('redisson:events')).toBe(3);
  });

  it('makes it for a moment where nobody has unlocked yet and nobody listens', async () => {
    await redis.hset('inv', A, '1');
    expect(await scripts.release('node-redisson', 'inv', seen)).toEqual([1, 0]);
    expect(await redis.keys('*')).toEqual(['redisson:events']);
    const pttl = await redis.pttl('redisson:events');
    expect(pttl > 0 && pttl <= 10_000).toBe(true);
  });

  it('makes none where the channel woke somebody', async () => {
    await scripts.listen('redisson_lock__channel:{inv}');
    await redis.hset('inv', A, '1');
    expect(await scripts.release('node-redisson', 'inv', seen)).toEqual([1, 1]);
    expect(await redis.keys('*')).toEqual([]);
  });
});

describe('the release of a read-write lock', () => {
  it('takes all readers and their leases, and wakes one thread of each instance', async () => {
    await readers([A, '2'], [B, '1']);
    const waiting = await scripts.listen(RW_CHANNEL);
    const seen = hash(['mode', 'read'], [A, '2'], [B, '1']);
    expect(await scripts.release('redisson-read-write', 'rw', seen)).toEqual([1, 1]);
    await hears(waiting, ['0']);
    expect(await redis.keys('*')).toEqual([]);
  });

  it('wakes all threads after a writer, on sharded channels as well', async () => {
    await redis.hset('rw', 'mode', 'write', `${A}:write`, '1');
    const sharded = await scripts.listen(RW_CHANNEL, 'ssubscribe');
    const seen = hash(['mode', 'write'], [`${A}:write`, '1']);
    expect(await scripts.release('redisson-read-write', 'rw', seen)).toEqual([1, 1]);
    await hears(sharded, ['1']);
  });

  it('changes nothing when a reader came, left or read again', async () => {
    await readers([A, '2']);
    for (const seen of [
      hash(['mode', 'read'], [A, '1']),
      hash(['mode', 'read'], [A, '2'], [B, '1']),
      hash(['mode', 'write'], [A, '2']),
    ]) {
      expect(await scripts.release('redisson-read-write', 'rw', seen)).toEqual([-1]);
    }
    expect(await redis.keys('*')).toHaveLength(3);
    await redis.flushall();
    expect(await scripts.release('redisson-read-write', 'rw', hash([A, '1']))).toEqual([0]);
  });

  it('wakes whoever waits for a free one', async () => {
    const waiting = await scripts.listen(RW_CHANNEL);
    expect(await scripts.wake('redisson-read-write', 'rw')).toEqual([1, 1]);
    await hears(waiting, ['1']);
    await readers([A, '1']);
    expect(await scripts.wake('redisson-read-write', 'rw')).toEqual([-1]);
  });
});

describe('removing one reader', () => {
  const value = hash(['mode', 'read'], [A, '2'], [B, '1']);
  const remove = async (member: string, seen = value) =>
    await scripts.remove('redisson-read-write', 'rw', member, { value: seen });

  it('leaves the others with their leases, and wakes nobody', async () => {
    await readers([A, '2'], [B, '1']);
    await scripts.listen(RW_CHANNEL);
    expect(await remove(A)).toEqual([1, 0]);
    expect(await redis.hgetall('rw')).toEqual({ mode: 'read', [B]: '1' });
    expect(await redis.keys('*timeout*')).toEqual([leaseOf(B, 1)]);
  });

  it('who is the last frees the lock and wakes', async () => {
    await readers([B, '1']);
    const waiting = await scripts.listen(RW_CHANNEL);
    expect(await remove(B, hash(['mode', 'read'], [B, '1']))).toEqual([1, 1]);
    await hears(waiting, ['0']);
    expect(await redis.keys('*')).toEqual([]);
  });

  it('changes nothing when it is gone, or reads more than was seen', async () => {
    await readers([A, '1']);
    expect(await remove(B)).toEqual([0]);
    expect(await remove(A)).toEqual([-1]);
    expect(await redis.hgetall('rw')).toEqual({ mode: 'read', [A]: '1' });
    await redis.del('rw');
    expect(await remove(A)).toEqual([0]);
    await redis.set('rw', 'x');
    expect(await remove(A)).toEqual([-1]);
  });

  it('who writes as well leaves a lock that is read', async () => {
    const seen = hash(['mode', 'write'], [A, '1'], [`${A}:write`, '1']);
    await redis.hset('rw', 'mode', 'write', A, '1', `${A}:write`, '1');
    const waiting = await scripts.listen(RW_CHANNEL);
    expect(await remove(`${A}:write`, seen)).toEqual([1, 1]);
    await hears(waiting, ['1']);
    expect(await redis.hgetall('rw')).toEqual({ mode: 'read', [A]: '1' });
  });
});

describe('a semaphore', () => {
  it('gets one permit more, and says how many there are', async () => {
    await redis.set('s', '2');
    const waiting = await scripts.listen('redisson_sc:{s}');
    expect(await scripts.release('redisson-semaphore', 's', text('1'))).toEqual([-1]);
    expect(await scripts.release('redisson-semaphore', 's', text('2'))).toEqual([1, 1]);
    await hears(waiting, ['3']);
    expect(await redis.get('s')).toBe('3');
  });

  it('wakes one at least where permits are owed', async () => {
    await redis.set('s', '-4');
    const waiting = await scripts.listen('redisson_sc:{s}');
    await scripts.release('redisson-semaphore', 's', text('-4'));
    await hears(waiting, ['1']);
    expect(await redis.get('s')).toBe('-3');
  });

  it('that is gone or of another type stays so', async () => {
    expect(await scripts.release('redisson-semaphore', 's', text('1'))).toEqual([0]);
    await redis.rpush('s', '1');
    expect(await scripts.release('redisson-semaphore', 's', text('1'))).toEqual([-1]);
  });

  it('wakes waiters where permits are free', async () => {
    await redis.set('s', '2');
    const waiting = await scripts.listen('redisson_sc:{s}');
    expect(await scripts.wake('redisson-semaphore', 's')).toEqual([1, 1]);
    await hears(waiting, ['2']);
    await redis.set('s', '0');
    expect(await scripts.wake('redisson-semaphore', 's')).toEqual([-1]);
    await redis.del('s');
    expect(await scripts.wake('redisson-semaphore', 's')).toEqual([0]);
  });
});

describe('an expirable semaphore', () => {
  const ONE = '\x00\xff\x10abcdefghijklm';
  const TWO = 'b'.repeat(16);
  const near = beside({ '{p}:timeout': zset([ONE, NOW - 1], [TWO, NOW]) });
  const give = async (): Promise<void> => {
    await redis.set('p', '1');
    for (const [permit, score] of [
      [ONE, NOW - 1],
      [TWO, NOW + 60_000],
    ] as const) {
      await redis.call('ZADD', '{p}:timeout', score, Buffer.from(permit, 'latin1'));
    }
  };

  it('gets all permits back that were seen, and says how many are free', async () => {
    await give();
    const waiting = await scripts.listen('redisson_sc:{p}');
    const released = await scripts.release('redisson-permits', 'p', text('1'), { beside: near });
    expect(released).toEqual([1, 1]);
    await hears(waiting, ['3']);
    expect(await redis.get('p')).toBe('3');
    expect(await redis.exists('{p}:timeout')).toBe(0);
  });

  it('keeps permits that were taken since', async () => {
    await give();
    await redis.zadd('{p}:timeout', NOW, 'c'.repeat(16));
    await scripts.release('redisson-permits', 'p', text('1'), { beside: near });
    expect(await redis.zrange('{p}:timeout', '0', '-1')).toEqual(['c'.repeat(16)]);
  });

  it('changes nothing when one of them was given back', async () => {
    await give();
    await redis.zrem('{p}:timeout', TWO);
    const releasing = async () =>
      await scripts.release('redisson-permits', 'p', text('1'), { beside: near });
    expect(await releasing()).toEqual([-1]);
    expect(await redis.get('p')).toBe('1');
    await redis.del('{p}:timeout');
    expect(await releasing()).toEqual([0]);
  });

  it('gives one permit back alone', async () => {
    await give();
    const waiting = await scripts.listen('redisson_sc:{p}');
    const remove = async (permit: string) =>
      await scripts.remove('redisson-permits', 'p', permit, { value: text('1'), beside: near });
    expect(await remove(ONE)).toEqual([1, 1]);
    await hears(waiting, ['2']);
    expect(await redis.zrange('{p}:timeout', '0', '-1')).toEqual([TWO]);
    expect(await remove(ONE)).toEqual([0]);
    expect(await redis.get('p')).toBe('2');
  });

  it('wakes waiters where permits are free or have expired', async () => {
    await give();
    await redis.set('p', '0');
    const waiting = await scripts.listen('redisson_sc:{p}');
    expect(await scripts.wake('redisson-permits', 'p', NOW - 10)).toEqual([-1]);
    expect(await scripts.wake('redisson-permits', 'p', NOW)).toEqual([1, 1]);
    await hears(waiting, ['1']);
  });
});

describe('a latch', () => {
  it('opens, and wakes all who wait', async () => {
    await redis.set('l{1}', '3');
    const waiting = await scripts.listen('redisson_countdownlatch__channel__{l{1}}');
    expect(await scripts.release('redisson-latch', 'l{1}', text('2'))).toEqual([-1]);
    expect(await scripts.release('redisson-latch', 'l{1}', text('3'))).toEqual([1, 1]);
    await hears(waiting, ['0']);
    expect(await scripts.release('redisson-latch', 'l{1}', text('3'))).toEqual([0]);
  });

  it('that is open wakes who waits nevertheless', async () => {
    const waiting = await scripts.listen('redisson_countdownlatch__channel__{l}');
    expect(await scripts.wake('redisson-latch', 'l')).toEqual([1, 1]);
    await hears(waiting, ['0']);
    await redis.set('l', '1');
    expect(await scripts.wake('redisson-latch', 'l')).toEqual([-1]);
  });
});

describe('a sharded channel that may not be used', () => {
  it('does not hinder a release', async () => {
    await redis.call(
      'ACL',
      'SETUSER',
      'op',
      'on',
      '>pw',
      '~*',
      'allchannels',
      '+@all',
      '-spublish',
    );
    const operator = createWakingScripts(server, server.client({ username: 'op', password: 'pw' }));
    await redis.hset('inv', A, '1');
    const waiting = await scripts.listen('redisson_lock__channel:{inv}');
    expect(await operator.release('redisson', 'inv', hash([A, '1']))).toEqual([1, 1]);
    await hears(waiting, ['0']);
  });
});

describe('waking for a free lock of our own', () => {
  const queue = async (...owners: string[]): Promise<void> => {
    await redis.rpush('redisson_lock_queue:{inv}', ...owners);
    for (const owner of owners) {
      await redis.zadd('redisson_lock_timeout:{inv}', Date.now() + 60_000, owner);
    }
  };

  it('asks its first living waiter to try, and tells clients of other libraries', async () => {
    await queue(`${OWN}:1`, `${OWN}:2`);
    await redis.zadd('redisson_lock_timeout:{inv}', 1, `${OWN}:1`);
    const inbox = await scripts.listen(`lockscope:inbox:${OWN}`);
    const others = await scripts.listen('redisson_lock__channel:{inv}');
    expect(await scripts.wake('qoder', 'inv')).toEqual([1, 2]);
    await hears(inbox, ['try 2 inv']);
    await hears(others, ['0']);
    expect(await redis.lrange('redisson_lock_queue:{inv}', 0, -1)).toEqual([`${OWN}:2`]);
    await redis.hset('inv', `${OWN}:2`, '1');
    expect(await scripts.wake('qoder', 'inv')).toEqual([-1]);
  });

  it('asks readers together, up to the first writer', async () => {
    await queue(`${OWN}:1`, `${OWN}:2`, `${OWN}:3:write`, `${OWN}:4`);
    const inbox = await scripts.listen(`lockscope:inbox:${OWN}`);
    expect(await scripts.wake('qoder-read-write', 'inv')).toEqual([1, 2]);
    await hears(inbox, ['try 1 inv', 'try 2 inv']);
  });

  it('asks all who may find a place of a semaphore', async () => {
    await queue(`${OWN}:1`, `${OWN}:2`);
    const inbox = await scripts.listen(`lockscope:inbox:${OWN}`);
    expect(await scripts.wake('qoder-semaphore', 'inv')).toEqual([1, 2]);
    await hears(inbox, ['try 1 inv', 'try 2 inv']);
    await redis.del('redisson_lock_queue:{inv}');
    expect(await scripts.wake('qoder-semaphore', 'inv')).toEqual([0]);
  });
});
