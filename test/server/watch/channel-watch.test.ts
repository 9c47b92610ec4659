import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChannelWatch } from '@/server/watch/channel-watch';
import type { ReadObservation } from '@/server/watch/observation';
import { createPubsubQuestions } from '@/server/watch/pubsub';
import { keyOfChannel } from '@/server/watch/wake-channels';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const OWNER = 'b983c153-7421-469a-addb-44fb92259a1b:1';
const MINUTE = 60_000;

describe('the lock that a channel is for', () => {
  it.each([
    ['redisson_lock__channel:{inv:9}', 'inv:9'],
    [`redisson_lock__channel:{inv:9}:${OWNER}`, 'inv:9'],
    ['redisson_lock__channel:map{a}:key', 'map{a}:key'],
    [`redisson_lock__channel:map{a}:key:${OWNER}`, 'map{a}:key'],
    ['redisson_rwlock:{docs}', 'docs'],
    ['redisson_sc:{pool}', 'pool'],
    ['redisson_countdownlatch__channel__{start}', 'start'],
    ['redisson_countdownlatch__channel__{a{b}}', 'a{b}'],
    ['redisson_lock__channel:{\xff\0}', '\xff\0'],
    ['redisson_topic', null],
    ['redisson_lock__channel:', null],
    ['redisson_countdownlatch__channel__', null],
    ['lockscope:inbox:x', null],
  ])('of %j is %j', (channel, key) => expect(keyOfChannel(channel)).toBe(key));
});

describe('channels that are listened to', () => {
  let server: TestRedis;
  let redis: Redis;
  beforeAll(async () => {
    server = await startRedis();
    redis = server.client();
  });
  afterAll(() => server.stop());

  function begin() {
    let now = 1_800_000_000_000;
    const asked: string[] = [];
    const watch = createChannelWatch({
      pubsub: createPubsubQuestions({ mayShard: () => true, now: () => now }),
      loads: { asked: () => undefined },
      dbs: [0, 3],
      read: (db, key) => asked.push(`${db}:${key}`),
      idleAfterMs: () => 10 * MINUTE,
      isFollowed: (key) => key === 'leak',
      mayListClients: () => true,
      now: () => now,
    });
    const saw = (key: string, value: ReadObservation['value']) =>
      watch.onRead({
        ...{ kind: 'read', at: now, db: 0, key, cause: 'event', value },
        ...{ pttl: null, queue: null, fence: null },
      });
    return {
      watch,
      asked,
      saw,
      after: async (ms: number) => {
        now += ms;
        await watch.run(redis);
      },
    };
  }

  const held = { type: 'string', bytes: 'x', size: 1, truncated: false } as const;

  it('have their locks read in every db, until something else reads them', async () => {
    const client = server.client();
    await client.subscribe('redisson_lock__channel:{a}', `redisson_lock__channel:{a}:${OWNER}`);
    const { watch, asked, saw, after } = begin();
    await after(0);
    expect(asked).toEqual(['0:a', '3:a']);
    expect(watch.listened('a')?.toSorted()).toEqual([
      'redisson_lock__channel:{a}',
      `redisson_lock__channel:{a}:${OWNER}`,
    ]);
    expect(watch.probes()).toEqual([
      { db: 0, key: 'a', channels: ['redisson_lock__channel:{a}'] },
      { db: 3, key: 'a', channels: ['redisson_lock__channel:{a}'] },
    ]);
    await after(5000);
    expect(asked).toHaveLength(4);
    saw('a', held);
    await after(4000);
    expect(asked).toHaveLength(4);
    client.disconnect();
    await until('nobody listens', async () => {
      await after(60_000);
      return watch.listened('a') === undefined;
    });
  });

  /** Rounds of a minute each, in which reads find no lock of these. */
  async function minutes(count: number, of: ReturnType<typeof begin>, gone: readonly string[]) {
    for (let i = 0; i < count; i++) {
      await of.after(MINUTE);
      for (const key of gone) of.saw(key, null);
    }
  }

  it('are listed when no lock of theirs was seen for more than ten minutes, with who may listen', async () => {
    const clients = [server.client(), server.client(), server.client()];
    for (const client of clients.slice(0, 2))
      await client.subscribe('redisson_lock__channel:{leak}');
    await clients[0]?.client('SETNAME', 'orders');
    await clients[0]?.subscribe('redisson_lock__channel:{used}', 'redisson_sc:{unread}');
    await clients[2]?.psubscribe('redisson_lock__channel:*');
    await clients[2]?.client('SETNAME', 'lockscope');
    await clients[2]?.subscribe('of-the-console');
    const round = begin();
    const { watch, saw, after } = round;
    await after(0);
    const since = 1_800_000_000_000;
    await minutes(9, round, ['leak', 'used']);
    saw('used', held);
    expect(watch.idle).toEqual({ channels: [], count: 0, clients: null });
    await minutes(2, round, ['leak', 'used']);
    expect(watch.idle).toMatchObject({
      channels: [
        { channel: 'redisson_lock__channel:{leak}', subscribers: 2, since, isFollowed: true },
      ],
      count: 1,
      clients: [
        { name: 'orders', channels: 3 },
        { name: '', channels: 1 },
      ],
    });
    saw('leak', held);
    await after(MINUTE);
    expect(watch.idle).toEqual({ channels: [], count: 0, clients: null });
    for (const client of clients) client.disconnect();
  });

  it('are not listed where a lock comes and goes between two reads, or while nobody looked', async () => {
    const client = server.client();
    await client.subscribe('redisson_lock__channel:{brief}', 'redisson_lock__channel:{still}');
    const round = begin();
    await round.after(0);
    await minutes(9, round, ['brief', 'still']);
    round.watch.onEvent('brief');
    await minutes(2, round, ['brief', 'still']);
    expect(round.watch.idle.channels).toMatchObject([
      { channel: 'redisson_lock__channel:{still}', isFollowed: false },
    ]);
    await round.after(20 * MINUTE);
    expect(round.watch.idle.count).toBe(0);
    client.disconnect();
  });

  it('are counted where the server knows no sharded ones', async () => {
    const limited = await startRedis();
    const admin = limited.client();
    await admin.call(
      'ACL',
      'SETUSER',
      'old',
      'on',
      '>pw',
      '~*',
      '&*',
      '+@all',
      '-pubsub|shardnumsub',
    );
    const old = limited.client({ username: 'old', password: 'pw' });
    const listener = limited.client();
    await listener.subscribe('redisson_lock__channel:{a}');
    const pubsub = createPubsubQuestions({ mayShard: () => true, now: () => 1 });
    const counts = await pubsub.count(old, ['redisson_lock__channel:{a}', 'nobody']);
    expect([...counts]).toEqual([
      ['redisson_lock__channel:{a}', 1],
      ['nobody', 0],
    ]);
    const askedOnce = pubsub.asked;
    await pubsub.count(old, ['nobody']);
    expect(pubsub.asked).toBe(askedOnce + 1);
    await limited.stop();
  });
});
