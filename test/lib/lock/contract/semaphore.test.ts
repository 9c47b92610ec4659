import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLockWorld, rejection, type LockWorld } from '@/test/support/lock-fleet/lock-world';
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

describe('a semaphore', () => {
  it('has as many holders as permits, and the next waits until one leaves', async () => {
    const name = world.freshName();
    const clients = [world.client(), world.client(), world.client()];
    const locks = await Promise.all(
      clients.map(async (client) => await client.semaphore(name, 3).acquire()),
    );
    expect(await clients[0]?.semaphore(name, 3).tryAcquire()).toBeNull();
    const next = clients[1]?.semaphore(name, 3).acquire({ waitMs: 30_000 });
    await world.untilQueued(locks[0]?.key ?? '', 1);
    await locks[2]?.release();
    const lock = await next;
    expect(lock?.isHeld).toBe(true);
    await Promise.all([...locks, lock].map(async (each) => await each?.release()));
    expect(await world.admin.exists(lock?.key ?? '')).toBe(0);
  });

  it('serves waiters in the order in which they came', async () => {
    const name = world.freshName();
    const client = world.client();
    const holder = await client.semaphore(name, 1).acquire();
    const order: number[] = [];
    const waits: Promise<unknown>[] = [];
    for (let index = 0; index < 5; index++) {
      waits.push(
        world
          .client()
          .semaphore(name, 1)
          .using(() => void order.push(index)),
      );
      await world.untilQueued(holder.key, index + 1);
    }
    await holder.release();
    await Promise.all(waits);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  it('never lets in more under load, and lets in as many as it may', async () => {
    const name = world.freshName();
    const clients = [world.client(), world.client(), world.client()];
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        await clients[index % 3]?.semaphore(name, 4).using(async () => {
          most = Math.max(most, ++inside);
          await pause(index % 4);
          inside--;
        });
      }),
    );
    expect(most).toBe(4);
    expect(await world.admin.exists(clients[0]?.keyOf(name) ?? '')).toBe(0);
  });

  it('gets back a permit whose holder is gone, at its deadline', async () => {
    const name = world.freshName();
    const client = world.client({ ttlMs: 5_000 });
    const lock = await client.semaphore(name, 1).acquire();
    await world.admin.zadd(lock.key, Date.now() + 500, 'gone:1');
    await lock.release();
    const next = await world.client().semaphore(name, 1).acquire({ waitMs: 30_000 });
    expect(next.isHeld).toBe(true);
    expect(await world.admin.zscore(next.key, 'gone:1')).toBeNull();
    await next.release();
  });

  it('renews its permits, and tells a holder whose permit was taken away', async () => {
    const client = world.client({ ttlMs: 3_000 });
    const lock = await client.semaphore(world.freshName(), 2).acquire();
    const endsAt = async (): Promise<number> =>
      Number(await world.admin.zscore(lock.key, lock.owner));
    const firstEndsAt = await endsAt();
    await until('it is renewed', async () => (await endsAt()) > firstEndsAt);
    expect(lock.isHeld).toBe(true);
    await world.admin.zrem(lock.key, lock.owner);
    await until('the loss is known', () => lock.signal.aborted);
    expect(await rejection(lock.release())).toMatchObject({ code: 'LOST' });
  });

  it('is no semaphore without a whole number of permits', () => {
    const client = world.client();
    for (const permits of [0, -1, 1.5, Number.NaN, Infinity]) {
      expect(() => client.semaphore('x', permits)).toThrow(
        expect.objectContaining({ code: 'BAD_OPTIONS', message: expect.stringMatching(/permits/) }),
      );
    }
  });
});
