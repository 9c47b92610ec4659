import { describe, expect, it } from 'vitest';
import { until } from '@/test/support/until';
import { startLive } from './live-redis';

const DIGEST = 'uniquejobs:0123456789abcdef0123456789abcdef';

describe('a lock of sidekiq-unique-jobs', () => {
  it('is held by the jobs of its hash although its own key is gone', async () => {
    const live = await startLive();
    const info = JSON.stringify({ worker: 'Report', limit: 2 });
    await live.redis
      .multi()
      .set(DIGEST, 'job-1')
      .set(`${DIGEST}:INFO`, info)
      .hset(`${DIGEST}:LOCKED`, 'job-1', '1796000000.25')
      .hset(`${DIGEST}:LOCKED`, 'job-2', '1796000001.5')
      .exec();
    await until('both hold it', () => live.lock(DIGEST)?.permits?.free === 0);
    await live.redis.multi().hdel(`${DIGEST}:LOCKED`, 'job-1').del(DIGEST).exec();
    await until('the other one holds it', () => live.lock(DIGEST)?.hold?.token === 'job-2');
    expect(live.lock(DIGEST)).toMatchObject({ state: 'held', permits: { total: 2, free: 1 } });
    await live.redis.del(`${DIGEST}:LOCKED`);
    await until('it is free', () => live.lock(DIGEST)?.state === 'free');
  });

  it('of version 9 is its hash alone', async () => {
    const live = await startLive();
    await live.redis.hset(`${DIGEST}:LOCKED`, 'job-9', '{"worker":"Report"}');
    await until('it is held', () => live.lock(DIGEST)?.hold?.token === 'job-9');
  });

  it('without the hash is broken, and says which key is missing', async () => {
    const live = await startLive();
    await live.redis.set(DIGEST, 'job-1');
    await until('it is broken', () => live.lock(DIGEST)?.state === 'broken');
    expect(live.lock(DIGEST)?.brokenBecause).toContain(`${DIGEST}:LOCKED`);
  });
});

describe('a lock of resque-lock', () => {
  it('ends when its value says so, although its key stays', async () => {
    const live = await startLive();
    const key = 'resque:lock:Report-[1]';
    const second = Math.floor(Date.now() / 1000) + 6;
    await live.redis.set(key, `${second}`);
    await until('it is held', () => live.lock(key)?.hold?.deadline === second * 1000);
    await until('it is over', () => live.lock(key)?.state === 'free');
    expect(live.lock(key)?.ended[0]).toMatchObject({
      endReason: 'lease-ended',
      end: second * 1000,
    });
    expect(await live.redis.exists(key)).toBe(1);
  });
});

describe('a lock of python-redis-lock whose application chose its name', () => {
  it('stays one once a signal has shown it', async () => {
    const live = await startLive();
    const key = 'lock:report';
    await live.redis.set(key, 'web-3:4711', 'PX', 60_000);
    await until('it is held', () => live.lock(key)?.hold?.token);
    await live.redis
      .multi()
      .lpush('lock-signal:report', '1')
      .pexpire('lock-signal:report', 5000)
      .exec();
    await live.redis.del(key);
    await until('it is known', () => live.lock(key)?.format.id === 'python-redis-lock');
    await live.redis.set(key, 'web-3:4711', 'PX', 60_000);
    await until('it is held again', () => live.lock(key)?.hold?.owner?.host === 'web-3');
    await until(
      'the signal is gone',
      async () => (await live.redis.exists('lock-signal:report')) === 0,
    );
    await live.redis.set(key, 'web-4:4712', 'PX', 60_000);
    await until('it is another’s', () => live.lock(key)?.hold?.owner?.pid === 4712);
    expect(live.lock(key)?.format.id).toBe('python-redis-lock');
  });
});
