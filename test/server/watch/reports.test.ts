import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import type { ReportObservation } from '@/server/watch/observation';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf, type Watching } from './watch-harness';

const OWNER = '6fa459ea-ee8a-8ca4-894e-db77e160355e:7';
const KEY = 'qoder:lock:a';
const STREAM = 'lockscope:reports';
/** How far off Redis's clock may be told to be: as far as a message may be under way. */
const CLOCKS_DIFFER_MS = 1000;

let stop: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const each of stop.toReversed()) await each();
  stop = [];
});

async function startWatching(
  before: (redis: Redis) => Promise<unknown> = async () => undefined,
  flags = 'KEAn',
): Promise<Watching & { redis: Redis; server: TestRedis }> {
  const server = await startRedis({ flags });
  stop.push(server.stop);
  const redis = server.client();
  await before(redis);
  const watching = watchOf(server);
  stop.push(watching.watch.stop);
  await watching.watch.start();
  await until('the watch is ready', () => watching.watch.ready);
  return { ...watching, redis, server };
}

const report = (event: string, ...more: string[]): string[] => [
  ...['event', event, 'key', KEY, 'owner', OWNER],
  ...more,
];
const told = async ({ of }: Watching, event: string): Promise<ReportObservation> =>
  await until(`the report "${event}" is read`, () =>
    of('report').find((seen) => seen.event === event),
  );

describe('the reports of our own client', () => {
  it('are read as they are written, with the time of their writing', async () => {
    const watching = await startWatching();
    const before = Date.now();
    await watching.redis.xadd(
      STREAM,
      '*',
      ...report('released', 'waitedMs', '120', 'heldMs', '30', 'fence', '17', 'businessId', 'SO-1'),
    );
    const after = Date.now();
    const seen = await told(watching, 'released');
    expect(seen).toMatchObject({
      ...{ db: 0, key: KEY, owner: OWNER, waitedMs: 120, heldMs: 30, fence: '17' },
      ...{ businessId: 'SO-1', holder: null, isOld: false },
    });
    expect(seen.at).toBeGreaterThan(before - CLOCKS_DIFFER_MS);
    expect(seen.at).toBeLessThan(after + CLOCKS_DIFFER_MS);
  });

  it('of every namespace are read', async () => {
    const watching = await startWatching();
    await watching.redis.xadd(`${STREAM}:shop`, '*', ...report('waiting', 'holder', 'x:1'));
    expect(await told(watching, 'waiting')).toMatchObject({ holder: 'x:1' });
  });

  it('from before the watch are told as old ones', async () => {
    const watching = await startWatching(async (redis) => {
      await redis.xadd(STREAM, '*', ...report('waiting'));
      await pause(50);
    });
    expect(await told(watching, 'waiting')).toMatchObject({ isOld: true });
    await watching.redis.xadd(STREAM, '*', ...report('granted', 'waitedMs', '1'));
    expect(await told(watching, 'granted')).toMatchObject({ isOld: false });
    expect(watching.of('report')).toHaveLength(2);
  });

  it('arrive also where no event tells of a stream', async () => {
    const watching = await startWatching(
      async (redis) => await redis.xadd(STREAM, '*', ...report('waiting')),
      'Kg$xe',
    );
    await watching.redis.xadd(STREAM, '*', ...report('granted', 'waitedMs', '5'));
    expect(await told(watching, 'granted')).toMatchObject({ waitedMs: 5 });
  });

  it('that were trimmed unread leave a gap', async () => {
    const watching = await startWatching();
    await watching.redis.xadd(STREAM, '*', ...report('waiting'));
    await told(watching, 'waiting');
    const adding = watching.redis.multi();
    for (let i = 0; i < 5; i++) adding.xadd(STREAM, '*', ...report('granted', 'waitedMs', '1'));
    await adding.xtrim(STREAM, 'MAXLEN', '=', 1).exec();
    const gap = await until('the gap is told', () => watching.of('report-gap')[0]);
    expect(gap.from).toBeLessThanOrEqual(gap.to);
    await told(watching, 'granted');
  });

  it('that nobody trimmed leave none', async () => {
    const watching = await startWatching();
    for (let i = 0; i < 20; i++) {
      await watching.redis.xadd(STREAM, '*', ...report('granted', 'waitedMs', `${i}`));
      await pause(30);
    }
    await until('all are read', () => watching.of('report').length === 20);
    expect(watching.of('report').map(({ waitedMs }) => waitedMs)).toEqual(
      Array.from({ length: 20 }, (_, i) => i),
    );
    expect(watching.of('report-gap')).toEqual([]);
  });
});

describe('entries that no client of ours wrote', () => {
  it.each<[string, string[]]>([
    ['an unknown event', ['event', 'exploded', 'key', KEY, 'owner', OWNER]],
    ['no key', ['event', 'granted', 'owner', OWNER]],
    ['no owner', ['event', 'granted', 'key', KEY]],
    ['one field', ['x', 'y']],
    ['a key of a megabyte', ['event', 'granted', 'key', 'k'.repeat(1e6), 'owner', OWNER]],
    ['a thousand fields', Array.from({ length: 1000 }, (_, i) => [`f${i}`, 'v']).flat()],
  ])('with %s are passed over', async (_name, entry) => {
    const watching = await startWatching();
    await watching.redis.xadd(STREAM, '*', ...entry);
    await watching.redis.xadd(STREAM, '*', ...report('granted', 'waitedMs', '5'));
    await told(watching, 'granted');
    expect(watching.of('report')).toHaveLength(1);
  });

  it('with figures that are none are read without them', async () => {
    const watching = await startWatching();
    const figures = [
      'waitedMs',
      '1e999',
      'heldMs',
      '-5',
      'fence',
      'x',
      'count',
      '99999999999999999',
    ];
    await watching.redis.xadd(STREAM, '*', ...report('released', ...figures));
    expect(await told(watching, 'released')).toMatchObject({
      ...{ waitedMs: null, heldMs: null, fence: null, count: null },
    });
  });

  it('or another type under the name stop nothing', async () => {
    const watching = await startWatching();
    await watching.redis.set(STREAM, 'no stream');
    await watching.redis.xadd(`${STREAM}:shop`, '*', ...report('waiting'));
    await told(watching, 'waiting');
    const { warnings } = watching.watch.status();
    expect(warnings.filter(({ message }) => message.includes('reports'))).toEqual([]);
  });
});

describe.each([
  ['only scripts that read', '-eval -evalsha'],
  ['no script at all', '-eval -evalsha -eval_ro -evalsha_ro'],
])('where a user may run %s', (_name, rights) => {
  it('the reports are read all the same', async () => {
    const server = await startRedis({ flags: 'KEAn' });
    stop.push(server.stop);
    const redis = server.client();
    const rules = ['on', '>pw', '~*', '&*', '+@all', ...rights.split(' ')];
    await redis.call('ACL', 'SETUSER', 'console', ...rules);
    const watching = watchOf(server, { url: server.url.replace('//', '//console:pw@') });
    stop.push(watching.watch.stop);
    await watching.watch.start();
    for (let i = 0; i < 120; i++) {
      await redis.xadd(STREAM, '*', ...report('granted', 'waitedMs', `${i}`));
    }
    await until('all are read', () => watching.of('report').length === 120);
    expect(watching.of('report').at(-1)).toMatchObject({ waitedMs: 119 });
  });
});

describe('where the reports may not be read', () => {
  it('it is said, and the locks are followed all the same', async () => {
    const server = await startRedis({ flags: 'KEAn' });
    stop.push(server.stop);
    const redis = server.client();
    const rights = ['on', '>pw', '~qoder:*', '~redisson*', '~lockscope:canary:*', '&*', '+@all'];
    await redis.call('ACL', 'SETUSER', 'console', ...rights);
    const url = server.url.replace('redis://', 'redis://console:pw@');
    const watching = watchOf(server, { url });
    stop.push(watching.watch.stop);
    await watching.watch.start();
    await redis.xadd(STREAM, '*', ...report('waiting'));
    const warning = await until('it is said', () =>
      watching.watch.status().warnings.find(({ message }) => message.includes('the reports')),
    );
    expect(warning.code).toBe('blind');
    await redis.hset(KEY, OWNER, '1');
    await until('the lock is read', () => watching.reads(KEY).length > 0);
  });
});

describe('an entry whose id tells of a time to come', () => {
  const FUTURE = '999999999999999-1';

  it('makes no report of the future, nor do those that Redis numbers on from it', async () => {
    const watching = await startWatching();
    await watching.redis.xadd(STREAM, FUTURE, ...report('waiting'));
    await told(watching, 'waiting');
    await watching.redis.xadd(STREAM, '*', ...report('granted', 'waitedMs', '1'));
    await told(watching, 'granted');
    for (const { at } of watching.of('report')) expect(at).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('does not keep those from being read that come after its stream was deleted', async () => {
    const watching = await startWatching();
    await watching.redis.xadd(STREAM, FUTURE, ...report('waiting'));
    await told(watching, 'waiting');
    await watching.redis.del(STREAM);
    await until('the loss is told', () => watching.of('report-gap')[0]);
    await watching.redis.xadd(STREAM, '*', ...report('granted', 'waitedMs', '1'));
    expect(await told(watching, 'granted')).toMatchObject({ isOld: false });
  });
});
