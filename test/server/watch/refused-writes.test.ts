import { rm } from 'node:fs/promises';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf, type Watching } from './watch-harness';

let server: TestRedis;
let redis: Redis;
let started: Watching[] = [];

beforeEach(async () => {
  started = [];
  server = await startRedis({ args: ['--save', '3600 1'] });
  redis = server.client();
});
afterEach(async () => {
  await Promise.all(started.map((each) => each.watch.stop()));
  await server.stop();
});

async function watch(url = server.url): Promise<Watching> {
  const watching = watchOf(server, { url });
  started.push(watching);
  await watching.watch.start();
  return watching;
}

const refused = (watching: Watching) =>
  watching.watch.status().warnings.find(({ code }) => code === 'write-refused');

const warned = (watching: Watching, words: string) =>
  until(`warned of ${words}`, () =>
    refused(watching)?.message.includes(words) ? refused(watching) : undefined,
  );

const writes = (watching: Watching) =>
  until('it writes again', () => refused(watching) === undefined);

/** How many SETs this Redis refused so far; each look of the watch has two. */
async function refusedSets(): Promise<number> {
  const stats = await redis.info('commandstats');
  return Number(/cmdstat_set:.*rejected_calls=(\d+)/.exec(stats)?.[1] ?? 0);
}

/** Has a background save fail: the folder to write to is gone. */
async function failSave(): Promise<void> {
  const [, folder] = (await redis.config('GET', 'dir')) as [string, string];
  await rm(folder, { recursive: true });
  await redis.bgsave();
  await until('the save failed', async () =>
    (await redis.info('persistence')).includes('rdb_last_bgsave_status:err'),
  );
}

describe('a Redis that refuses all writes', () => {
  it('since its save failed is told of with its own words and the remedy', async () => {
    const watching = await watch();
    await failSave();
    await expect(redis.set('lock:a', 'x')).rejects.toThrow('MISCONF');
    const { message, remedy } = await warned(watching, 'MISCONF');
    expect(message).toContain('can be neither taken, nor renewed, nor released');
    expect(remedy).toContain('BGSAVE');
    await redis.config('SET', 'stop-writes-on-bgsave-error', 'no');
    await writes(watching);
    expect(await redis.info('persistence')).toContain('rdb_last_bgsave_status:err');
  });

  it('since its memory is full, or too few replicas follow it, is told of until it writes', async () => {
    const watching = await watch();
    await redis.config('SET', 'maxmemory', '1');
    expect((await warned(watching, 'OOM')).remedy).toContain('maxmemory');
    await redis.config('SET', 'maxmemory', '0');
    await writes(watching);
    await redis.config('SET', 'min-replicas-to-write', '1');
    expect((await warned(watching, 'NOREPLICAS')).remedy).toContain('min-replicas-to-write');
    await redis.config('SET', 'min-replicas-to-write', '0');
    await writes(watching);
  });
});

describe('a Redis of which this user cannot tell', () => {
  const asReader = async (): Promise<string> => {
    await redis.call(
      ...(['ACL', 'SETUSER', 'reader', 'on', '>pw', 'allchannels', '~*'] as const),
      ...['+@read', '+@pubsub', '+@connection', '+info', '+config|get'],
    );
    return server.url.replace('//', '//reader:pw@');
  };

  it('may refuse writes once its save failed, and is not warned of when it writes on all the same', async () => {
    const watching = await watch(await asReader());
    expect(refused(watching)).toBeUndefined();
    await failSave();
    expect((await warned(watching, 'can perhaps be neither')).message).toContain('not certain');
    await redis.config('SET', 'stop-writes-on-bgsave-error', 'no');
    await writes(watching);
    await redis.config('SET', 'stop-writes-on-bgsave-error', 'yes');
    await warned(watching, 'can perhaps be neither');
    await redis.config('SET', 'save', '');
    await writes(watching);
  });
});

describe('a write that is refused to this user alone', () => {
  it('is no refusal of Redis: a replica takes none', async () => {
    const watching = await watch();
    await redis.replicaof('127.0.0.1', 1);
    await until('it is a replica', () =>
      watching.watch.status().warnings.some(({ code }) => code === 'replica-attached'),
    );
    const before = await refusedSets();
    // Of two looks the first one has been judged.
    await until('it looked twice', async () => (await refusedSets()) >= before + 4);
    expect(refused(watching)).toBeUndefined();
  });
});
