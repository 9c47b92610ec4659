import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLockWorld, nextEvent, type LockWorld } from '@/test/support/lock-fleet/lock-world';
import { createSoloFleet } from '@/test/support/lock-fleet/solo-fleet';

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

describe('waiters', () => {
  it('get the lock in the order in which they came, whatever client they are of', async () => {
    const name = world.freshName();
    const clients = [world.client(), world.client(), world.client()];
    const first = await world.client().acquire(name);
    const order: number[] = [];
    const waits: Promise<void>[] = [];
    for (let index = 0; index < 12; index++) {
      const client = clients[index % clients.length] as (typeof clients)[0];
      waits.push(client.using(name, () => void order.push(index)));
      await world.untilQueued(first.key, index + 1);
    }
    await first.release();
    await Promise.all(waits);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('are not overtaken by somebody who comes as the lock is let go', async () => {
    const name = world.freshName();
    const client = world.client();
    const holder = await client.acquire(name);
    let isGranted = false;
    const waiting = world.client().acquire(name);
    void waiting.then(() => (isGranted = true));
    await world.untilQueued(holder.key, 1);
    const [, taken] = await Promise.all([holder.release(), client.tryAcquire(name)]);
    expect(taken).toBeNull();
    const lock = await waiting;
    expect(isGranted).toBe(true);
    await lock.release();
  });

  it('keep their place when one in the middle gives up', async () => {
    const name = world.freshName();
    const client = world.client();
    const first = await client.acquire(name);
    const order: string[] = [];
    const leaver = new AbortController();
    const waits: Promise<unknown>[] = [];
    for (const [index, who] of ['a', 'b', 'c'].entries()) {
      const signal = who === 'b' ? leaver.signal : undefined;
      const wait = client.using(name, { signal }, () => void order.push(who));
      waits.push(wait.catch(() => {}));
      await world.untilQueued(first.key, index + 1);
    }
    leaver.abort();
    await world.untilQueued(first.key, 2);
    await first.release();
    await Promise.all(waits);
    expect(order).toEqual(['a', 'c']);
  });

  it('get it equally often: 16 workers in 4 processes differ by at most 5 %', async () => {
    const fleet = await createSoloFleet(world, { processes: 4, workersEach: 4, ttlMs: 5_000 });
    const counts = [...(await fleet.countSections(16 * 100)).values()];
    expect(counts).toHaveLength(16);
    expect(Math.max(...counts) / Math.min(...counts)).toBeLessThanOrEqual(1.05);
  }, 400_000);
});

describe('a wait with fair: false', () => {
  it('is woken by the release', async () => {
    const name = world.freshName();
    const client = world.client();
    const holder = await client.acquire(name);
    const waiter = world.client();
    const isWaiting = nextEvent(waiter, 'waiting');
    const waiting = waiter.acquire(name, { fair: false });
    await isWaiting;
    await holder.release();
    const lock = await waiting;
    expect(lock.fence).toBeGreaterThan(holder.fence);
    await lock.release();
  });

  it('still excludes: many of them enter one at a time, and all of them enter', async () => {
    const name = world.freshName();
    const clients = [world.client({ fair: false }), world.client({ fair: false })];
    let inside = 0;
    let most = 0;
    let entered = 0;
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await clients[index % 2]?.using(name, async () => {
          most = Math.max(most, ++inside);
          entered++;
          await Promise.resolve();
          inside--;
        });
      }),
    );
    expect({ most, entered }).toEqual({ most: 1, entered: 40 });
  });

  it('gets its turn beside waiters that queue', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const queued = world.client().using(name, () => 'queued');
    await world.untilQueued(holder.key, 1);
    const barging = world.client().using(name, { fair: false }, () => 'barging');
    await holder.release();
    expect(await Promise.all([queued, barging])).toEqual(['queued', 'barging']);
  });
});
