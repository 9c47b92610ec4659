import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { countCommands, type CommandSender, type LockTaker } from '@/test/perf/lock/client';
import { monotonicMs } from '@/test/perf/lock/clock';
import { contend } from '@/test/perf/lock/contend';
import type { ContendedResult } from '@/test/perf/lock/job';
import { open as openPlain } from '@/test/perf/lock/plain';
import { countOverlaps } from '@/test/perf/lock/sections';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

let server: TestRedis;

beforeAll(async () => {
  server = await startRedis({ flags: '', password: 'bench' });
});
afterAll(async () => {
  await server.stop();
});

const connectionTo = (redis: TestRedis) => ({
  host: '127.0.0.1',
  port: redis.port,
  password: 'bench',
});

async function contest(taker: LockTaker): Promise<ContendedResult> {
  const startsAt = monotonicMs();
  return await contend({
    taker,
    job: {
      kind: 'contended',
      client: 'under test',
      connection: connectionTo(server),
      workers: 3,
      firstWorker: 0,
      holdMs: 1,
    },
    window: { startsAt, endsAt: startsAt + 2_000, givesUpAt: startsAt + 3_000 },
    commandsSent: () => 0,
  });
}

describe('a contest', () => {
  it('sees that a lock excludes nobody', async () => {
    const anybody: LockTaker = {
      acquire: async () => ({ release: async () => undefined }),
      close: () => undefined,
    };
    const { sections } = await contest(anybody);
    expect(countOverlaps(sections)).toBeGreaterThan(0);
  });

  it('sees no overlap where a lock excludes', async () => {
    const taker = openPlain(connectionTo(server));
    const { sections } = await contest(taker);
    await taker.close();
    expect(sections.length).toBeGreaterThan(1);
    expect(countOverlaps(sections)).toBe(0);
  });

  it('tells of a wait that never ended', async () => {
    const nobody: LockTaker = {
      acquire: async () => await new Promise(() => undefined),
      close: () => undefined,
    };
    const { sections, unserved } = await contest(nobody);
    expect(sections).toEqual([]);
    expect(unserved).toHaveLength(3);
  });
});

describe('counting commands', () => {
  it('counts what MONITOR sees, pipelines and script calls as they are sent', async () => {
    class Counted extends Redis {}
    const watcher = await server.client({ enableReadyCheck: false }).monitor();
    const seen: string[] = [];
    watcher.on('monitor', (_time: string, args: string[], source: string) => {
      if (source !== 'lua') seen.push(args.join(' '));
    });
    const redis = new Counted(connectionTo(server));
    await redis.ping();
    await until('the first command', () => seen.includes('ping'));
    const before = seen.length;
    const sent = countCommands(Counted as unknown as CommandSender);
    redis.defineCommand('two', { lua: "redis.call('GET', 'a') return redis.call('GET', 'b')" });
    const commands = redis as unknown as { two: (keys: number) => Promise<null> };
    await Promise.all([redis.set('a', 1), commands.two(0), commands.two(0)]);
    await redis.pipeline().get('a').get('b').exec();
    await redis.get('last');
    await until('the last command', () => seen.includes('get last'));
    expect(sent()).toBe(seen.length - before);
    expect(sent()).toBeGreaterThanOrEqual(6);
    redis.disconnect();
    watcher.disconnect();
  });
});
