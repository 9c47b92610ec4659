import type { Redis } from 'ioredis';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countingRedis } from '@/test/support/counting-redis';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf, type Watching } from './watch-harness';

const NOISE = 'x'.repeat(600_000);

describe.skipIf(countingRedis === null)('a lost connection of a Redis that counts', () => {
  let server: TestRedis;
  let redis: Redis;
  let deaf: Socket | null = null;
  let watching: Watching;

  /** Subscribes, and then reads nothing at all. */
  async function deafClient(): Promise<void> {
    const socket = connect(server.port, '127.0.0.1');
    deaf = socket;
    socket.on('error', () => socket.destroy());
    await new Promise<void>((resolve) => {
      socket.write('SUBSCRIBE noise\r\n');
      socket.once('data', () => resolve());
    });
    socket.pause();
  }

  const infoCalls = async (): Promise<number> =>
    Number(/cmdstat_info:calls=(\d+)/.exec(await redis.info('commandstats'))?.[1] ?? 0);
  const gap = () => watching.of('gap')[0];
  const cutWarning = () =>
    watching.watch.status().warnings.find(({ code }) => code === 'buffer-cut');

  beforeEach(async () => {
    server = await startRedis({ flags: 'KEAn', program: countingRedis ?? '' });
    redis = server.client();
    await redis.config('SET', 'client-output-buffer-limit', 'pubsub 1mb 0 0');
    watching = watchOf(server);
    await watching.watch.start();
    await until('ready', () => watching.watch.ready);
    await deafClient();
  });
  afterEach(async () => {
    deaf?.destroy();
    await watching.watch.stop();
    await server.stop();
  });

  it('was perhaps cut where another client was at that moment, and no more is said', async () => {
    const noise = redis.multi();
    for (let i = 0; i < 4; i++) noise.publish('noise', NOISE);
    await noise.client('KILL', 'TYPE', 'PUBSUB').exec();
    await until('it is back', () => gap() !== undefined);
    expect(gap()).toMatchObject({ reason: 'perhaps-buffer-cut', serverRestarted: false });
    expect(cutWarning()).toMatchObject({
      message: expect.stringMatching(/^Perhaps .* whether it was ours cannot be told/),
      evidence: 'unknown',
    });
  });

  it('was not cut where the other client was before', async () => {
    const noise = redis.multi();
    for (let i = 0; i < 4; i++) noise.publish('noise', NOISE);
    await noise.exec();
    const calls = await infoCalls();
    // Each of these calls is one of INFO too; the console asks twice each time.
    let asked = 0;
    await until('it has counted twice', async () => {
      asked += 1;
      return (await infoCalls()) - calls - asked >= 4;
    });
    await redis.client('KILL', 'TYPE', 'PUBSUB');
    await until('it is back', () => gap() !== undefined);
    expect(gap()).toMatchObject({ reason: 'connection-lost' });
    expect(cutWarning()).toBeUndefined();
  });

  it('was perhaps cut where nothing came of what was too much, which looks the same', async () => {
    await redis.set(`lock:${'k'.repeat(8_000_000)}`, 'x');
    await until('it is back', () => gap() !== undefined);
    expect(gap()).toMatchObject({ reason: 'perhaps-buffer-cut' });
    expect(cutWarning()?.remedy).toContain('client-output-buffer-limit');
  });
});
