import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adviseLease, LeaseAdvisor, parseLeaseAdvice } from '@/lib/lock/lease-advice';
import { adviceKey } from '@/lib/lock/names';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const BOUNDS = { minMs: 1000, maxMs: 60_000 };
const advise = (fields: Record<string, string>, name: string): number | null =>
  adviseLease(parseLeaseAdvice(fields), name, BOUNDS);

describe('the recommended lease of a class', () => {
  it('fits the names of its class only', () => {
    const fields = { 'order_sync:*': '5000' };
    expect(advise(fields, 'order_sync:SO-1')).toBe(5000);
    expect(advise(fields, 'order_sync:')).toBe(5000);
    expect(advise(fields, 'order_sync')).toBeNull();
    expect(advise(fields, 'x:order_sync:SO-1')).toBeNull();
  });

  it('fits a star in the middle and several stars', () => {
    const fields = { 'a:*:b:*:c': '2000' };
    expect(advise(fields, 'a:1:b:2:b:3:c')).toBe(2000);
    expect(advise(fields, 'a:1:b:2:c:d')).toBeNull();
  });

  it('takes the class that says most of the name', () => {
    const fields = { '*': '1000', 'order:*': '2000', 'order:eu:*': '3000', 'order:eu:7': '4000' };
    expect(advise(fields, 'order:eu:7')).toBe(4000);
    expect(advise(fields, 'order:eu:8')).toBe(3000);
    expect(advise(fields, 'order:us:8')).toBe(2000);
    expect(advise(fields, 'stock:1')).toBe(1000);
  });

  it('stays within the bounds', () => {
    expect(advise({ a: '10' }, 'a')).toBe(1000);
    expect(advise({ a: '999999999' }, 'a')).toBe(60_000);
  });

  it.each(['', 'soon', '-5', '0', 'NaN', 'Infinity'])('ignores a lease of %o', (lease) => {
    expect(advise({ a: lease }, 'a')).toBeNull();
  });
});

describe('the advisor of a namespace', () => {
  let server: TestRedis;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(async () => {
    await server.stop();
  });

  const open = (namespace: string, errors: unknown[] = []) => {
    const redis = server.client();
    const onError = (error: unknown): void => void errors.push(error);
    return { redis, advisor: new LeaseAdvisor({ redis, namespace, bounds: BOUNDS, onError }) };
  };

  it('uses the given lease until it has read, then the recommended one', async () => {
    const { redis, advisor } = open('pay');
    await redis.hset(adviceKey('pay'), { 'order:*': '4000' });
    await redis.hset(adviceKey(''), { 'order:*': '9000' });
    expect(advisor.leaseFor('order:1', 30_000, 0)).toBe(30_000);
    await advisor.refresh(0);
    expect(advisor.leaseFor('order:1', 30_000, 1)).toBe(4000);
    expect(advisor.leaseFor('other:1', 30_000, 1)).toBe(30_000);
  });

  it('reads again after 30 s and not before', async () => {
    const { redis, advisor } = open('again');
    await redis.hset(adviceKey('again'), { a: '4000' });
    await advisor.refresh(0);
    await redis.hset(adviceKey('again'), { a: '7000' });
    advisor.leaseFor('a', 1, 29_999);
    await redis.ping();
    expect(advisor.leaseFor('a', 1, 29_999)).toBe(4000);
    advisor.leaseFor('a', 1, 30_000);
    await until('it is read', () => advisor.leaseFor('a', 1, 30_001) === 7000);
  });

  it('keeps what it read when the next reading fails, and tells', async () => {
    const errors: unknown[] = [];
    const { redis, advisor } = open('kept', errors);
    await redis.hset(adviceKey('kept'), { a: '4000' });
    await advisor.refresh(0);
    await redis.set(adviceKey('kept'), 'no hash');
    await advisor.refresh(40_000);
    expect(advisor.leaseFor('a', 1, 40_001)).toBe(4000);
    expect(errors).toHaveLength(1);
  });
});
