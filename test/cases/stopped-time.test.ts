import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import type { Gap } from '@/lib/protocol/target';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis } from '@/test/support/redis-server';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';

const gapsOf = async (server: TestConsole): Promise<Gap[]> => (await server.query('heatmap')).gaps;

const isCovered = (gaps: readonly Gap[], at: number): boolean =>
  gaps.some(({ from, to }) => from <= at && (to === null || at <= to));

it('is a gap, whenever the console is killed: right after its start, and while Redis does not answer', async () => {
  const redis = await startRedis();
  const server = await startConsole({ redisUrl: redis.url });
  const client = new Redis(redis.url);
  try {
    await client.set('lock:a', 'A', 'PX', 600_000);
    await until(
      'something is kept',
      async () => (await server.query('history')).tiers[0]?.from ?? null,
    );
    await server.kill();
    await pause(1000);
    const stopped = Date.now();
    await pause(1000);
    await server.restart();
    await server.kill();
    await server.restart();
    expect(isCovered(await gapsOf(server), stopped)).toBe(true);

    process.kill(redis.pid, 'SIGSTOP');
    const hung = await until('events have stopped', async () =>
      (await gapsOf(server)).find(({ to }) => to === null),
    );
    await pause(3000);
    await server.kill();
    process.kill(redis.pid, 'SIGCONT');
    await server.restart();
    const after = await gapsOf(server);
    expect(isCovered(after, hung.from)).toBe(true);
    expect(isCovered(after, hung.from + 3000)).toBe(true);
  } finally {
    process.kill(redis.pid, 'SIGCONT');
    client.disconnect();
    await server.stop();
    await redis.stop();
  }
}, 150_000);
