import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashTag, keySlot } from '@/lib/analysis/key-slot';
import { startClusterNode } from '@/test/support/cluster-node';
import type { TestRedis } from '@/test/support/redis-server';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startClusterNode();
});
afterAll(() => redis.stop());

const KEYS = [
  ...['', 'a', 'foo', '123456789', 'lock:order:42', '{order}:42', 'order:{42}', 'a{b}c{d}'],
  ...['{}', 'foo{}{bar}', 'foo{{bar}}zap', 'x{', 'x}{y', '{', '\xff\0{\xfe}', 'é'.repeat(300)],
];

it.each(KEYS)('the slot of %j is as Redis says', async (key) => {
  const said = await redis.client().call('CLUSTER', 'KEYSLOT', Buffer.from(key, 'latin1'));
  expect(keySlot(key)).toBe(said);
});

it('only the first pair of braces names a tag, and an empty one names none', () => {
  expect(KEYS.slice(5, 11).map(hashTag)).toEqual(['order', '42', 'b', '{}', 'foo{}{bar}', '{bar']);
});
