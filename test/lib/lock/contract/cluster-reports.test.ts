import { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import { rejection } from '@/test/support/lock-fleet/lock-world';
import { startClusterNode } from '@/test/support/cluster-node';
import type { TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

let server: TestRedis;
let cluster: Cluster;
beforeAll(async () => {
  server = await startClusterNode();
  cluster = new Cluster([{ host: '127.0.0.1', port: server.port }]);
});
afterAll(async () => {
  cluster.disconnect();
  await server.stop();
});

it('in a cluster, too, refusals are counted instead of told one by one', async () => {
  const limits = { attemptsPerSecond: 0.01 };
  const client = createLockClient({ redis: cluster, limits, allowInsecure: true });
  const startedAt = performance.now();
  await client.using('a', () => {});
  for (let n = 0; n < 20; n++) {
    expect(await rejection(client.acquire('a'))).toMatchObject({ code: 'RATE_LIMITED' });
  }
  await client.close();
  const seconds = (performance.now() - startedAt) / 1_000;
  const counts = await until('all are told', async () => {
    const entries = await cluster.xrange('lockscope:reports', '-', '+');
    const told = entries.map(([, values]) => Number(values[values.indexOf('count') + 1]));
    return told.reduce((sum, each) => sum + each, 0) >= 20 ? told : null;
  });
  const [first, ...later] = counts;
  expect(first).toBe(1);
  expect(later.reduce((sum, each) => sum + each, 0)).toBe(19);
  expect(later.length).toBeLessThanOrEqual(seconds + 1);
});
