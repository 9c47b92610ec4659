import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLockClient } from '@/lib/lock/index';
import { createTaskRunner } from '@/lib/lock/task-runner/index';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { runnersUnderTest } from './runners-under-test';

const under = runnersUnderTest();

/** Counts to `payload` by checkpoints, one every 20 ms. */
const counts = (seen: string[], name: string) => ({
  count: {
    run: async (run: {
      progress: unknown;
      payload: unknown;
      takeovers: number;
      checkpoint: (progress: unknown) => Promise<void>;
    }) => {
      for (let i = Number(run.progress ?? 0); i < Number(run.payload); i++) {
        seen.push(`${name}${i}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
        await run.checkpoint(i + 1);
      }
      return run.takeovers;
    },
  },
});

describe('a runner that closes', () => {
  it('hands its run on at the next checkpoint, at once and as no takeover', async () => {
    const seen: string[] = [];
    const one = under.runner(counts(seen, 'a'), { leaseMs: 30_000 });
    await one.start();
    await one.trigger('count', 150, { id: '1' });
    await until('it counts', () => seen.length > 3);
    const two = under.runner(counts(seen, 'b'), { leaseMs: 30_000 });
    await two.start();
    await one.close();
    expect(one.events.map(({ event }) => event)).toContain('handed-on');
    const status = await under.ended(two, 'count', '1');
    expect(status).toMatchObject({ state: 'done', attempt: 1, result: 0, acknowledged: 150 });
    expect(seen.map((entry) => Number(entry.slice(1)))).toEqual([...Array(150).keys()]);
  });

  it('gives up work that does not end in time, and refuses what it does later', async () => {
    const { promise: goOn, resolve: end } = Promise.withResolvers<void>();
    const { promise: tried, resolve: told } = Promise.withResolvers<unknown>();
    const stubborn = {
      stubborn: {
        run: async (run: { takeovers: number; checkpoint: (p: unknown) => Promise<void> }) => {
          if (run.takeovers > 0) return 'by the other';
          await goOn;
          await run.checkpoint('too late').catch((error: unknown) => told(error));
          return 'by the first';
        },
      },
    };
    const one = under.runner(stubborn);
    await one.start();
    await one.trigger('stubborn', null, { id: '1' });
    await until('it runs', async () => (await one.status('stubborn', '1'))?.state === 'running');
    await one.close({ graceMs: 50 });
    const two = under.runner(stubborn);
    await two.start();
    const status = await under.ended(two, 'stubborn', '1');
    end();
    expect(await tried).toMatchObject({ code: 'NOT_HELD' });
    expect(status).toMatchObject({ result: 'by the other', progress: undefined, takeovers: 1 });
  });

  it('leaves no lock, no waiter and no listener behind, and closes twice', async () => {
    const runner = under.runner({ a: { run: () => null } });
    await runner.start();
    const { id } = await runner.trigger('a');
    await under.ended(runner, 'a', id);
    await runner.close();
    await runner.close();
    expect(await under.redis.keys('qoder:lock:*')).toEqual([]);
    expect(await under.redis.pubsub('CHANNELS', 'lockscope:task:*')).toEqual([]);
  });
});

describe('a task that is taken away while it runs', () => {
  it('acknowledges nothing any more; its successor has all that was acknowledged', async () => {
    const seen: string[] = [];
    const [one, two] = [under.runner(counts(seen, 'a')), under.runner(counts(seen, 'b'))];
    await one.start();
    await one.trigger('count', 150, { id: '1' });
    await until('it counts', () => seen.length > 3);
    await two.start();
    // As a force-release does it.
    await under.redis.del('qoder:lock:task:count');
    const status = await under.ended(two, 'count', '1');
    expect(status).toMatchObject({ state: 'done', acknowledged: 150, takeovers: 1 });
    await until('the first one knows', () => one.events.some(({ event }) => event === 'lost'));
    const kept = [one, two].flatMap(({ events }) =>
      events.filter(({ event }) => event === 'acknowledged'),
    );
    expect(kept).toHaveLength(150);
  });

  it('is failed when it is taken over again and again without progress', async () => {
    let begun = 0;
    const hangs = {
      hangs: {
        takeovers: 2,
        run: async (run: { signal: AbortSignal }) => {
          begun += 1;
          await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
        },
      },
    };
    const runner = under.runner(hangs, { leaseMs: 3_000 });
    await runner.start();
    await runner.trigger('hangs', null, { id: '1' });
    for (let taken = 1; taken <= 3; taken++) {
      await until('it began', () => begun === taken);
      await under.redis.del('qoder:lock:task:hangs');
    }
    const status = await under.ended(runner, 'hangs', '1');
    expect(status).toMatchObject({ state: 'failed', takeovers: 3 });
    expect(status.error).toContain('3 times in a row without progress');
  });

  it('tells when no fence of its lock can be high enough', async () => {
    const runner = under.runner({ a: { run: () => null } });
    await under.redis.hset('lockscope:task:state:{qoder:lock:task:a}', 'fence', 2 ** 52);
    await runner.start();
    await runner.trigger('a', null, { id: '1' });
    const told = await until('it tells', () =>
      runner.events.find(({ event }) => event === 'error'),
    );
    expect(told.error).toMatchObject({ code: 'LOST', fields: { reason: 'fenced' } });
    expect(await runner.status('a', '1')).toMatchObject({ state: 'waiting' });
  });

  it('stops when its record vanishes', async () => {
    const seen: string[] = [];
    const runner = under.runner(counts(seen, 'a'));
    await runner.start();
    await runner.trigger('count', 1000, { id: '1' });
    await until('it counts', () => seen.length > 3);
    await under.redis.flushall();
    await until('it is lost', () => runner.events.some(({ event }) => event === 'lost'));
    expect(await runner.status('count', '1')).toBeNull();
    await runner.trigger('count', 2, { id: '2' });
    expect(await under.ended(runner, 'count', '2')).toMatchObject({ state: 'done' });
  });
});

describe('a Redis that goes away', () => {
  it('ends no run: it goes on after the connection is back', async () => {
    const seen: string[] = [];
    const runner = under.runner(counts(seen, 'a'));
    await runner.start();
    await runner.trigger('count', 150, { id: '1' });
    for (let cut = 0; cut < 5; cut++) {
      const before = seen.length;
      await until('it counts', () => seen.length > before + 2);
      await under.redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      await under.redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    }
    const status = await under.ended(runner, 'count', '1');
    expect(status).toMatchObject({ state: 'done', attempt: 1, acknowledged: 150 });
  });

  it('loses no trigger and no checkpoint when it is killed and has an append-only file', async () => {
    const seen: string[] = [];
    const dir = await mkdtemp(join(tmpdir(), 'lockscope-aof-'));
    const args = ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', dir];
    const first = await startRedis({ args });
    const redis = first.client();
    redis.on('error', () => undefined);
    const client = createLockClient({ redis, allowInsecure: true });
    const runner = createTaskRunner({ client, redis, tasks: counts(seen, 'a') });
    await runner.start();
    await runner.trigger('count', 30, { id: '1' });
    await runner.trigger('count', 5, { id: '2' });
    await until('it counts', () => seen.length > 5);
    await first.kill();
    const second = await startRedis({ args, port: first.port });
    try {
      for (const [id, acknowledged] of [
        ['1', 30],
        ['2', 5],
      ] as const) {
        const status = await under.ended(runner, 'count', id);
        expect(status).toMatchObject({ state: 'done', attempt: 1, acknowledged });
      }
    } finally {
      await runner.close();
      await client.close();
      await first.stop();
      await second.stop();
      await rm(dir, { recursive: true, force: true });
    }
  });
});
