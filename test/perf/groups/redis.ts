import type { Redis } from 'ioredis';
import type { Report } from '@/test/perf/index';
import { paced, saturateByClients } from '@/test/perf/load';
import { median, quantile } from '@/test/perf/statistics';
import { startConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { pause } from '@/test/support/pause';

/** Services that lock at the same time, each on a connection of its own. */
const CLIENTS = 50;

async function redisCpuSeconds(redis: Redis): Promise<number> {
  const info = await redis.info('cpu');
  const read = (name: string): number => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)?.[1]);
  return read('used_cpu_user') + read('used_cpu_sys');
}

async function cpuOf(clients: readonly Redis[], prefix: string, pairs: number): Promise<number> {
  const [redis] = clients;
  if (!redis) throw new Error('at least one client is needed');
  const before = await redisCpuSeconds(redis);
  await saturateByClients(clients, { prefix, pairs });
  return (await redisCpuSeconds(redis)) - before;
}

/** Latency (ms, p99) of acquire and of release at 5,000 lock operations a second. */
async function p99At5000(redis: Redis, seconds: number): Promise<number> {
  const samples: number[] = [];
  const pending: Promise<void>[] = [];
  const timed = async (command: Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    await command;
    samples.push(performance.now() - startedAt);
  };
  await paced({ perSecond: 2500, seconds }, (index) => {
    const key = `lock:paced:${index % 500}`;
    pending.push(timed(redis.set(key, 'token', 'PX', 30_000, 'NX')), timed(redis.del(key)));
  });
  await Promise.all(pending);
  return quantile(samples, 0.99);
}

/** The same load on a Redis without events and without console, and on one that is watched, in turn. */
export async function measureRedis(report: Report, quick: boolean): Promise<void> {
  const pairs = quick ? 20_000 : 150_000;
  const rounds = quick ? 2 : 5;
  const [plain, watched] = [await startRedis({ flags: '' }), await startRedis()];
  const console = await startConsole({ redisUrl: watched.url });
  const connect = (server: TestRedis): Redis[] =>
    Array.from({ length: CLIENTS }, () => server.client());
  const [toPlain, toWatched] = [connect(plain), connect(watched)];
  const ratios = { matching: [] as number[], other: [] as number[], p99: [] as number[] };
  try {
    await pause(1000);
    for (let round = 0; round < rounds; round++) {
      for (const [kind, prefix] of [
        ['matching', 'lock:load:'],
        ['other', 'cache:load:'],
      ] as const) {
        const without = await cpuOf(toPlain, prefix, pairs);
        ratios[kind].push((await cpuOf(toWatched, prefix, pairs)) / without);
      }
      const seconds = quick ? 1 : 4;
      const without = await p99At5000(plain.client(), seconds);
      ratios.p99.push((await p99At5000(watched.client(), seconds)) / without);
    }
  } finally {
    await console.stop();
    await Promise.all([plain.stop(), watched.stop()]);
  }
  report('redis.cpuRatio', median(ratios.matching));
  report('redis.cpuRatio.otherKeys', median(ratios.other));
  report('redis.p99Ratio.at5000', median(ratios.p99));
}
