import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import type { Alert, AlertCode } from '@/lib/protocol/alert';
import type { TargetNode } from '@/lib/protocol/target';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedisProxy } from '@/test/support/lock-fleet/redis-proxy';
import { startRedis } from '@/test/support/redis-server';
import { firing } from '@/test/support/seen';
import { until } from '@/test/support/until';

/** What is the case with a Redis rather than with a lock; first each moment in which nothing is. */
const PATIENCE_MS = 60_000;

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
});

const firingOf = (console: TestConsole, code: AlertCode): Promise<Alert> =>
  until(
    `${code} fires`,
    async () => (await console.alerts(code)).find(({ state }) => state === 'firing'),
    PATIENCE_MS,
  );

/** Whatever is told of this lock is told by a look at everything. */
async function judged(console: TestConsole, client: Redis): Promise<void> {
  await client.set('lock:order:undefined', 'A', 'PX', 600_000);
  await firing(console, 'empty-key', 'lock:order:undefined', PATIENCE_MS);
}

const nodeWhere = (
  console: TestConsole,
  what: string,
  is: (node: TargetNode) => boolean,
): Promise<TargetNode> =>
  until(
    what,
    async () => (await console.query('targets')).flatMap(({ nodes }) => nodes).find(is),
    PATIENCE_MS,
  );

/** Only what is needed is announced; who has no name of its own gets in nowhere. */
const GUARDED = [
  ...['--user', 'default', 'off'],
  ...['--user', 'watcher', 'on', '>pw', '~*', '&*', '+@all'],
];
const AS_WATCHER = { username: 'watcher', password: 'pw' };
const NEEDED_FLAGS = 'K$hzlgxe';

describe('a Redis', () => {
  it('is warned of when it is open, a replica or silent, and not with a replica of its own and just enough events', async () => {
    const server = await startRedis({ flags: NEEDED_FLAGS, args: GUARDED });
    stops.push(server.stop);
    const client = server.client(AS_WATCHER);
    const second = await startRedis({ args: ['--masteruser', 'watcher', '--masterauth', 'pw'] });
    stops.push(second.stop);
    await second.client().replicaof('127.0.0.1', server.port);
    await until(
      'its replica follows',
      async () => (await client.info('replication')).includes('state=online'),
      PATIENCE_MS,
    );
    const [, version = ''] = /redis_version:(\S+)/.exec(await client.info('server')) ?? [];
    const later = '10.'.padEnd(version.length, '0');
    const address = await startRedisProxy(server.port, {
      rewrite: [`redis_version:${version}`, `redis_version:${later}`],
    });
    stops.push(address.stop);
    const console = await startConsole({
      redisUrl: `redis://watcher:pw@127.0.0.1:${address.port}/0`,
      env: { LOCKSCOPE_ALLOW_INSECURE_REDIS: '0' },
    });
    stops.push(console.stop);
    await nodeWhere(console, 'all of it is known', (node) => node.version === later);
    await judged(console, client);
    for (const code of ['insecure-redis', 'replica-attached', 'old-redis', 'blind'] as const) {
      expect(await console.alerts(code)).toEqual([]);
    }
    await client.config('SET', 'notify-keyspace-events', 'K$hzlxe');
    expect((await firingOf(console, 'blind')).summary).toContain('release');
    await client.config('SET', 'notify-keyspace-events', NEEDED_FLAGS);
    await until(
      'it sees again',
      async () => (await console.alerts('blind')).every(({ state }) => state === 'resolved'),
      PATIENCE_MS,
    );
    await client.acl('SETUSER', 'default', 'on', 'nopass', '~*', '&*', '+@all');
    await console.terminate();
    await console.restart();
    expect((await firingOf(console, 'insecure-redis')).remedy).toContain('requirepass');
    await client.replicaof('127.0.0.1', 1);
    await firingOf(console, 'replica-attached');
  }, 300_000);

  it('that refuses writes is told of, and not one that writes on although its save failed', async () => {
    const server = await startRedis({ args: ['--save', '3600 1'] });
    stops.push(server.stop);
    const client = server.client();
    const console = await startConsole({ redisUrl: server.url });
    stops.push(console.stop);
    await client.config('SET', 'stop-writes-on-bgsave-error', 'no');
    const [, folder = ''] = (await client.config('GET', 'dir')) as string[];
    await rm(folder, { recursive: true });
    await client.bgsave();
    await until(
      'the save failed',
      async () => (await client.info('persistence')).includes('rdb_last_bgsave_status:err'),
      PATIENCE_MS,
    );
    // Read in the same answer as what became of the save.
    await client.config('SET', 'maxmemory', '1gb', 'maxmemory-policy', 'volatile-lru');
    await firingOf(console, 'eviction-risk');
    await judged(console, client);
    expect(await console.alerts('write-refused')).toEqual([]);
    await client.config('SET', 'stop-writes-on-bgsave-error', 'yes');
    const alert = await firingOf(console, 'write-refused');
    expect(alert.summary).toContain('MISCONF');
    expect(alert.remedy).toContain('BGSAVE');
  }, 300_000);

  it('would leave us blind after a failover where its replica announces less, and not where as much', async () => {
    const server = await startRedis();
    stops.push(server.stop);
    const second = await startRedis();
    stops.push(second.stop);
    const replica = second.client();
    await replica.replicaof('127.0.0.1', server.port);
    const console = await startConsole({ redisUrl: server.url });
    stops.push(console.stop);
    await until(
      'its replica has been asked twice',
      async () => {
        const stats = await replica.info('commandstats');
        return Number(/cmdstat_config\|get:calls=(\d+)/.exec(stats)?.[1] ?? 0) >= 2;
      },
      PATIENCE_MS,
    );
    await judged(console, server.client());
    expect(await console.alerts('blind-after-failover')).toEqual([]);
    await replica.config('SET', 'notify-keyspace-events', 'Kx');
    const { summary } = await firingOf(console, 'blind-after-failover');
    expect(summary).toContain(`127.0.0.1:${second.port}`);
  }, 300_000);
});

describe('a connection of events', () => {
  /** Subscribes, and then reads nothing at all. */
  async function deafClient(port: number, channel: string): Promise<void> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    await new Promise<void>((resolve) => {
      socket.write(`SUBSCRIBE ${channel}\r\n`);
      socket.once('data', () => resolve());
    });
    socket.pause();
    stops.push(() => socket.destroy());
  }

  it('is cut when the console reads too slowly, and is neither when it is closed nor when another client is cut', async () => {
    const server = await startRedis();
    stops.push(server.stop);
    const client = server.client();
    const console = await startConsole({ redisUrl: server.url });
    stops.push(console.stop);
    await client.client('KILL', 'TYPE', 'PUBSUB');
    const isOver = ({ gaps }: TargetNode) => gaps.some(({ to }) => to !== null);
    const { gaps } = await nodeWhere(console, 'it is back', isOver);
    expect(gaps[0]).toMatchObject({ reason: 'connection-lost' });

    await client.config('SET', 'client-output-buffer-limit', 'pubsub 1mb 0 0');
    await deafClient(server.port, 'noise');
    const noise = 'x'.repeat(500_000);
    await until(
      'the other client is cut',
      async () => (await client.publish('noise', noise)) === 0,
      PATIENCE_MS,
    );
    await judged(console, client);
    const since = (await nodeWhere(console, 'it goes on', isOver)).gaps;
    expect(since.map(({ reason }) => reason)).not.toContain('buffer-cut');
    expect(await console.alerts('buffer-cut')).toEqual([]);

    process.kill(console.pid, 'SIGSTOP');
    const flood = spawn('redis-benchmark', [
      ...['-p', String(server.port), '-q', '-n', '400000', '-P', '32', '-r', '50'],
      ...['SET', 'lock:flood:__rand_int__', 'x', 'EX', '1000'],
    ]);
    await new Promise((resolve) => flood.once('exit', resolve));
    process.kill(console.pid, 'SIGCONT');
    expect((await firingOf(console, 'buffer-cut')).remedy).toContain('client-output-buffer-limit');
  }, 300_000);
});
