import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BEAT_MS } from '@/lib/lock/scripts/shared';
import {
  createLockWorld,
  nextEvent,
  queueKey,
  rejection,
  timeoutsKey,
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

const lockChannels = async (): Promise<unknown[]> =>
  await world.admin.pubsub('CHANNELS', 'redisson_lock__channel:*');

/** Nothing of a wait is left beside the holder. */
async function expectNoWait(key: string): Promise<void> {
  await until('the wait has left no channel', async () => (await lockChannels()).length === 0);
  expect(await world.admin.exists(queueKey(key), timeoutsKey(key))).toBe(0);
}

describe('a wait', () => {
  it('is woken by the release, without asking again in between', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const waiters = [world.client(), world.client()];
    const waits = Array.from(
      { length: 10 },
      async (_, index) => await waiters[index % 2]?.using(name, (lock) => lock.fence),
    );
    await world.untilQueued(holder.key, 10);
    const startedAt = performance.now();
    const sent = await world.sentDuring(async () => await pause(1_500));
    const beats = Math.ceil((performance.now() - startedAt) / BEAT_MS) + 1;
    // Each client says now and then that its waiters live: once for all of them.
    expect(sent.length).toBeLessThanOrEqual(waiters.length * beats);
    await holder.release();
    expect(new Set(await Promise.all(waits)).size).toBe(10);
  });

  it('is visible in Redis by name, with the facts of its instance', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const client = world.client({ app: 'billing' });
    const waiting = client.acquire(name);
    await world.untilQueued(holder.key, 1);
    const [owner = ''] = await world.queueOf(holder.key);
    expect(owner).toMatch(new RegExp(`^${client.instance}:\\d+$`));
    expect(await world.admin.zrange(timeoutsKey(holder.key), '0', '-1')).toEqual([owner]);
    const instanceKey = `lockscope:instance:${client.instance}`;
    expect(await world.admin.hgetall(instanceKey)).toMatchObject({
      host: expect.stringMatching(/./),
      ip: expect.stringMatching(/\d+\.\d+|:/),
      pid: `${process.pid}`,
      app: 'billing',
      startedAt: expect.stringMatching(/^\d{13}$/),
    });
    expect(await world.admin.pttl(instanceKey)).toBeGreaterThan(0);
    await holder.release();
    expect((await waiting).owner).toBe(owner);
    await expectNoWait(holder.key);
  });

  it('ends with an exception that names the lock and its holder', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const client = world.client();
    const error = await rejection(client.acquire(name, { waitMs: 120 }));
    expect(error).toMatchObject({
      name: 'LockAcquisitionTimeoutException',
      code: 'ACQUISITION_TIMEOUT',
      message: expect.stringContaining(holder.key),
      fields: { key: holder.key, holder: holder.owner, waitMs: 120 },
    });
    await expectNoWait(holder.key);
  });

  it('does not begin with waitMs 0, and tryAcquire says null', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const client = world.client();
    expect(await rejection(client.acquire(name, { waitMs: 0 }))).toMatchObject({
      code: 'ACQUISITION_TIMEOUT',
      message: expect.stringContaining(holder.key),
      fields: { key: holder.key, holder: holder.owner, waitMs: 0 },
    });
    expect(await client.tryAcquire(name)).toBeNull();
    await expectNoWait(holder.key);
  });

  it('may be without end', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const waiting = world.client().acquire(name, { waitMs: Infinity });
    await world.untilQueued(holder.key, 1);
    await holder.release();
    await (await waiting).release();
  });

  it('is ended by its signal, and leaves nothing', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const abort = new AbortController();
    const waiting = world.client().acquire(name, { signal: abort.signal });
    await world.untilQueued(holder.key, 1);
    const reason = new Error('the user left');
    abort.abort(reason);
    expect(await rejection(waiting)).toMatchObject({ code: 'ABORTED', cause: reason });
    await expectNoWait(holder.key);
  });

  it('does not even begin with a signal that is aborted already', async () => {
    const name = world.freshName();
    const client = world.client();
    const signal = AbortSignal.abort(new Error('too late'));
    expect(await rejection(client.acquire(name, { signal }))).toMatchObject({ code: 'ABORTED' });
    expect(await world.admin.exists(client.keyOf(name))).toBe(0);
  });

  it('loses no wake-up when the connection is cut while it lasts', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const waiting = world.client().acquire(name);
    await world.untilQueued(holder.key, 1);
    await world.admin.client('KILL', 'TYPE', 'PUBSUB');
    await world.admin.call('CLIENT', 'KILL', 'TYPE', 'NORMAL', 'SKIPME', 'yes');
    await holder.release();
    const lock = await waiting;
    expect(lock.fence).toBeGreaterThan(holder.fence);
    await lock.release();
  });

  it('goes on when the lock and the queue are flushed away', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const waiting = world.client().acquire(name, { waitMs: 20_000 });
    await world.untilQueued(holder.key, 1);
    await world.admin.flushall();
    await (await waiting).release();
  });
});

describe('a grant and the end of a wait at the same moment', () => {
  it('never loses the lock: it goes on to whoever comes next', async () => {
    const [client, other] = [world.client(), world.client()];
    const name = world.freshName();
    const outcomes = new Set<string>();
    for (let round = 0; round < 120; round++) {
      const holder = await client.acquire(name, { waitMs: 20_000 });
      const abort = new AbortController();
      const waiting = other.acquire(name, { signal: abort.signal }).then(
        async (lock) => {
          await lock.release();
          return 'granted';
        },
        (error: { code: string }) => error.code,
      );
      await world.untilQueued(holder.key, 1);
      const releasing = holder.release();
      if (round % 3 > 0) await new Promise((resolve) => setImmediate(resolve));
      if (round % 3 > 1) await world.admin.ping();
      abort.abort();
      await releasing;
      outcomes.add(await waiting);
    }
    expect([...outcomes].filter((each) => !['granted', 'ABORTED'].includes(each))).toEqual([]);
    await (await client.acquire(name, { waitMs: 20_000 })).release();
    await expectNoWait(client.keyOf(name));
  });

  it('never loses it to a wait that times out, either', async () => {
    const [client, other] = [world.client(), world.client()];
    const name = world.freshName();
    for (let round = 0; round < 60; round++) {
      const holder = await client.acquire(name, { waitMs: 20_000 });
      const waiting = other.acquire(name, { waitMs: 20 }).then(
        async (lock) => await lock.release(),
        () => {},
      );
      await pause(15 + (round % 10));
      await holder.release();
      await waiting;
    }
    await (await client.acquire(name, { waitMs: 20_000 })).release();
    await expectNoWait(client.keyOf(name));
  });
});

describe('a waiter whose process is gone', () => {
  it('is skipped, long before its lease would end, when it died long before the release', async () => {
    const name = world.freshName();
    const holder = await world.client().acquire(name);
    const dead = await world.child({ ttlMs: 60_000 });
    void dead.ask('acquire', { as: 'it', name }).catch(() => {});
    await world.untilQueued(holder.key, 1);
    const waiting = world.client().acquire(name);
    await world.untilQueued(holder.key, 2);
    await dead.kill();
    await pause(300);
    await holder.release();
    let isGranted = false;
    void waiting.then(() => (isGranted = true));
    await until('the dead one is skipped', () => isGranted);
    await (await waiting).release();
  });

  it('is skipped as well when it dies at the very moment of the release', async () => {
    const name = world.freshName();
    const dead = await world.child({ ttlMs: 60_000 });
    const holder = await world.client().acquire(name);
    void dead.ask('acquire', { as: 'it', name }).catch(() => {});
    await world.untilQueued(holder.key, 1);
    const waiting = world.client().acquire(name);
    await world.untilQueued(holder.key, 2);
    // Redis hears of the death only after the release: a stopped process reads nothing and is then killed.
    dead.stop();
    await holder.release();
    await dead.kill();
    let isGranted = false;
    void waiting.then(() => (isGranted = true));
    await until('the dead one is skipped', () => isGranted);
    await (await waiting).release();
  });

  it('does not keep a newcomer from a free lock', async () => {
    const name = world.freshName();
    const [holder, dead] = [await world.child({ ttlMs: 60_000 }), await world.child()];
    await holder.ask('acquire', { as: 'it', name });
    const client = world.client();
    const key = client.keyOf(name);
    void dead.ask('acquire', { as: 'it', name }).catch(() => {});
    await world.untilQueued(key, 1);
    await dead.kill();
    await world.admin.del(key);
    await until('a newcomer gets it', async () => await client.tryAcquire(name), 20_000);
    await until(
      'the dead one is out of the queue',
      async () => (await world.queueOf(key)).length === 0,
    );
  });
});

describe('the lock of a crashed holder', () => {
  it('passes on at its deadline, in the order of the queue, though nobody says anything', async () => {
    const name = world.freshName();
    const holder = await world.child({ ttlMs: 1_200 });
    const held = await holder.ask('acquire', { as: 'it', name });
    const order: number[] = [];
    const enteredAt: number[] = [];
    const waits: Promise<unknown>[] = [];
    for (const index of [0, 1, 2]) {
      const enter = (): void => {
        enteredAt.push(performance.now());
        order.push(index);
      };
      waits.push(world.client().using(name, enter));
      await world.untilQueued(held.key, index + 1);
    }
    const askedAt = performance.now();
    await holder.kill();
    const leftMs = await world.admin.pttl(held.key);
    await until('it passes on', () => order.length === 3);
    // A millisecond for the rounding of what is left.
    expect(Math.min(...enteredAt)).toBeGreaterThanOrEqual(askedAt + leftMs - 1);
    expect(order).toEqual([0, 1, 2]);
    await Promise.all(waits);
  });

  it('passes on to a wait that began with fair: false', async () => {
    const name = world.freshName();
    const holder = await world.child({ ttlMs: 800 });
    await holder.ask('acquire', { as: 'it', name });
    const client = world.client();
    const isWaiting = nextEvent(client, 'waiting');
    const waiting = client.acquire(name, { fair: false });
    await isWaiting;
    await holder.kill();
    await (await waiting).release();
  });
});
