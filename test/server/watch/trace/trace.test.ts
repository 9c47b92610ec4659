import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runAction } from '@/server/actions/run-action';
import { runQuery } from '@/server/queries';
import type { Trace, TracePage } from '@/lib/protocol/trace';
import { startServer, TARGET, type TestServer } from '@/test/server/queries/server-under-test';
import { until } from '@/test/support/until';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const trace = async (id: string): Promise<Trace> =>
  (await runQuery(server.as('admin'), 'trace', { id })) as Trace;

async function start(seconds = 30): Promise<string> {
  const input = { target: TARGET, seconds, reason: 'who tries' };
  const { id } = (await runAction(server.as('admin'), 'trace.start', input)) as { id: string };
  return id;
}

const stop = (id: string) => runAction(server.as('admin'), 'trace.stop', { id });

const running = async (): Promise<string[]> => {
  const { items } = (await runQuery(server.as('admin'), 'traces', {})) as TracePage;
  return items.filter(({ state }) => state === 'running').map(({ id }) => id);
};

afterEach(async () => {
  for (const id of await running()) await stop(id);
});

async function named(name: string): Promise<Redis> {
  const client = server.redis.client({ connectionName: name });
  await client.ping();
  return client;
}

describe('a trace', () => {
  it('counts ten failed attempts of one client on a lock that somebody holds', async () => {
    await server.client.set('lock:a', 'tok1', 'PX', 60_000, 'NX');
    await server.lock('lock:a');
    const id = await start();
    const poller = await named('poller');
    for (let i = 0; i < 10; i++) {
      expect(await poller.set('lock:a', 'tok2', 'PX', 60_000, 'NX')).toBeNull();
    }
    const seen = await until('ten attempts', async () => {
      const now = await trace(id);
      return now.failed === 10 ? now : null;
    });
    expect(seen.keys).toMatchObject([
      {
        key: 'lock:a',
        attempts: 10,
        failed: 10,
        clientCount: 1,
        clients: [{ attempts: 10, failed: 10 }],
        storm: false,
        evidence: 'observed',
      },
    ]);
    await stop(id);
    const lock = await server.lock('lock:a');
    expect(lock.sampled).toMatchObject({
      attempts: 10,
      failed: 10,
      clients: 1,
      evidence: 'observed',
    });
    expect(lock.waiting.count).toBeNull();
    expect(lock.acquisitions).toBe(1);
  });
});
