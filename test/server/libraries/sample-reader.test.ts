import { afterEach, expect, it } from 'vitest';
import { createSampleReader } from '@/server/libraries/sample-reader';
import { startClusterNode } from '@/test/support/cluster-node';
import type { TestRedis } from '@/test/support/redis-server';

let redis: TestRedis | undefined;
afterEach(() => redis?.stop());

it('a node of a cluster is looked through key by key, as it refuses keys of several slots at once', async () => {
  redis = await startClusterNode();
  const client = redis.client();
  const keys = Array.from({ length: 120 }, (_, i) => `k:${i}`);
  for (const key of keys) await client.set(key, key);
  const reader = createSampleReader();
  const contents = await reader.read(client, [...keys, 'gone'], () => []);
  expect(contents.map((content) => content?.value)).toMatchObject([
    ...keys.map((bytes) => ({ type: 'string', bytes })),
    null,
  ]);
}, 60_000);
