import { afterEach, describe, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf, type Watching } from './watch-harness';

const AT_ONCE = ['--repl-diskless-sync-delay', '0'];

let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
});

async function startServer(options: Parameters<typeof startRedis>[0]): Promise<TestRedis> {
  const server = await startRedis({ args: AT_ONCE, ...options });
  stops.push(server.stop);
  return server;
}

async function watchPrimaryOf(replica: TestRedis): Promise<Watching> {
  const primary = await startServer({ flags: 'KEAn' });
  await replica.client().replicaof('127.0.0.1', primary.port);
  await until('the replica follows', async () =>
    (await primary.client().info('replication')).includes('state=online'),
  );
  const watching = watchOf(primary);
  stops.push(watching.watch.stop);
  await watching.watch.start();
  return watching;
}

const warned = (watching: Watching): string | undefined =>
  watching.watch.status().warnings.find(({ code }) => code === 'blind-after-failover')?.message;

/** Until the replica has been asked `times` times for its flags by somebody else than we. */
async function asked(replica: TestRedis, times: number): Promise<void> {
  const client = replica.client();
  await until('it has been asked', async () => {
    const stats = await client.info('commandstats');
    return Number(/cmdstat_config\|get:calls=(\d+)/.exec(stats)?.[1] ?? 0) >= times;
  });
}

describe('a replica', () => {
  it('that announces less than its primary would blind us after a failover, until it is set right', async () => {
    const replica = await startServer({ flags: 'Kx' });
    const watching = await watchPrimaryOf(replica);
    const message = await until('it is told', () => warned(watching));
    expect(message).toContain(`127.0.0.1:${replica.port} has notify-keyspace-events "xK"`);
    expect(message).toContain('acquisitions of string locks, ');
    expect(message).not.toContain('lapsed leases');
    expect(
      watching.watch.status().warnings.find(({ code }) => code === 'blind-after-failover')?.remedy,
    ).toBe(`redis-cli -h 127.0.0.1 -p ${replica.port} CONFIG SET notify-keyspace-events KEAn`);
    expect(watching.watch.status().warnings.some(({ code }) => code === 'blind')).toBe(false);
    await replica.client().config('SET', 'notify-keyspace-events', 'KEA');
    await until('it is over', () => warned(watching) === undefined);
  });

  it('that announces as much, or cannot be asked, is not warned of', async () => {
    const good = await startServer({ flags: 'KEA' });
    const watching = await watchPrimaryOf(good);
    await asked(good, 2);
    expect(warned(watching)).toBeUndefined();
    const closed = await startServer({ flags: '', password: 'another one' });
    const unknown = await watchPrimaryOf(closed);
    await until('it was tried', async () =>
      /acl_access_denied_auth:[1-9]|rejected_calls=[1-9]/.test(
        await closed.client().info('everything'),
      ),
    );
    expect(warned(unknown)).toBeUndefined();
  });
});
