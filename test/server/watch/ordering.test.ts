import type { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';
import { watchOf, type Watching } from './watch-harness';

let server: TestRedis;
let redis: Redis;
let watching: Watching;

beforeAll(async () => {
  server = await startRedis({ flags: 'KEAnm', args: ['--enable-debug-command', 'yes'] });
  redis = server.client();
});
afterAll(async () => {
  await server.stop();
});
beforeEach(async () => {
  await redis.flushall();
  watching = watchOf(server, { patterns: ['app-*'] });
  await watching.watch.start();
  await until('ready', () => watching.watch.ready);
});
afterEach(async () => {
  await watching.watch.stop();
});

/** What Redis holds after each write event of a key, given that value k was written by the k-th SET. */
function expectReadsToFollowEvents(story: readonly string[]): void {
  let sets = 0;
  let present = false;
  for (const word of story) {
    if (word === 'set') {
      sets++;
      present = true;
    } else if (word === 'del') present = false;
    else if (word.startsWith('=')) expect(word).toBe(present ? `=${sets}` : '=absent');
  }
}

describe('reads on the event connection', () => {
  it('show the state after every earlier event and before every later one, whatever the race', async () => {
    const writers = [server.client(), server.client(), server.client()];
    const keys = writers.map((_, i) => `lock:race:${i}`);
    await Promise.all(
      writers.map(async (writer, w) => {
        for (let i = 1; i <= 400; i++) {
          await writer.set(`lock:race:${w}`, String(i));
          if (i % 3 === 0) await writer.del(`lock:race:${w}`);
          if (i % 7 === 0) watching.watch.read([{ db: 0, key: `lock:race:${w}` }], 'reconcile');
        }
      }),
    );
    await until('all events', () =>
      keys.every((key) => watching.events(key).filter((e) => e.event === 'set').length === 400),
    );
    for (const key of keys) {
      await watching.watch.readNow({ db: 0, key });
      expectReadsToFollowEvents(watching.story(key));
      expect(watching.reads(key).length).toBeGreaterThan(20);
    }
  });

  it('are one per socket read and key, not one per event', async () => {
    const pipeline = redis.pipeline();
    for (let i = 0; i < 500; i++) pipeline.set('lock:hot', String(i), 'PX', 60_000);
    await pipeline.exec();
    await until('the last value', () => watching.story('lock:hot').includes('=499'));
    expect(watching.events('lock:hot').filter((e) => e.event === 'set')).toHaveLength(500);
    expect(watching.reads('lock:hot').length).toBeLessThan(250);
  });

  it('are batched: thousands of keys at once all arrive', async () => {
    const pipeline = redis.pipeline();
    for (let i = 0; i < 5000; i++) pipeline.set(`lock:many:${i}`, `token-${i}`, 'PX', 60_000);
    await pipeline.exec();
    await until('all are read', () => new Set(watching.reads().map((r) => r.key)).size >= 5000);
    const read = watching.reads('lock:many:4321')[0];
    expect(read).toMatchObject({ cause: 'event', value: { type: 'string', bytes: 'token-4321' } });
    expect(read?.pttl).toBeGreaterThan(50_000);
  });

  it('answer a question at once, also about a key that is not there', async () => {
    await redis.hset('some:hash', 'f', 'v');
    const read = await watching.watch.readNow({ db: 0, key: 'some:hash' });
    expect(read).toMatchObject({
      cause: 'asked',
      value: { type: 'hash', fields: [['f', 'v']], size: 1, truncated: false },
      pttl: null,
    });
    expect(await watching.watch.readNow({ db: 0, key: 'nothing' })).toMatchObject({ value: null });
  });

  it('force a lapsed key out at its deadline, and the late event with it', async () => {
    await redis.call('DEBUG', 'SET-ACTIVE-EXPIRE', '0');
    try {
      await redis.set('lock:late', 't', 'PX', 60_000);
      await until('the lock is read', () => watching.story('lock:late').includes('=t'));
      await redis.pexpire('lock:late', 30);
      const deadline = Date.now() + 40;
      await until('the deadline', () => Date.now() > deadline);
      expect(watching.story('lock:late')).not.toContain('expired');
      watching.watch.read([{ db: 0, key: 'lock:late' }], 'deadline');
      await until('absent', () => watching.story('lock:late').includes('=absent'));
      await until('expired', () => watching.story('lock:late').includes('expired'));
    } finally {
      await redis.call('DEBUG', 'SET-ACTIVE-EXPIRE', '1');
    }
  });

  it('cause no keymiss of their own, while those of others are shown', async () => {
    await watching.watch.readNow({ db: 0, key: 'lock:absent' });
    expect(watching.story('lock:absent')).toEqual(['=absent']);
    await redis.get('lock:absent');
    await until('a miss of somebody else', () => watching.story('lock:absent').includes('keymiss'));
    expect(watching.events('lock:absent')).toHaveLength(1);
  });
});

describe('a queue that comes while its lock is being read', () => {
  it('is read with it at once, however the two fall together', async () => {
    const holder = 'b983c153-7421-469a-addb-44fb92259a1b:1';
    const keys = Array.from({ length: 300 }, (_, i) => `app-fair${i}`);
    for (const key of keys) {
      await redis.hset(key, holder, '1');
      await redis.rpush(`redisson_lock_queue:{${key}}`, 'waiter:7', 'waiter:8');
    }
    await until('every lock is read', () => keys.every((key) => watching.reads(key).length > 0));
    const isQueued = (key: string): boolean =>
      watching.reads(key).some(({ queue, cause }) => queue?.length === 2 && cause !== 'reconcile');
    await until('every queue is read', () => keys.every(isQueued));
  });
});

describe('keys and values of any bytes', () => {
  const names = ['\x00\xff', '\r\n+OK\r\n', '<b>x</b>', 'h\xd0\xbb', '[*]?\\', 'k'.repeat(5000)];

  it('arrive unchanged in events and reads', async () => {
    for (const name of names) {
      const key = `lock:${name}`;
      await redis.set(
        Buffer.from(key, 'latin1'),
        Buffer.from(`\xfe${name}`, 'latin1'),
        'PX',
        60_000,
      );
      await until('the value is read', () => watching.reads(key).length > 0);
      expect(watching.reads(key)[0]?.value).toMatchObject({ bytes: `\xfe${name}`.slice(0, 4096) });
      expect(watching.events(key).map((e) => e.event)).toEqual(['new', 'set', 'expire']);
    }
  });

  it('are cut where they are huge, with their true size', async () => {
    await redis.set('lock:big', 'x'.repeat(10_000));
    await redis.hset(
      'lock:hash',
      Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, 'v'])),
    );
    await redis.zadd('lock:zset', ...Array.from({ length: 300 }, (_, i) => [i, `m${i}`]).flat());
    await redis.rpush('lock:list', 'a', 'b', 'c');
    const read = async (key: string) => (await watching.watch.readNow({ db: 0, key })).value;
    expect(await read('lock:big')).toMatchObject({
      size: 10_000,
      truncated: true,
      bytes: 'x'.repeat(4096),
    });
    const hash = await read('lock:hash');
    expect(hash).toMatchObject({ type: 'hash', size: 1000, truncated: true });
    expect(hash?.type === 'hash' && hash.fields.length).toBeLessThanOrEqual(64);
    const zset = await read('lock:zset');
    expect(zset).toMatchObject({ type: 'zset', size: 300, truncated: true });
    expect(zset?.type === 'zset' && zset.members.slice(-2)).toEqual([
      ['m298', 298],
      ['m299', 299],
    ]);
    await redis.sadd('lock:set', ...Array.from({ length: 1000 }, (_, i) => `m${i}`));
    const set = await read('lock:set');
    expect(set).toMatchObject({ type: 'set', size: 1000, truncated: true });
    expect(set?.type === 'set' && set.members.length).toBeLessThanOrEqual(128);
    expect(await read('lock:set')).toEqual(set);
    await redis.zadd('lock:ends', '-inf', 'a', 'inf', 'b');
    expect(await read('lock:ends')).toMatchObject({
      members: [
        ['a', -Infinity],
        ['b', Infinity],
      ],
    });
    expect(await read('lock:list')).toEqual({
      type: 'list',
      items: ['a', 'b', 'c'],
      size: 3,
      truncated: false,
    });
  });

  it('cost no more than a reply may hold, however long what they hold is', async () => {
    const fat = 'x'.repeat(1_048_576);
    const queue = 'redisson_lock_queue:{lock:fat-fair}';
    await redis.hset('lock:fat-fair', 'b983c153-7421-469a-addb-44fb92259a1b:1', 1);
    for (let i = 0; i < 40; i++) {
      await redis.zadd('semaphore:fat', i, `${fat}${i}`);
      if (i < 3) await redis.sadd('lock:fat-set', `${fat}${i}`);
      await redis.rpush(queue, `${fat}${i}`);
    }
    await redis.zadd('semaphore:fat', 50, 'slim');
    await redis.set('lock:slim', 'x');
    const keys = Array.from({ length: 60 }, (_, i) => `lock:wide${i}`);
    const filler = 'y'.repeat(4000);
    const items = Array.from({ length: 100 }, (_, i) => `${filler}${i}`);
    for (const key of keys) await redis.rpush(key, ...items);
    const read = async (key: string) => (await watching.watch.readNow({ db: 0, key })).value;
    expect(await read('semaphore:fat')).toEqual({
      type: 'zset',
      members: [['slim', 50]],
      size: 41,
      truncated: true,
    });
    expect(await read('lock:fat-set')).toMatchObject({ members: [], size: 3, truncated: true });
    await watching.watch.readNow({ db: 0, key: 'lock:fat-fair' });
    await watching.watch.readNow({ db: 0, key: 'lock:fat-fair' });
    const wide = await Promise.all(keys.map(read));
    for (const value of wide) expect(value).toMatchObject({ size: 100, truncated: true });
    expect(await read('lock:slim')).toMatchObject({ bytes: 'x' });
    expect(watching.of('gap')).toEqual([]);
  });
});

describe('what is watched', () => {
  it('is default prefixes and own patterns, by at most four patterns on the server', async () => {
    await redis.set('app-1', 'x');
    await redis.set('cache:1', 'x');
    await redis.set('mutex:1', 'x');
    await until(
      'both',
      () => watching.events('app-1').length > 0 && watching.events('mutex:1').length > 0,
    );
    expect(watching.events('cache:1')).toEqual([]);
    expect(await redis.pubsub('NUMPAT')).toBeLessThanOrEqual(4);
    expect(watching.watch.status().nodes[0]?.patterns.length).toBeLessThanOrEqual(4);
  });

  it('reads the lock when a side key changes, with its queue in the same step', async () => {
    const key = 'lock:fair';
    const holder = 'b983c153-7421-469a-addb-44fb92259a1b:1';
    await redis.hincrby(key, holder, 1);
    await redis.set(`redisson_lock_token:{${key}}`, '42');
    await redis.zadd(`redisson_lock_timeout:{${key}}`, 1_900_000_000_000, 'waiter:7');
    await redis.rpush(`redisson_lock_queue:{${key}}`, 'waiter:7', 'waiter:8');
    await until('the queue is read', () => watching.reads(key).at(-1)?.queue?.length === 2);
    expect(watching.reads(key).at(-1)?.queue).toEqual([
      { owner: 'waiter:7', deadline: 1_900_000_000_000, alive: null },
      { owner: 'waiter:8', deadline: null, alive: null },
    ]);
    expect(watching.reads(key).at(-1)?.fence).toBe('42');
    expect(watching.events(`redisson_lock_queue:{${key}}`).map((e) => e.event)).toContain('rpush');
  });

  it('finds out which queued waiters listen, and counts the subscribers of a lock', async () => {
    const key = 'lock:fair';
    const listener = server.client();
    await listener.subscribe(`redisson_lock__channel:{${key}}`);
    await listener.subscribe(`redisson_lock__channel:{${key}}:waiter:7`);
    watching.watch.setProbes(() => [{ db: 0, key, channels: [`redisson_lock__channel:{${key}}`] }]);
    await redis.rpush(`redisson_lock_queue:{${key}}`, 'waiter:7', 'waiter:8');
    await until('aliveness is known', () => watching.reads(key).at(-1)?.queue?.[0]?.alive === true);
    expect(watching.reads(key).at(-1)?.queue?.[1]?.alive).toBe(false);
    await until('subscribers', () => watching.of('subscribers').at(-1)?.count === 1);
    listener.disconnect();
    await until('nobody waits', () => watching.of('subscribers').at(-1)?.count === 0);
  });

  it('in everything mode is every key', async () => {
    const all = watchOf(server, { everything: true });
    await redis.set('cache:old', 'x');
    await all.watch.start();
    try {
      await until('the sweep read it', () => all.reads('cache:old').length > 0);
      await redis.set('whatever', 'x');
      await until('the event', () => all.events('whatever').length > 0);
      expect(all.seen.some((o) => 'key' in o && o.key.startsWith('lockscope:canary:'))).toBe(false);
    } finally {
      await all.watch.stop();
    }
  });
});
