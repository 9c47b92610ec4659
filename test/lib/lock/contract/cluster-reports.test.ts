import { Cluster } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import { rejection } from '@/test/support/lock-fleet/lock-world';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

let server: TestRedis;
let cluster: Cluster;
beforeAll(async () => {
  server = await startRedis({
    args: ['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'],
  });
  await server.client().call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
  await until('the cluster stands', async () =>
    `${await server.client().call('CLUSTER', 'INFO')}`.includes('cluster_state:ok'),
  );
  cluster = new Cluster([{ host: '127.0.0.1', port: server.port }]);
});
afterAll(async () => {
  cluster.disconnect();
  await server.stop();
});

it('in a cluster, too, refusals are counted instead of told one by one', async () => {
  const limits = { attemptsPerSecond: 0.01 };
  const client = createLockClient({ redis: cluster, limits, allowInsecure: true });
  await client.using('a', () => {});
  for (let n = 0; n < 20; n++) {
    expect(await rejection(client.acquire('a'))).toMatchObject({ code: 'RATE_LIMITED' });
  }
  await client.close();
  const entries = await until('both are told', async () => {
    const found = await cluster.xrange('lockscope:reports', '-', '+');
    return found.length >= 2 ? found : null;
  });
  const counts = entries.map(([, values]) => values.slice(values.indexOf('count') + 1));
  expect(counts).toEqual([['1'], ['19']]);
});
