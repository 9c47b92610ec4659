import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Lock } from '@/lib/lock/index';
import {
  blockProcess,
  createLockWorld,
  nextEvent,
  rejection,
  type LockWorld,
} from '@/test/support/lock-fleet/lock-world';
import { createResource } from '@/test/support/lock-fleet/resource';
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

/** Waits until the lock knows, and looks that every side of it says the same. */
async function expectLost(lock: Lock, reason: RegExp): Promise<void> {
  await until('the loss is known', () => lock.signal.aborted);
  expect(lock.isHeld).toBe(false);
  expect(lock.remainingMs).toBe(0);
  expect(lock.signal.reason).toMatchObject({ name: 'LockLostError', code: 'LOST' });
  expect(lock.signal.reason.fields).toMatchObject({
    key: lock.key,
    owner: lock.owner,
    fence: lock.fence,
    reason: expect.stringMatching(reason),
  });
  expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'LOST' }));
  expect(await rejection(lock.extend())).toMatchObject({ code: 'LOST' });
  expect(await rejection(lock.release())).toMatchObject({ code: 'LOST' });
}

describe('a lease', () => {
  it('is renewed at every third, for as long as the lock is held', async () => {
    const lock = await world.client().acquire(world.freshName(), { ttlMs: 4_500 });
    const seen = [await world.admin.pttl(lock.key)];
    const renewals = (): number => seen.filter((left, n) => left > (seen[n - 1] ?? left)).length;
    await until('it is renewed twice', async () => {
      seen.push(await world.admin.pttl(lock.key));
      return renewals() === 2;
    });
    // Two thirds are left when it is renewed; the rest of the room is for a busy machine.
    expect(Math.min(...seen)).toBeGreaterThan(2_000);
    expect(Math.max(...seen)).toBeLessThanOrEqual(4_500);
    expect(lock.isHeld).toBe(true);
    await lock.release();
  });

  it('is not renewed any more after the release', async () => {
    const client = world.client({ ttlMs: 150 });
    const lock = await client.acquire(world.freshName());
    await lock.release();
    await pause(200);
    expect(await world.sentDuring(async () => await pause(600))).toEqual([]);
  });

  it('costs one timer and one message for all the locks of a client', async () => {
    const client = world.client({ ttlMs: 3_000 });
    const timers = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const locks = [await client.acquire(world.freshName())];
    const withOne = timers();
    for (let index = 0; index < 60; index++) {
      locks.push(await client.acquire(world.freshName()));
      await pause(4);
    }
    expect(timers()).toBeLessThanOrEqual(withOne);
    await pause(1_100);
    const sent = await world.sentDuring(async () => await pause(1_500));
    expect(sent.length).toBeGreaterThan(0);
    // Each lock is renewed meanwhile; those that are due within a twelfth of the lease go together.
    expect(sent.length).toBeLessThan(30);
    expect(locks.every((lock) => lock.isHeld)).toBe(true);
    await Promise.all(locks.map(async (lock) => await lock.release()));
  });

  it('is set anew by extend, to a length that renewals keep', async () => {
    const lock = await world.client().acquire(world.freshName(), { ttlMs: 30_000 });
    await lock.extend(2_400);
    expect(lock.ttlMs).toBe(2_400);
    let leftMs = await world.admin.pttl(lock.key);
    expect(leftMs).toBeLessThanOrEqual(2_400);
    await until('it is renewed', async () => {
      const beforeMs = leftMs;
      leftMs = await world.admin.pttl(lock.key);
      return leftMs > beforeMs;
    });
    expect(lock.isHeld).toBe(true);
    expect(leftMs).toBeLessThanOrEqual(2_400);
    await lock.extend(30_000);
    expect(await world.admin.pttl(lock.key)).toBeGreaterThan(20_000);
    await lock.release();
    expect(await rejection(lock.extend())).toMatchObject({ code: 'NOT_HELD' });
    expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'NOT_HELD' }));
  });
});

/** Fails when the client believes in a lease that Redis has not got. */
async function expectNotOverestimated(lock: Lock): Promise<void> {
  const askedAt = performance.now();
  const believedMs = lock.remainingMs;
  const leftMs = Math.max(0, await world.admin.pttl(lock.key));
  // Asking takes time as well: what Redis says later is less, by that time at most.
  const lateMs = performance.now() - askedAt;
  expect(believedMs).toBeLessThanOrEqual(leftMs + lateMs + 1);
}

describe('what a client believes to be left of a lease', () => {
  it.each([150, 600, 5_000])('of %i ms is never more than Redis has', async (ttlMs) => {
    const lock = await world.client({ ttlMs }).acquire(world.freshName());
    for (let look = 0; look < 40; look++) {
      await expectNotOverestimated(lock);
      await pause(10);
    }
  });

  it.each([1_400, 2_500, 5_000])(
    'of %i ms is never more than Redis has after the lock was handed over',
    async (ttlMs) => {
      const name = world.freshName();
      const holder = await world.client().acquire(name);
      const waiting = world.client({ ttlMs }).acquire(name);
      await world.untilQueued(holder.key, 1);
      await holder.release();
      const lock = await waiting;
      for (let look = 0; look < 60; look++) {
        await expectNotOverestimated(lock);
        await pause(10);
      }
      expect(lock.isHeld).toBe(true);
      await lock.release();
    },
  );

  it('is less at once when extend makes the lease shorter, before Redis has answered', async () => {
    const lock = await world.client({ ttlMs: 60_000 }).acquire(world.freshName());
    const extended = lock.extend(200).catch(() => {});
    await new Promise((resolve) => setImmediate(resolve));
    blockProcess(300);
    expect(lock.isHeld).toBe(false);
    await extended;
  });

  it('is the whole lease soon after a lock was handed over', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const stillHeld = world.client({ ttlMs: 60_000 }).using(name, async (lock) => {
      await until('it is the whole lease', () => lock.remainingMs > 50_000);
      blockProcess(2_500);
      return lock.isHeld;
    });
    await world.untilQueued(holder.key, 1);
    await holder.release();
    expect(await stillHeld).toBe(true);
  });

  it('is over where work blocked the process before it could say that it is there', async () => {
    const [client, other] = [world.client(), world.client({ ttlMs: 60_000 })];
    const looks: boolean[] = [];
    const handOver = async (): Promise<unknown> => {
      const holder = await client.acquire(world.freshName());
      const held = other.using(holder.name, (lock) => {
        // Heard of late it has the whole lease already.
        if (lock.remainingMs > 10_000) return;
        blockProcess(2_500);
        looks.push(lock.isHeld);
      });
      await world.untilQueued(holder.key, 1);
      await holder.release();
      return await held.catch((error: unknown) => error);
    };
    expect(await until('it is handed over in time', handOver)).toMatchObject({ code: 'LOST' });
    expect(looks).toEqual([false]);
  });
});

describe('a lease that is taken away', () => {
  it('is noticed when the key is deleted', async () => {
    const client = world.client({ ttlMs: 3_000 });
    const lock = await client.acquire(world.freshName());
    await world.admin.del(lock.key);
    await expectLost(lock, /lease-ended|revoked/);
  });

  it('is told to those who listen, whenever they began to', async () => {
    const client = world.client({ ttlMs: 3_000 });
    const lock = await client.acquire(world.freshName());
    const isLost = nextEvent(client, 'lost');
    await world.admin.del(lock.key);
    expect(await isLost).toMatchObject({ key: lock.key, owner: lock.owner, fence: lock.fence });
  });

  it('is noticed when another owner stands in the hash', async () => {
    const lock = await world.client({ ttlMs: 3_000 }).acquire(world.freshName());
    await world.admin.multi().del(lock.key).hset(lock.key, 'someone:1', 1).exec();
    await expectLost(lock, /lease-ended|revoked/);
    expect(await world.admin.hgetall(lock.key)).toEqual({ 'someone:1': '1' });
  });

  it('is noticed when the key is overwritten by something else', async () => {
    const lock = await world.client({ ttlMs: 3_000 }).acquire(world.freshName());
    await world.admin.set(lock.key, 'not a lock');
    await expectLost(lock, /lease-ended|revoked/);
    expect(await world.admin.get(lock.key)).toBe('not a lock');
  });

  it('is noticed at once when it is revoked', async () => {
    const client = world.client({ ttlMs: 60_000 });
    const lock = await client.acquire(world.freshName());
    const task = lock.owner.slice(client.instance.length + 1);
    await world.admin.del(lock.key);
    await world.admin.publish(`lockscope:inbox:${client.instance}`, `revoked ${task} ${lock.key}`);
    await expectLost(lock, /revoked/);
  });

  it('is noticed after FLUSHALL', async () => {
    const lock = await world.client({ ttlMs: 3_000 }).acquire(world.freshName());
    await world.admin.flushall();
    await expectLost(lock, /lease-ended|revoked/);
  });

  it('makes using reject with LOST, after the work has heard of it', async () => {
    const client = world.client({ ttlMs: 400 });
    let heard: unknown;
    const work = client.using(world.freshName(), async (lock) => {
      await world.admin.del(lock.key);
      await until('the work hears of it', () => lock.signal.aborted);
      heard = lock.signal.reason;
    });
    const error = await rejection(work);
    expect(error).toMatchObject({ code: 'LOST' });
    expect(heard).toMatchObject({ code: 'LOST' });
  });

  it('leaves the error of the work as it is when the work fails for it', async () => {
    const client = world.client({ ttlMs: 400 });
    const work = client.using(world.freshName(), async (lock) => {
      await world.admin.del(lock.key);
      await until('the work hears of it', () => lock.signal.aborted);
      throw new Error('stopped half-way');
    });
    expect(await rejection(work)).toMatchObject({ message: 'stopped half-way' });
  });

  it('is not told of a lock that was released before', async () => {
    const client = world.client({ ttlMs: 1_500 });
    const lock = await client.acquire(world.freshName());
    await lock.release();
    await pause(1_600);
    expect(lock.signal.aborted).toBe(false);
    expect(lock.isHeld).toBe(false);
  });
});

describe('a holder that was paused past its lease', () => {
  it('knows before its next step, though no timer could run', async () => {
    const client = world.client({ ttlMs: 2_000 });
    const lock = await client.acquire(world.freshName());
    const kept = lock.signal;
    expect([lock.isHeld, kept.aborted]).toEqual([true, false]);
    blockProcess(2_100);
    expect(lock.isHeld).toBe(false);
    expect(lock.remainingMs).toBe(0);
    expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'LOST' }));
    expect(lock.signal.aborted).toBe(true);
    expect(kept.aborted).toBe(true);
    expect(() => kept.throwIfAborted()).toThrow(expect.objectContaining({ code: 'LOST' }));
  });

  it('does not take a lease again that nobody else took meanwhile', async () => {
    const client = world.client({ ttlMs: 300 });
    const lock = await client.acquire(world.freshName());
    blockProcess(400);
    await pause(300);
    expect(lock.isHeld).toBe(false);
    expect(await world.admin.exists(lock.key)).toBe(0);
    expect(await rejection(lock.release())).toMatchObject({ code: 'LOST' });
  });

  it('leaves the next holder alone, and its own fence is refused', async () => {
    const name = world.freshName();
    const resource = createResource(world.admin);
    const paused = await world.child({ ttlMs: 600 });
    const held = await paused.ask('acquire', { as: 'it', name });
    paused.stop();
    const next = await world.client().acquire(name);
    expect(next.fence).toBeGreaterThan(held.fence);
    const hold = { process: 'p', worker: 'w' };
    expect(await resource.enter(name, { ...hold, id: 'next', fence: next.fence })).toBe('accepted');
    paused.resume();
    expect(await paused.ask('look', { as: 'it' })).toMatchObject({
      isHeld: false,
      aborted: true,
      remainingMs: 0,
    });
    expect(await resource.enter(name, { ...hold, id: 'old', fence: held.fence })).toBe('older');
    await expect(paused.ask('release', { as: 'it' })).rejects.toMatchObject({ code: 'LOST' });
    expect(next.isHeld).toBe(true);
    expect(await world.admin.hget(next.key, next.owner)).toBe('1');
    await next.release();
  });

  it('is not believed to hold what was handed to it while it was paused', async () => {
    const name = world.freshName();
    const client = world.client();
    const holder = await client.acquire(name);
    const paused = await world.child({ ttlMs: 500 });
    const granted = paused.ask('acquire', { as: 'it', name, options: { waitMs: 20_000 } });
    await world.untilQueued(holder.key, 1);
    paused.stop();
    await holder.release();
    const next = await client.acquire(name);
    paused.resume();
    await pause(300);
    expect(await world.admin.hget(next.key, next.owner)).toBe('1');
    await next.release();
    const { fence } = await granted;
    const look = await paused.ask('look', { as: 'it' });
    // Either it has waited once more and holds it with a newer fence, or it knows that it does not.
    expect(look.isHeld ? fence > next.fence : look.aborted).toBe(true);
  });

  it('holds with a newer fence when it goes on waiting', async () => {
    const name = world.freshName();
    const client = world.client();
    const holder = await client.acquire(name);
    const paused = await world.child({ ttlMs: 3_000 });
    const granted = paused.ask('acquire', { as: 'it', name, options: { waitMs: 60_000 } });
    await world.untilQueued(holder.key, 1);
    paused.stop();
    await holder.release();
    const between = await client.using(name, (lock) => lock.fence);
    expect(await world.admin.exists(holder.key)).toBe(0);
    paused.resume();
    expect((await granted).fence).toBeGreaterThan(between);
    expect(await paused.ask('look', { as: 'it' })).toMatchObject({ isHeld: true, aborted: false });
  });
});

describe('a cut connection', () => {
  it('does not cost the lock, which is renewed over the next one', async () => {
    const client = world.client({ ttlMs: 3_000 });
    const lock = await client.acquire(world.freshName());
    for (let cut = 0; cut < 4; cut++) {
      await world.admin.call('CLIENT', 'KILL', 'TYPE', 'NORMAL', 'SKIPME', 'yes');
      await world.admin.client('KILL', 'TYPE', 'PUBSUB');
      let leftMs = await world.admin.pttl(lock.key);
      await until('it is renewed', async () => {
        const beforeMs = leftMs;
        leftMs = await world.admin.pttl(lock.key);
        return leftMs > beforeMs;
      });
    }
    expect(lock.isHeld).toBe(true);
    expect(await world.admin.hget(lock.key, lock.owner)).toBe('1');
    await lock.release();
  });
});
