import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isLockError } from '@/lib/lock/index';
import {
  createLockWorld,
  nextEvent,
  rejection,
  type LockWorld,
} from '@/test/support/lock-fleet/lock-world';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';

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

const leftOf = async (name: string): Promise<string[]> =>
  (await world.admin.keys(`*${name}*`)).filter((key) => !key.includes('_token:'));

describe('a semaphore whose users give it different numbers', () => {
  it('lets in as many as each one’s own number allows, and never loses a waiter', async () => {
    const name = world.freshName();
    const holders = await Promise.all(
      [0, 1, 2].map(async () => await world.client().semaphore(name, 3).acquire()),
    );
    const modest = world.client().semaphore(name, 1).acquire({ waitMs: 30_000 });
    await world.untilQueued(world.client().keyOf(name), 1);
    expect(await world.client().semaphore(name, 1).tryAcquire()).toBeNull();
    for (const holder of holders) await holder.release();
    await (await modest).release();
    expect(await leftOf(name)).toEqual([]);
  });
});

describe('a permit', () => {
  it('has a fence that no other hold has', async () => {
    const name = world.freshName();
    const locks = await Promise.all(
      Array.from({ length: 6 }, async () => await world.client().semaphore(name, 6).acquire()),
    );
    expect(new Set(locks.map(({ fence }) => fence)).size).toBe(6);
    for (const lock of locks) await lock.release();
  });

  it('is taken again inside, and is one permit all the while', async () => {
    const client = world.client();
    const name = world.freshName();
    const semaphore = client.semaphore(name, 2);
    await semaphore.using(async (outer) => {
      await semaphore.using(async (inner) => expect(inner.fence).toBe(outer.fence));
      expect(await world.admin.zcard(outer.key)).toBe(1);
      expect(outer.isHeld).toBe(true);
    });
    expect(await leftOf(name)).toEqual([]);
  });

  it('of each sibling is its own', async () => {
    const client = world.client();
    const semaphore = client.semaphore(world.freshName(), 2);
    let inside = 0;
    let most = 0;
    await client.using(world.freshName(), async () => {
      await Promise.all(
        [0, 1, 2, 3].map(async () => {
          await semaphore.using(async () => {
            most = Math.max(most, ++inside);
            await pause(40);
            inside--;
          });
        }),
      );
    });
    expect(most).toBe(2);
  });

  it.each(['timeout', 'abort'] as const)(
    'that is not had before a %s leaves no waiter',
    async (how) => {
      const name = world.freshName();
      const holder = await world.client().semaphore(name, 1).acquire();
      const options = how === 'abort' ? { signal: AbortSignal.timeout(300) } : { waitMs: 300 };
      expect(await rejection(world.client().semaphore(name, 1).acquire(options))).toMatchObject({
        code: how === 'abort' ? 'ABORTED' : 'ACQUISITION_TIMEOUT',
      });
      await until('nobody waits', async () => (await world.queueOf(holder.key)).length === 0);
      await holder.release();
      expect(await leftOf(name)).toEqual([]);
    },
  );
});

describe('a group of locks', () => {
  it('waits for no longer than waitMs over all of them', async () => {
    const [a, b, c] = [world.freshName('ma'), world.freshName('mb'), world.freshName('mc')];
    const holders = await Promise.all(
      [a, b, c].map(async (name) => await world.client().acquire(name)),
    );
    const waiting = rejection(world.client().multi([a, b, c]).acquire({ waitMs: 4_000 }));
    for (const holder of holders.slice(0, 2)) {
      await world.untilQueued(holder.key, 1);
      await pause(500);
      await holder.release();
    }
    const error = await waiting;
    expect(error).toMatchObject({
      code: 'ACQUISITION_TIMEOUT',
      fields: { key: holders[2]?.key, waitMs: expect.any(Number) },
    });
    // What was left for the last of them, timers being a millisecond early at most.
    expect(isLockError(error) && error.fields.waitMs).toBeLessThanOrEqual(3_002);
    await until('the others are free', async () => {
      return (await world.admin.exists(holders[0]?.key ?? '', holders[1]?.key ?? '')) === 0;
    });
    await holders[2]?.release();
  });

  it('is given up as a whole when its signal ends the wait', async () => {
    const [a, b] = [world.freshName('ma'), world.freshName('mb')];
    const holder = await world.client().acquire(b);
    const waiting = world
      .client()
      .multi([a, b])
      .acquire({ signal: AbortSignal.timeout(300) });
    expect(await rejection(waiting)).toMatchObject({ code: 'ABORTED' });
    await until('a is free', async () => (await world.admin.exists(world.client().keyOf(a))) === 0);
    await holder.release();
    expect(await leftOf(b)).toEqual([]);
  });

  it('is let go in the reverse of the order in which it was taken', async () => {
    const client = world.client();
    const names = [world.freshName('ma'), world.freshName('mb'), world.freshName('mc')];
    const lock = await client.multi(names.toReversed()).acquire();
    const gone: string[] = [];
    const listener = world.redis.client();
    await listener.psubscribe('__keyevent@0__:del');
    listener.on('pmessage', (_pattern, _channel, key: string) => {
      if (!key.includes('redisson')) gone.push(key);
    });
    await lock.release();
    await until('all are gone', () => gone.length === 3);
    expect(gone).toEqual(names.map((name) => client.keyOf(name)).toReversed());
  });

  it('is no group that was lost while the rest was waited for', async () => {
    const [a, b] = [world.freshName('ma'), world.freshName('mb')];
    const holder = await world.client().acquire(b);
    const client = world.client({ ttlMs: 3_000 });
    const loss = nextEvent(client, 'lost');
    let isInside = false;
    const working = rejection(
      client.multi([a, b]).using({ waitMs: 30_000 }, () => {
        isInside = true;
      }),
    );
    await world.untilQueued(holder.key, 1);
    await world.admin.del(client.keyOf(a));
    await loss;
    await holder.release();
    expect(await working).toMatchObject({ code: 'LOST' });
    expect(isInside).toBe(false);
    await until('b is free', async () => (await world.admin.exists(holder.key)) === 0);
  });

  it('inside another one that has some of its locks takes the rest', async () => {
    const client = world.client();
    const [a, b, c] = [world.freshName('ma'), world.freshName('mb'), world.freshName('mc')];
    await client.multi([a, b]).using(async (outer) => {
      await client
        .multi([c, b])
        .using({ waitMs: 20_000 }, (inner) => expect(inner.isHeld).toBe(true));
      await client.using(a, { waitMs: 20_000 }, (inner) => expect(inner.depth).toBe(2));
      expect(outer.isHeld).toBe(true);
      expect(await world.admin.exists(client.keyOf(c))).toBe(0);
    });
    expect(await world.admin.exists(client.keyOf(a), client.keyOf(b))).toBe(0);
  });
});
