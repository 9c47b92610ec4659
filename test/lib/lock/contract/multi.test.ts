import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLockWorld, rejection, type LockWorld } from '@/test/support/lock-fleet/lock-world';
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

describe('several locks as one', () => {
  it('are all held, and all let go', async () => {
    const client = world.client();
    const names = [world.freshName(), world.freshName(), world.freshName()];
    const keys = names.map((name) => client.keyOf(name));
    await client.multi(names).using(async (lock) => {
      expect(lock.isHeld).toBe(true);
      expect(await world.admin.exists(...keys)).toBe(3);
      for (const name of names) expect(await world.client().tryAcquire(name)).toBeNull();
    });
    expect(await world.admin.exists(...keys)).toBe(0);
  });

  it('are none when one cannot be had', async () => {
    const client = world.client();
    const [a, b, c] = [world.freshName(), world.freshName(), world.freshName()];
    const holder = await world.client().acquire(b);
    expect(await client.multi([a, b, c]).tryAcquire()).toBeNull();
    expect(await rejection(client.multi([a, b, c]).acquire({ waitMs: 1_000 }))).toMatchObject({
      code: 'ACQUISITION_TIMEOUT',
      fields: { key: holder.key },
    });
    const others = [client.keyOf(a), client.keyOf(c)];
    await until('the others are free', async () => (await world.admin.exists(...others)) === 0);
    await holder.release();
  });

  it('never wait for each other, whatever the order they are named in', async () => {
    const names = [world.freshName(), world.freshName(), world.freshName()];
    const clients = [world.client(), world.client()];
    let rounds = 0;
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const order = index % 2 === 0 ? names : names.toReversed();
        await clients[index % 2]?.multi(order).using({ waitMs: 60_000 }, () => void rounds++);
      }),
    );
    expect(rounds).toBe(60);
  });

  it('take again what the task holds already, and what is named twice', async () => {
    const client = world.client();
    const [a, b] = [world.freshName(), world.freshName()];
    await client.using(a, async () => {
      const isHeld = await client.multi([b, a, b]).using({ waitMs: 20_000 }, (lock) => lock.isHeld);
      expect(isHeld).toBe(true);
      expect(await world.admin.exists(client.keyOf(a))).toBe(1);
    });
    expect(await world.admin.exists(client.keyOf(a), client.keyOf(b))).toBe(0);
  });

  it('that a task acquired may be taken again by it', async () => {
    const client = world.client();
    const names = [world.freshName(), world.freshName()];
    await client.task(async () => {
      const both = await client.multi(names).acquire();
      for (const name of names) {
        const again = await client.acquire(name, { waitMs: 0 });
        expect(again.depth).toBe(2);
        await again.release();
      }
      await both.release();
    });
  });

  it('are lost together when one is lost', async () => {
    const client = world.client({ ttlMs: 400 });
    const [a, b] = [world.freshName(), world.freshName()];
    const lock = await client.multi([a, b]).acquire();
    await world.admin.del(client.keyOf(b));
    await until('the loss is known', () => lock.signal.aborted);
    expect(lock.isHeld).toBe(false);
    expect(await rejection(lock.release())).toMatchObject({ code: 'LOST' });
    expect(await world.admin.exists(client.keyOf(a))).toBe(0);
  });

  it('need names', async () => {
    const client = world.client();
    expect(() => client.multi([])).toThrow(expect.objectContaining({ code: 'BAD_OPTIONS' }));
    expect(() => client.multi(['a', ' '])).toThrow(expect.objectContaining({ code: 'EMPTY_KEY' }));
  });
});
