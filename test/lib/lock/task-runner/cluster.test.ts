import { afterAll, beforeAll, expect, it } from 'vitest';
import { Cluster } from 'ioredis';
import { createLockClient } from '@/lib/lock/index';
import { createTaskRunner } from '@/lib/lock/task-runner/index';
import { createRunStore } from '@/lib/lock/task-runner/run-store';
import { taskKeys } from '@/lib/lock/task-runner/keys';
import { listen } from '@/lib/lock/task-runner/wake';
import { startClusterNode } from '@/test/support/cluster-node';
import type { TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

// A cluster of one node has all slots, and refuses a script whose keys lie in two of them as any other does.
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

it('keeps everything of a task in one slot of a cluster, and wakes across it', async () => {
  for (const prefix of ['qoder:lock:', '{app}:lock:']) {
    const keys = taskKeys('transcode', (name) => prefix + name);
    const store = createRunStore(cluster, keys);
    let rung = 0;
    const wake = await listen(cluster, new Map([[keys.channel, () => (rung += 1)]]), () => null);
    const before = rung;
    expect(await store.trigger('a }{ b', '1')).toBe(true);
    await until('the bell rings', () => rung > before);
    const hold = { fence: 7, owner: 'me:1' };
    expect(await store.begin('a }{ b', hold)).toMatchObject({ status: { payload: 1, fence: 7 } });
    const kept = { number: 1, field: 'progress', value: '2' };
    expect(await store.acknowledge('a }{ b', 7, kept)).toBe(true);
    expect(await store.schedule('every:100', 100)).toBe(true);
    const settlement = { state: 'done', attempts: 1, value: '3', keepMs: 60_000 } as const;
    expect(await store.settle('a }{ b', 7, settlement)).toBe(true);
    expect(await store.status('a }{ b')).toMatchObject({ state: 'done', progress: 2, result: 3 });
    expect((await store.look()).id).toBe('every:100');
    wake.close();
  }
});

it('runs a task on a cluster', async () => {
  const client = createLockClient({ redis: cluster, allowInsecure: true });
  const runner = createTaskRunner({
    client,
    redis: cluster,
    tasks: { count: { run: async ({ step }) => await step('one', () => 1) } },
  });
  await runner.start();
  const { id } = await runner.trigger('count');
  const status = await until('it is done', async () => {
    const seen = await runner.status('count', id);
    return seen?.state === 'done' ? seen : null;
  });
  expect(status).toMatchObject({ result: 1, steps: { one: 1 } });
  await runner.close();
  await client.close();
});
