import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLockWorld, rejection, type LockWorld } from '@/test/support/lock-fleet/lock-world';
import { holdOf } from '@/lib/lock/held-lock';
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

/** V8's own, which is there only when asked for. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 has no garbage collector to call');
  return () => void collect();
}

const depthOf = async (key: string, owner: string): Promise<number> =>
  Number(await world.admin.hget(key, owner));

describe('a task', () => {
  it('takes the lock again inside using; the hash counts, and is gone at zero', async () => {
    const name = world.freshName();
    const client = world.client();
    const depths: number[] = [];
    await client.using(name, async (outer) => {
      const look = async (): Promise<void> =>
        void depths.push(await depthOf(outer.key, outer.owner));
      await look();
      await client.using(name, async (inner) => {
        expect(inner.owner).toBe(outer.owner);
        expect([outer.depth, inner.depth]).toEqual([1, 2]);
        await look();
        await client.using(name, look);
      });
      await look();
    });
    expect(depths).toEqual([1, 2, 3, 1]);
    expect(await world.admin.exists(client.keyOf(name))).toBe(0);
  });

  it('never sees a smaller fence inside than outside', async () => {
    const name = world.freshName();
    const client = world.client();
    await client.using(name, async (outer) => {
      await client.using(name, (inner) => expect(inner.fence).toBeGreaterThanOrEqual(outer.fence));
      expect(await client.tryAcquire(name)).toMatchObject({ owner: outer.owner });
    });
  });

  it('of task() takes again what it acquired before', async () => {
    const name = world.freshName();
    const client = world.client();
    await client.task(async () => {
      const first = await client.acquire(name);
      const second = await client.acquire(name, { waitMs: 0 });
      expect(second.depth).toBe(2);
      expect(await depthOf(first.key, first.owner)).toBe(2);
      await first.release();
      expect(second.isHeld).toBe(true);
      expect(await depthOf(first.key, first.owner)).toBe(1);
      await second.release();
    });
    expect(await world.admin.exists(client.keyOf(name))).toBe(0);
  });

  it('is each acquire of its own outside of task and using', async () => {
    const name = world.freshName();
    const client = world.client();
    const lock = await client.acquire(name);
    expect(await client.tryAcquire(name)).toBeNull();
    await lock.release();
  });

  it('counts a second release of the same hold once', async () => {
    const name = world.freshName();
    const client = world.client();
    await client.using(name, async (outer) => {
      const inner = await client.acquire(name);
      await inner.release();
      await inner.release();
      expect(outer.isHeld).toBe(true);
      expect(await depthOf(outer.key, outer.owner)).toBe(1);
    });
  });

  it('keeps the lock when work inside fails, and lets it go when work outside does', async () => {
    const name = world.freshName();
    const client = world.client();
    const failed = client.using(name, async (outer) => {
      await rejection(client.using(name, () => Promise.reject(new Error('inside'))));
      expect(await depthOf(outer.key, outer.owner)).toBe(1);
      throw new Error('outside');
    });
    expect(await rejection(failed)).toMatchObject({ message: 'outside' });
    expect(await world.admin.exists(client.keyOf(name))).toBe(0);
  });
});

describe('siblings inside using', () => {
  it('exclude each other', async () => {
    const client = world.client();
    const [outer, inner] = [world.freshName(), world.freshName()];
    let inside = 0;
    let most = 0;
    await client.using(outer, async () => {
      const visit = async (): Promise<void> => {
        most = Math.max(most, ++inside);
        await pause(5);
        inside--;
      };
      await Promise.all(Array.from({ length: 6 }, async () => await client.using(inner, visit)));
    });
    expect(most).toBe(1);
  });

  it('exclude each other when they acquire, too', async () => {
    const client = world.client();
    const [outer, inner] = [world.freshName(), world.freshName()];
    await client.using(outer, async () => {
      const all = await Promise.all([1, 2, 3].map(async () => await client.tryAcquire(inner)));
      const taken = all.filter((lock) => lock !== null);
      expect(taken).toHaveLength(1);
      await taken[0]?.release();
    });
  });

  it('take again what each of them holds, and what all of them are inside of', async () => {
    const client = world.client();
    const [outer, inner] = [world.freshName(), world.freshName()];
    const work = async (): Promise<string> =>
      await client.using(
        inner,
        async () =>
          await client.using(outer, { waitMs: 2_000 }, async () => {
            return await client.using(inner, { waitMs: 2_000 }, () => 'done');
          }),
      );
    const results = await client.using(outer, async () => await Promise.all([work(), work()]));
    expect(results).toEqual(['done', 'done']);
    expect(await world.admin.exists(client.keyOf(outer), client.keyOf(inner))).toBe(0);
  });
});

describe('siblings that begin one after another', () => {
  /** How many at most were inside at once; each of three begins while the first is inside. */
  const mostInside = async (
    visit: (work: () => Promise<void>) => Promise<unknown>,
  ): Promise<number> => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await pause(60);
      inside--;
    };
    const starts = [0, 15, 30].map(async (ms) => {
      await pause(ms);
      await visit(work);
    });
    await Promise.all(starts);
    return most;
  };

  it('exclude each other inside task()', async () => {
    const client = world.client();
    const name = world.freshName();
    await client.using(world.freshName(), () => {});
    const most = await client.task(
      async () => await mostInside((work) => client.using(name, work)),
    );
    expect(most).toBe(1);
  });

  it('exclude each other inside multi().using, by using and by acquire', async () => {
    const client = world.client();
    const [name, other] = [world.freshName(), world.freshName()];
    await client.multi([world.freshName()]).using(async () => {
      expect(await mostInside((work) => client.using(name, work))).toBe(1);
      const byAcquire = await mostInside(async (work) => {
        await using lock = await client.acquire(other);
        await work();
        lock.assertHeld();
      });
      expect(byAcquire).toBe(1);
    });
  });
});

describe('a task that goes on for long', () => {
  it('keeps nothing of the locks that it released', async () => {
    const client = world.client();
    await client.task(async () => {
      const released: WeakRef<object>[] = [];
      for (let i = 0; i < 50; i++) {
        const lock = await client.acquire(world.freshName());
        released.push(new WeakRef(holdOf(lock)));
        await lock.release();
      }
      const collect = garbageCollector();
      await until('they are collected', () => {
        collect();
        return released.filter((hold) => hold.deref()).length < 5;
      });
    });
  });
});

describe('work that outlives the using it was started in', () => {
  it('does not still hold the lock', async () => {
    const name = world.freshName();
    const client = world.client();
    let goOn = (): void => {};
    const released = new Promise<void>((resolve) => (goOn = resolve));
    let straggler: Promise<unknown> = Promise.resolve();
    await client.using(name, () => {
      straggler = released.then(async () => await client.tryAcquire(name));
    });
    const other = await world.client().acquire(name);
    goOn();
    expect(await straggler).toBeNull();
    await other.release();
  });

  it('takes it as a hold of its own once it is free', async () => {
    const name = world.freshName();
    const client = world.client();
    let goOn = (): void => {};
    const released = new Promise<void>((resolve) => (goOn = resolve));
    let straggler: Promise<number> = Promise.resolve(0);
    const fence = await client.using(name, (lock) => {
      straggler = released.then(async () => await client.using(name, (late) => late.fence));
      return lock.fence;
    });
    goOn();
    expect(await straggler).toBeGreaterThan(fence);
    expect(await world.admin.exists(client.keyOf(name))).toBe(0);
  });
});
