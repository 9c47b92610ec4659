import { Cluster } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { createStock, type Stock } from '@/lib/lock/stock/index';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { refusal } from './shop';

const SLOTS = 16_384;
const MASTERS = 3;
const masters: TestRedis[] = [];
let cluster: Cluster;
let client: LockClient;

async function startMaster(): Promise<TestRedis> {
  return await startRedis({ isCluster: true });
}

async function join(): Promise<void> {
  const [first, ...others] = masters;
  if (!first) throw new Error('a cluster has masters');
  for (const [index, master] of masters.entries()) {
    const from = Math.floor((SLOTS * index) / MASTERS);
    const to = Math.floor((SLOTS * (index + 1)) / MASTERS) - 1;
    await master.client().call('CLUSTER', 'ADDSLOTSRANGE', from, to);
  }
  for (const other of others) {
    const [, bus] = (await other.client().config('GET', 'cluster-port')) as string[];
    await first.client().call('CLUSTER', 'MEET', '127.0.0.1', other.port, bus ?? '');
  }
  for (const master of masters) {
    await until('the cluster is whole', async () => {
      const info = String(await master.client().call('CLUSTER', 'INFO'));
      return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${MASTERS}`);
    });
  }
}

beforeAll(async () => {
  for (let i = 0; i < MASTERS; i++) masters.push(await startMaster());
  await join();
  cluster = new Cluster(masters.map(({ port }) => ({ host: '127.0.0.1', port })));
  client = createLockClient({ redis: cluster, allowInsecure: true });
});
afterAll(async () => {
  await client?.close();
  cluster?.disconnect();
  for (const master of masters) await master.stop();
});

const stockNamed = (name: string): Stock => createStock({ client, redis: cluster, name });

describe('a stock in a Cluster', () => {
  it('lies on every master', async () => {
    await stockNamed('spread').setUp(100);
    for (const master of masters) {
      expect(await master.client().dbsize()).toBeGreaterThan(0);
    }
  });

  it('sells the last unit, gathers from all masters and refuses what is more than all', async () => {
    const stock = stockNamed('last');
    await stock.setUp(30);
    await stock.deduct(1, { orderId: 'one' });
    expect(await refusal(stock.deduct(30, { orderId: 'thirty' }))).toMatchObject({
      code: 'OUT_OF_STOCK',
      fields: { remaining: 29 },
    });
    await stock.deduct(29, { orderId: 'rest' });
    expect(await stock.remaining()).toEqual({
      remaining: 0,
      sold: 30,
      total: 30,
      inTransit: 0,
      segments: Array.from({ length: 10 }, () => 0),
      evidence: 'observed',
    });
  });

  it('sells exactly all to crowds of several clients, with returns and deliveries between', async () => {
    const stock = stockNamed('crowd');
    await stock.setUp(300);
    const buyers = Array.from({ length: 4 }, () => stockNamed('crowd'));
    const orders = Array.from({ length: 2000 }, (_, i) => `c-${i}`);
    const work = orders.map(async (orderId, i) => {
      await new Promise((resolve) => setTimeout(resolve, i / 20));
      if (i % 400 === 0) await stock.restock(20, { restockId: `d-${i}` });
      const buyer = buyers[i % buyers.length] ?? stock;
      await buyer.deduct(1, { orderId });
      if (i % 10 === 0) await buyer.giveBack(orderId);
      return i % 10 === 0 ? 0 : 1;
    });
    const results = await Promise.allSettled(work);
    const held = results.reduce(
      (sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0),
      0,
    );
    const level = await stock.remaining();
    expect(level).toMatchObject({ sold: held, total: 400, evidence: 'observed' });
    expect(level.sold + level.remaining).toBe(400);
  });
});
