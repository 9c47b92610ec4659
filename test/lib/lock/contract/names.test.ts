import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  createLockWorld,
  fenceKey,
  queueKey,
  rejection,
  timeoutsKey,
  type LockWorld,
} from '@/test/support/lock-fleet/lock-world';
import { pause } from '@/test/support/pause';

let world: LockWorld;

beforeAll(async () => {
  world = await createLockWorld();
});
afterEach(async () => {
  await world.reset();
});
afterAll(async () => {
  await world.stop();
});

const NAMES: [what: string, name: string][] = [
  ['spaces', ' two  words '],
  ['a line break', 'first\nsecond\r\nthird'],
  ['a zero byte and control characters', 'a\u0000b\u0001\u001b[31m\u007f'],
  ['characters of many scripts', 'заказ-订单-注文-🔒-é'],
  ['half a surrogate pair', 'broken-\ud800-name'],
  ['an opening brace', 'a{b'],
  ['a closing brace', 'a}b'],
  ['a hash tag', 'shop:{42}:stock'],
  ['an empty hash tag', 'a{}b'],
  ['glob characters', '*?[a-z]\\^'],
  ['what looks like a format', '%s %d ${x} $1 \\n'],
  ['quotes and script', `'"]]--[[ redis.call('FLUSHALL') `],
  ['colons and numbers', '1:2:3'],
  ['the name of a list of Redis’s own kind', '__proto__'],
  ['another such name', 'constructor'],
  ['5,000 bytes', 'x'.repeat(5_000)],
];

describe('a lock whose name has', () => {
  it.each(NAMES)('%s excludes, wakes, counts and leaves nothing', async (_, name) => {
    const [client, other] = [world.client({ ttlMs: 400 }), world.client()];
    const lock = await client.acquire(name);
    expect(lock.name).toBe(name);
    expect(lock.key).toBe(`qoder:lock:${name}`);
    expect(await world.admin.type(lock.key)).toBe('hash');
    expect(await other.tryAcquire(name)).toBeNull();
    const waiting = other.acquire(name);
    await world.untilQueued(lock.key, 1);
    await pause(500);
    expect(lock.isHeld).toBe(true);
    await lock.release();
    const next = await waiting;
    expect(next.fence).toBeGreaterThan(lock.fence);
    expect(Number(await world.admin.get(fenceKey(lock.key)))).toBe(next.fence);
    await next.release();
    const { key } = lock;
    expect(await world.admin.exists(key, queueKey(key), timeoutsKey(key))).toBe(0);
  });

  it('another case or another space is another lock', async () => {
    const client = world.client();
    const names = ['a', 'A', 'a ', ' a', 'a\u0301', '\u00e1'];
    const locks = await Promise.all(names.map(async (name) => await client.tryAcquire(name)));
    expect(locks.every((lock) => lock !== null)).toBe(true);
  });
});

describe('an empty name', () => {
  it.each(['', ' ', '\n\t '])(
    '%j is refused, for everybody would compete for one lock',
    async (name) => {
      const client = world.client();
      for (const work of [
        async () => await client.acquire(name),
        async () => await client.tryAcquire(name),
        async () => await client.using(name, () => {}),
        async () => await client.mutex(name).acquire(),
      ]) {
        expect(await rejection(work())).toMatchObject({ code: 'EMPTY_KEY' });
      }
      expect(() => client.keyOf(name)).toThrow(expect.objectContaining({ code: 'EMPTY_KEY' }));
    },
  );
});

describe('namespaces and prefixes', () => {
  it('keep locks of one name apart', async () => {
    const clients = [
      world.client(),
      world.client({ namespace: 'billing' }),
      world.client({ namespace: 'shop' }),
      world.client({ prefix: 'other:' }),
    ];
    const locks = await Promise.all(clients.map(async (client) => await client.tryAcquire('x')));
    expect(locks.map((lock) => lock?.key)).toEqual([
      'qoder:lock:x',
      'qoder:lock:billing:x',
      'qoder:lock:shop:x',
      'other:x',
    ]);
  });
});
