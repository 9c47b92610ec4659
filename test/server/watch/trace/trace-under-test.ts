import type { Redis } from 'ioredis';
import { runAction } from '@/server/actions/run-action';
import { runQuery } from '@/server/queries';
import type { Trace, TracedKey, TracePage } from '@/lib/protocol/trace';
import { TARGET, type TestServer } from '@/test/server/queries/server-under-test';
import { until } from '@/test/support/until';

/** The acts and queries of traces as an administrator has them; results are typed by their names. */
export function tracesOf(server: () => TestServer) {
  const admin = () => server().as('admin');
  const get = async (id: string): Promise<Trace> =>
    (await runQuery(admin(), 'trace', { id })) as Trace;
  const list = async () => ((await runQuery(admin(), 'traces', {})) as TracePage).items;
  const stop = (id: string) => runAction(admin(), 'trace.stop', { id });
  return {
    get,
    list,
    stop,
    start: async (seconds = 30, reason = 'who tries'): Promise<string> => {
      const input = { target: TARGET, seconds, reason };
      return ((await runAction(admin(), 'trace.start', input)) as { id: string }).id;
    },
    stopAll: async (): Promise<void> => {
      for (const { id, state } of await list()) if (state === 'running') await stop(id);
    },
    /** Waits until the trace has seen of the lock what is wanted. */
    lock: (id: string, key: string, is: (row: TracedKey) => boolean): Promise<TracedKey> =>
      until(`${key} in the trace`, async () => {
        const row = (await get(id)).keys.find((each) => each.key === key);
        return row && is(row) ? row : null;
      }),
    /** Waits until the trace has ended. */
    ended: (id: string): Promise<Trace> =>
      until('the trace has ended', async () => {
        const now = await get(id);
        return now.state === 'running' ? null : now;
      }),
  };
}

/** A client that gives itself a name, connected. */
export async function clientNamed(server: TestServer, name: string): Promise<Redis> {
  const client = server.redis.client({ connectionName: name });
  await client.ping();
  return client;
}
