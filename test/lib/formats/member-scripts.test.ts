import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createScriptRunner } from '@/test/support/format-scripts';
import { list, text, zset } from '@/test/support/raw-values';
import { startRedis, type TestRedis } from '@/test/support/redis-server';

const EVERY_BYTE = String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i));
const HOSTILE = [
  'lock:plain',
  `lock:${EVERY_BYTE}`,
  'lock:"quotes\' and ]] --[[ comment',
  'lock:\r\n*1\r\n$8\r\nFLUSHALL\r\n',
];
const A = Buffer.alloc(32, 7).toString('base64');
const B = Buffer.alloc(32, 9).toString('base64');
const C = Buffer.alloc(32, 11).toString('base64');
const MARK = '__write__';

let server: TestRedis;
let redis: Redis;
const { call, release, removeMember } = createScriptRunner(() => redis);

beforeAll(async () => {
  server = await startRedis();
  redis = server.client();
});
afterAll(async () => await server.stop());
beforeEach(async () => void (await redis.flushall()));

const members = async (key: string) => await redis.zrange(key, '0', '-1');

describe.each([
  'sesamecare-redlock',
  'redlock-universal',
  'locco',
  'ioredis-lock',
  'warlock',
  'verrou',
  'medusa',
  'chat-adapter',
  'laravel',
  'laravel-funnel',
  'elixir-redlock',
  'rslock',
])('the release of %s', (id) => {
  const seen = text(EVERY_BYTE);
  const now = 0;

  it.each(HOSTILE)('deletes the key with the value that was seen (%#)', async (key) => {
    await call('SET', key, EVERY_BYTE);
    expect(await release(id, key, { seen, now })).toEqual([1, -1]);
    expect(await call('EXISTS', key)).toBe(0);
  });

  it('leaves another value, another type and nothing as they are', async () => {
    await call('SET', 'x', 'B', 'PX', '60000');
    expect(await release(id, 'x', { seen, now })).toEqual([-1]);
    expect(await redis.get('x')).toBe('B');
    await redis.del('x');
    expect(await release(id, 'x', { seen, now })).toEqual([0]);
    await redis.rpush('x', 'A');
    expect(await release(id, 'x', { seen, now })).toEqual([-1]);
    expect(await redis.lrange('x', 0, -1)).toEqual(['A']);
  });
});

describe('the release of a Symfony lock', () => {
  const now = Date.now();
  const later = now + 3_600_000;
  const past = now - 3_600_000;

  it.each(HOSTILE)('takes out the writer and its mark (%#)', async (key) => {
    await call('ZADD', key, later, A, later, MARK);
    const seen = zset([A, later], [MARK, later]);
    expect(await release('symfony', key, { seen, now })).toEqual([1, -1]);
    expect(await call('EXISTS', key)).toBe(0);
  });

  it('takes out the readers that were seen and leaves others', async () => {
    await call('ZADD', 'x', later, A, later, B, later, C);
    const seen = zset([A, later], [B, later]);
    expect(await release('symfony', 'x', { seen, now })).toEqual([1, -1]);
    expect(await members('x')).toEqual([C]);
  });

  it('goes on where a reader has run out and was purged', async () => {
    await call('ZADD', 'x', later, A);
    const seen = zset([B, past], [A, later]);
    expect(await release('symfony', 'x', { seen, now })).toEqual([1, -1]);
    expect(await redis.exists('x')).toBe(0);
  });

  it('changes nothing where somebody else holds it, or holds it otherwise', async () => {
    await call('ZADD', 'x', later, A);
    expect(await release('symfony', 'x', { seen: zset([B, later]), now })).toEqual([-1]);
    const both = zset([A, later], [B, later]);
    expect(await release('symfony', 'x', { seen: both, now })).toEqual([-1]);
    expect(await release('symfony', 'x', { seen: zset([B, past]), now })).toEqual([-1]);
    const asWriter = zset([A, later], [MARK, later]);
    expect(await release('symfony', 'x', { seen: asWriter, now })).toEqual([-1]);
    await call('ZADD', 'x', later, MARK);
    expect(await release('symfony', 'x', { seen: zset([A, later]), now })).toEqual([-1]);
    expect((await members('x')).toSorted()).toEqual([MARK, A].toSorted());
  });

  it('says when it is gone, and leaves another type', async () => {
    expect(await release('symfony', 'x', { seen: zset([A, later]), now })).toEqual([0]);
    await redis.set('x', A);
    expect(await release('symfony', 'x', { seen: zset([A, later]), now })).toEqual([-1]);
    expect(await redis.get('x')).toBe(A);
  });
});

describe('taking one member out', () => {
  const now = Date.now();
  const later = now + 3_600_000;

  it.each(HOSTILE)('of a semaphore leaves the others (%#)', async (key) => {
    await call('ZADD', key, 1, EVERY_BYTE, 2, 'two');
    const seen = zset([EVERY_BYTE, 1], ['two', 2]);
    const member = EVERY_BYTE;
    expect(await removeMember('redis-semaphore', key, { member, seen, now })).toEqual([1, -1]);
    expect(await call('ZCARD', key)).toBe(1);
    expect(await removeMember('redis-semaphore', key, { member, seen, now })).toEqual([0]);
  });

  it('of a Symfony lock leaves the other readers', async () => {
    await call('ZADD', 'x', later, A, later, B);
    const seen = zset([A, later], [B, later]);
    expect(await removeMember('symfony', 'x', { member: A, seen, now })).toEqual([1, -1]);
    expect(await members('x')).toEqual([B]);
    expect(await removeMember('symfony', 'x', { member: A, seen, now })).toEqual([0]);
  });

  it('of a Symfony lock takes the writer’s mark with it', async () => {
    await call('ZADD', 'x', later, A, later, MARK);
    const seen = zset([A, later], [MARK, later]);
    expect(await removeMember('symfony', 'x', { member: A, seen, now })).toEqual([1, -1]);
    expect(await redis.exists('x')).toBe(0);
  });

  it('of a Symfony lock changes nothing where a reader has become the writer', async () => {
    await call('ZADD', 'x', later, A, later, MARK);
    const seen = zset([A, later]);
    expect(await removeMember('symfony', 'x', { member: A, seen, now })).toEqual([-1]);
    expect(await members('x')).toHaveLength(2);
  });

  it.each(['redis-semaphore', 'symfony'])(
    'of nothing, or another type, is none: %s',
    async (id) => {
      const state = { member: 'a', seen: list(), now };
      expect(await removeMember(id, 'x', state)).toEqual([0]);
      await redis.rpush('x', 'a');
      expect(await removeMember(id, 'x', state)).toEqual([-1]);
      expect(await redis.llen('x')).toBe(1);
    },
  );
});
