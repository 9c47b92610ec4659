import type { Redis } from 'ioredis';
import { startConsole, type ConsoleOptions, type TestConsole } from '@/test/support/console';
import { startRedisProxy } from '@/test/support/lock-fleet/redis-proxy';
import { startRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const PATIENCE_MS = 60_000;
/** A replica that asks is served without waiting for others. */
const AT_ONCE = ['--repl-diskless-sync-delay', '0'];

export interface ReplicatedRedis {
  console: TestConsole;
  primary: Redis;
  replica: Redis;
  /** The primary dies, the replica takes its place behind the address. */
  failOver: () => Promise<void>;
  stop: () => Promise<void>;
}

/** A primary and its replica behind one address, and a console on that. */
export async function replicatedRedis(env: ConsoleOptions['env'] = {}): Promise<ReplicatedRedis> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).toReversed()) await each();
  };
  try {
    const first = await startRedis({ args: AT_ONCE });
    stops.push(first.stop);
    const second = await startRedis({ args: AT_ONCE });
    stops.push(second.stop);
    const [primary, replica] = [first.client(), second.client()];
    await replica.replicaof('127.0.0.1', first.port);
    await until(
      'the replica follows',
      async () => (await replica.info('replication')).includes('master_link_status:up'),
      PATIENCE_MS,
    );
    const address = await startRedisProxy(first.port);
    stops.push(address.stop);
    const console = await startConsole({ redisUrl: `redis://127.0.0.1:${address.port}/0`, env });
    stops.push(console.stop);
    return {
      console,
      primary,
      replica,
      failOver: async () => {
        primary.disconnect();
        await first.kill();
        await replica.replicaof('NO', 'ONE');
        address.leadTo(second.port);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
