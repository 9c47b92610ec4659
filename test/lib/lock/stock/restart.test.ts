import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import { createStock } from '@/lib/lock/stock/index';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { createBuyerFleet } from './buyer-fleet';
import { runSale } from './sale';

/** A Redis that comes back with everything it acknowledged. */
async function durableRedis(): Promise<{ port: number; restart: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'lockscope-stock-'));
  const args = ['--dir', dir, '--appendonly', 'yes', '--appendfsync', 'always'];
  const started: TestRedis[] = [];
  const start = async (port?: number): Promise<TestRedis> => {
    const redis = await startRedis({ args, ...(port === undefined ? {} : { port }) });
    started.push(redis);
    return redis;
  };
  let current = await start();
  onTestFinished(async () => {
    for (const redis of started) await redis.stop();
    await rm(dir, { recursive: true, force: true });
  });
  return {
    port: current.port,
    restart: async () => {
      await current.kill();
      current = await start(current.port);
    },
  };
}

it('sells every unit once while Redis is killed and connections are cut', async () => {
  const server = await durableRedis();
  const redis = new Redis({ port: server.port, maxRetriesPerRequest: null });
  redis.on('error', () => {
    // The server is killed on purpose.
  });
  const client = createLockClient({ redis, allowInsecure: true });
  const stock = createStock({ client, redis, name: 'durable' });
  await stock.setUp(2000);
  const fleet = await createBuyerFleet({ port: server.port, stock: stock.name });
  onTestFinished(async () => {
    await fleet.stop();
    await client.close();
    redis.disconnect();
  });
  let restarts = 0;
  let cuts = 0;
  const sale = await runSale({
    fleet,
    processes: 4,
    orders: 2600,
    most: 1,
    customers: 32,
    seed: 4,
    trouble: async () => {
      if ((restarts + cuts) % 5 === 1) {
        await server.restart();
        restarts++;
      } else {
        await redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        cuts++;
      }
    },
  });
  expect(restarts).toBeGreaterThan(0);
  expect(cuts).toBeGreaterThan(0);
  expect(sale.failures).toEqual([]);
  expect(sale.unitsHeld).toBe(2000);
  expect(await stock.remaining()).toMatchObject({ remaining: 0, sold: 2000, total: 2000 });
}, 600_000);
