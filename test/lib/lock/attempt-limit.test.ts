import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  admitAttempt,
  rateLimitedError,
  reserveAttempts,
  SharedAttempts,
  TokenBucket,
} from '@/lib/lock/attempt-limit';
import { limitKey } from '@/lib/lock/names';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

describe('the attempts of one client', () => {
  it('lets a second’s worth through at once, then one by one at the rate', () => {
    const bucket = new TokenBucket(10);
    const atOnce = Array.from({ length: 12 }, () => bucket.take(0));
    expect(atOnce.filter((waitMs) => waitMs === 0)).toHaveLength(10);
    expect(bucket.take(0)).toBe(100);
    expect(bucket.take(99)).toBeCloseTo(1);
    expect(bucket.take(100)).toBe(0);
    expect(bucket.take(100)).toBe(100);
  });

  it('never saves up more than a second', () => {
    const bucket = new TokenBucket(5);
    for (let i = 0; i < 5; i++) bucket.take(0);
    const later = Array.from({ length: 20 }, () => bucket.take(60_000));
    expect(later.filter((waitMs) => waitMs === 0)).toHaveLength(5);
  });

  it('keeps to the rate over a long time', () => {
    const bucket = new TokenBucket(7);
    let admitted = 0;
    for (let now = 0; now < 100_000; now += 3) if (bucket.take(now) === 0) admitted += 1;
    expect(admitted).toBeGreaterThanOrEqual(700);
    expect(admitted).toBeLessThanOrEqual(707);
  });

  it('allows less than one a second', () => {
    const bucket = new TokenBucket(0.5);
    expect(bucket.take(0)).toBe(0);
    expect(bucket.take(0)).toBe(2000);
    expect(bucket.take(1999)).toBeCloseTo(1);
    expect(bucket.take(2000)).toBe(0);
  });
});

describe('the attempts of a namespace', () => {
  let server: TestRedis;
  let namespace = '';
  let number = 0;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    await server.stop();
  });
  beforeEach(() => {
    namespace = `pay${number++}`;
  });
  const shared: { calls: number } = { calls: 0 };
  afterEach(() => {
    shared.calls = 0;
  });

  const open = (perSecond: number): SharedAttempts => {
    const redis = server.client();
    return new SharedAttempts({
      perSecond,
      clock: () => performance.now(),
      reserve: async (wanted) => {
        shared.calls += 1;
        return await reserveAttempts(redis, { namespace, perSecond, wanted });
      },
    });
  };
  const admittedOf = async (attempts: (number | Promise<number>)[]): Promise<number> =>
    (await Promise.all(attempts)).filter((waitMs) => waitMs === 0).length;

  it('are counted over all clients together', async () => {
    const clients = [open(20), open(20), open(20)];
    const startedAt = performance.now();
    const attempts = clients.flatMap((client) => Array.from({ length: 30 }, () => client.take()));
    const admitted = await admittedOf(attempts);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(admitted).toBeGreaterThanOrEqual(20);
    expect(admitted).toBeLessThanOrEqual(20 + Math.ceil(20 * seconds));
  });

  it('are counted apart for each namespace', async () => {
    const first = open(0.01);
    expect(await first.take()).toBe(0);
    expect(await first.take()).toBeGreaterThan(0);
    namespace += '-other';
    expect(await open(0.01).take()).toBe(0);
  });

  it('reach Redis once for all that are made in one tick', async () => {
    const client = open(1000);
    expect(await admittedOf(Array.from({ length: 500 }, () => client.take()))).toBe(500);
    expect(shared.calls).toBe(1);
  });

  it('cost few calls however often one attempts, and use up what is allowed', async () => {
    // By a clock of its own, so that no wait for the processor lets blocks lapse.
    let now = 0;
    const bucket = new TokenBucket(1000);
    const client = new SharedAttempts({
      perSecond: 1000,
      clock: () => now,
      reserve: async (wanted) => {
        shared.calls += 1;
        const waits = Array.from({ length: wanted }, () => bucket.take(now));
        const granted = waits.filter((waitMs) => waitMs === 0).length;
        return await Promise.resolve({ granted, retryAfterMs: Math.max(...waits) });
      },
    });
    let admitted = 0;
    let attempts = 0;
    for (; now < 5_000; now++) {
      for (let i = 0; i < 20; i++) if ((await client.take()) === 0) admitted += 1;
      attempts += 20;
    }
    // A second's worth to begin with and what came in since.
    expect(admitted).toBeGreaterThan(1000 + 5000 * 0.8);
    expect(admitted).toBeLessThanOrEqual(1000 + 5000);
    expect(shared.calls).toBeLessThan(attempts / 50);
  });

  it('are refused without a call while the bucket is known to be empty', async () => {
    const client = open(0.01);
    await client.take();
    await client.take();
    const calls = shared.calls;
    const refused = Array.from({ length: 100 }, () => client.take());
    expect(refused.every((waitMs) => typeof waitMs === 'number' && waitMs > 0)).toBe(true);
    expect(shared.calls).toBe(calls);
  });

  it('are admitted again when the bucket has filled', async () => {
    const client = open(10);
    await admittedOf(Array.from({ length: 11 }, () => client.take()));
    await pause(250);
    expect(await admittedOf(Array.from({ length: 5 }, () => client.take()))).toBeGreaterThan(0);
  });

  it('leave nothing behind once the bucket is full again', async () => {
    const redis = server.client();
    await open(1000).take();
    const ttl = await redis.pttl(limitKey(namespace));
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(2000);
  });

  it('do not fill twice when the clock of Redis goes back', async () => {
    const redis = server.client();
    await reserveAttempts(redis, { namespace, perSecond: 5, wanted: 5 });
    await redis.hset(limitKey(namespace), 'at', Date.now() + 3_600_000);
    const got = await reserveAttempts(redis, { namespace, perSecond: 5, wanted: 5 });
    expect(got.granted).toBe(0);
  });

  it('reject with what Redis said, and work again afterwards', async () => {
    const redis = server.client();
    await redis.set(limitKey(namespace), 'no hash');
    const client = open(5);
    await expect(client.take()).rejects.toThrow(/WRONGTYPE/);
    await redis.del(limitKey(namespace));
    expect(await client.take()).toBe(0);
  });
});

describe('both limits together', () => {
  it('take nothing from the namespace for an attempt that the client’s own limit refuses', async () => {
    let wanted = 0;
    const limits = {
      client: new TokenBucket(1),
      namespace: new SharedAttempts({
        perSecond: 5,
        clock: () => 0,
        reserve: (count) => {
          wanted += count;
          return Promise.resolve({ granted: count, retryAfterMs: 0 });
        },
      }),
    };
    expect(await admitAttempt(limits, 0)).toBeNull();
    expect(admitAttempt(limits, 0)).toEqual({ scope: 'client', perSecond: 1, retryAfterMs: 1000 });
    expect(wanted).toBe(1);
  });

  it('admit everything where there are none', () => {
    expect(admitAttempt({ client: null, namespace: null }, 0)).toBeNull();
  });

  it('say in the error whose limit it was and when to come again', () => {
    const refused = { scope: 'namespace', perSecond: 5, retryAfterMs: 40 } as const;
    const error = rateLimitedError('qoder:lock:a', refused);
    expect(error).toMatchObject({
      code: 'RATE_LIMITED',
      fields: { key: 'qoder:lock:a', ...refused },
    });
    expect(error.message).toContain('all clients of the namespace');
  });
});
