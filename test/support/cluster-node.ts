import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

/** Starts a real redis-server in cluster mode that serves all slots by itself. */
export async function startClusterNode(): Promise<TestRedis> {
  const redis = await startRedis({
    isCluster: true,
    args: ['--cluster-announce-ip', '127.0.0.1'],
  });
  try {
    const client = redis.client();
    await client.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    await until('the cluster stands', async () =>
      String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'),
    );
    return redis;
  } catch (error) {
    await redis.stop();
    throw error;
  }
}
