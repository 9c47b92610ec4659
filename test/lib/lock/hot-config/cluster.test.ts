import { Cluster } from 'ioredis';
import { expect, it } from 'vitest';
import {
  createConfigReader,
  createConfigWriter,
  readConfigStatus,
} from '@/lib/lock/hot-config/index';
import { createLockClient } from '@/lib/lock/index';
import { isWhole, marked, type Marked } from '@/test/lib/lock/hot-config/marked';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const SLOTS = 16_384;
const NODES = 3;

it('a configuration is changed, followed and acknowledged in a cluster', async () => {
  const servers = await Promise.all(
    Array.from({ length: NODES }, () => startRedis({ isCluster: true })),
  );
  const [first] = servers;
  for (const [i, server] of servers.entries()) {
    const node = server.client();
    const from = Math.ceil((i * SLOTS) / NODES);
    const to = Math.ceil(((i + 1) * SLOTS) / NODES) - 1;
    await node.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    await node.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    if (i > 0 && first) {
      const [, bus = ''] = (await first.client().config('GET', 'cluster-port')) as string[];
      await node.call('CLUSTER', 'MEET', '127.0.0.1', first.port, bus);
    }
  }
  for (const server of servers) {
    const node = server.client();
    await until(
      'the cluster stands',
      async () => {
        const info = `${await node.call('CLUSTER', 'INFO')}`;
        return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${NODES}`);
      },
      60_000,
    );
  }
  const redis = new Cluster([{ host: '127.0.0.1', port: first?.port }]);
  const client = createLockClient({ redis, allowInsecure: true });
  try {
    for (const name of ['a', 'b', 'c', '{d}']) {
      const acknowledge = { as: 'cluster', withinMs: 10 };
      const reader = createConfigReader<Marked>({ redis, name, acknowledge, checkMs: 60_000 });
      expect(await reader.ready()).toBeNull();
      const writer = createConfigWriter<Marked>({ client, redis, name });
      for (const length of [20, 20_000]) {
        const { version } = await writer.replace(marked(length, length));
        const read = await reader.waitFor(version, { signal: AbortSignal.timeout(60_000) });
        expect(isWhole(read.content)).toBe(true);
      }
      await until('it is acknowledged', async () => {
        const { readers } = await readConfigStatus({ redis, name });
        return readers.current === 1;
      });
      reader.close();
    }
  } finally {
    await client.close();
    redis.disconnect();
    for (const server of servers) await server.stop();
  }
}, 300_000);
