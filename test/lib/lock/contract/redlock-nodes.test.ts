import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LockClient, LockEvent } from '@/lib/lock/index';
import { queueKey, rejection } from '@/test/support/lock-fleet/lock-world';
import { createRedlockWorld, type RedlockWorld } from '@/test/support/lock-fleet/redlock-world';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';

let world: RedlockWorld;

beforeEach(async () => {
  world = await createRedlockWorld(3);
});
afterEach(async () => {
  await world.stop();
});

const standing = async (key: string): Promise<number[]> =>
  await Promise.all(world.nodes.map(async ({ admin }) => await admin.exists(key)));

/** Makes the client's connections, which the first attempt of all waits for. */
async function warmUp(client: LockClient): Promise<void> {
  await client.using('warm-up', () => {});
}

describe('a node that was away', () => {
  it.each(['acquired', 'refused'] as const)(
    'keeps no lock of an attempt that was %s meanwhile and that it hears of late',
    async (outcome) => {
      const [client, other] = [world.client(), world.client()];
      await Promise.all([warmUp(client), warmUp(other)]);
      const held = outcome === 'refused' ? await other.acquire('x') : null;
      world.node(2).pause();
      if (held) expect(await client.tryAcquire('x')).toBeNull();
      else await client.using('x', () => {});
      world.node(2).resume();
      await held?.release();
      await until('it is gone everywhere', async () => {
        return (await standing(client.keyOf('x'))).every((count) => count === 0);
      });
      await pause(200);
      expect(await standing(client.keyOf('x'))).toEqual([0, 0, 0]);
    },
  );

  it('votes again once it is back', async () => {
    const client = world.client();
    await warmUp(client);
    await world.node(0).kill();
    await client.using('x', () => {});
    await world.node(0).restart();
    await world.node(1).kill();
    const lock = await client.acquire('x', { waitMs: 60_000 });
    expect(lock.isHeld).toBe(true);
    await lock.release();
  });

  it('when a client begins gets a vote when it comes', async () => {
    await world.node(2).kill();
    const honest = world.client();
    await warmUp(honest);
    await world.node(2).restart();
    await world.node(0).kill();
    await honest.using('x', { waitMs: 60_000 }, () => {});
  });

  it('when a client begins gets no vote when it turns out to be another node’s twin', async () => {
    const errors: LockEvent[] = [];
    await world.node(2).kill();
    const misled = world.client();
    misled.on((event) => void errors.push(event));
    await warmUp(misled);
    world.node(2).become(world.node(1));
    await until('the twin is told of', () => errors.some(({ event }) => event === 'error'));
    expect(errors.find(({ event }) => event === 'error')?.error).toMatchObject({
      code: 'NODES_NOT_INDEPENDENT',
    });
    await world.node(0).kill();
    expect(await rejection(misled.acquire('x', { waitMs: 1_000 }))).toMatchObject({
      code: 'QUORUM_NOT_REACHED',
    });
  });

  it('and whose place another node takes loses its vote', async () => {
    const client = world.client();
    await warmUp(client);
    world.node(2).become(world.node(1));
    await world.node(0).kill();
    expect(await rejection(client.acquire('x', { waitMs: 1_500 }))).toMatchObject({
      code: 'QUORUM_NOT_REACHED',
    });
  });
});

describe('a replica of a node', () => {
  it('has no vote: the others have to be a majority without it', async () => {
    const replica = world.node(2).admin;
    await replica.replicaof('127.0.0.1', world.node(0).server.port);
    const client = world.client();
    await client.using('x', () => {});
    await world.node(1).kill();
    expect(await rejection(client.acquire('x', { waitMs: 1_000 }))).toMatchObject({
      code: expect.stringMatching(/QUORUM_NOT_REACHED|REDIS_ERROR/),
    });
  });
});

describe('a lock on a majority', () => {
  it('is lost when a majority loses it, and kept when one node does', async () => {
    const lock = await world.client({ ttlMs: 3_000 }).acquire('x');
    await world.node(0).admin.del(lock.key);
    let leftMs = await world.node(1).admin.pttl(lock.key);
    await until('it is renewed', async () => {
      const beforeMs = leftMs;
      leftMs = await world.node(1).admin.pttl(lock.key);
      return leftMs > beforeMs;
    });
    expect(lock.isHeld).toBe(true);
    await world.node(1).admin.del(lock.key);
    await until('the loss is known', () => lock.signal.aborted);
    expect(lock.isHeld).toBe(false);
    expect(await rejection(lock.release())).toMatchObject({ code: 'LOST' });
    expect(await rejection(lock.extend(1_000))).toMatchObject({ code: 'LOST' });
  });

  it('tells that it was lost because too few nodes could be reached', async () => {
    const lock = await world.client({ ttlMs: 3_000 }).acquire('x');
    await world.node(1).kill();
    await world.node(2).kill();
    await until('the loss is known', () => lock.signal.aborted);
    expect(lock.signal.reason).toMatchObject({ code: 'LOST', fields: { reason: 'unreachable' } });
  });

  it('is extended by a majority', async () => {
    const lock = await world.client({ ttlMs: 5_000 }).acquire('x');
    await world.node(1).kill();
    await lock.extend(30_000);
    expect(lock.remainingMs).toBeGreaterThan(10_000);
    expect(await world.node(0).admin.pttl(lock.key)).toBeGreaterThan(10_000);
    await world.node(2).kill();
    expect(await rejection(lock.extend(60_000))).toMatchObject({ code: 'QUORUM_NOT_REACHED' });
  });

  it('is let go although one node is away, and is free for others at once', async () => {
    const [client, other] = [world.client(), world.client()];
    const lock = await client.acquire('x');
    await warmUp(other);
    world.node(1).pause();
    await lock.release();
    await (await other.acquire('x', { waitMs: 60_000 })).release();
  });

  it('has fences that rise whichever nodes are left to count', async () => {
    const client = world.client();
    const fences: number[] = [];
    for (let round = 0; round < 9; round++) {
      // A counter that runs ahead on one node, as after its clock was wrong.
      const counter = `redisson_lock_token:{${client.keyOf('x')}}`;
      if (round % 3 === 0) {
        const { admin } = world.node((round / 3) % 3);
        await admin.set(
          counter,
          `${Number(await admin.get(counter)) + 5e9 || Date.now() * 1000 + 5e9}`,
        );
      }
      const away = world.node((round + 1) % 3);
      away.proxy.partition();
      fences.push(await client.using('x', { waitMs: 60_000 }, (lock) => lock.fence));
      away.proxy.heal();
      await pause(250);
    }
    const isRising = fences.every((fence, n) => n === 0 || fence > (fences[n - 1] ?? 0));
    expect({ fences, isRising }).toEqual({ fences, isRising: true });
  });
});

describe('those who wait', () => {
  it('stand in the queue of every node until they have it, or give up', async () => {
    const [one, two, three] = [world.client(), world.client(), world.client()];
    const holder = await one.acquire('x');
    const served = two.acquire('x');
    const leaving = rejection(three.acquire('x', { waitMs: 4_000 }));
    const queues = async (): Promise<number[]> =>
      await Promise.all(
        world.nodes.map(async ({ admin }) => await admin.llen(queueKey(holder.key))),
      );
    await until('both stand everywhere', async () => `${await queues()}` === '2,2,2');
    expect(await leaving).toMatchObject({ code: 'ACQUISITION_TIMEOUT' });
    await until('one has left', async () => `${await queues()}` === '1,1,1');
    await holder.release();
    const lock = await served;
    await until('nobody waits', async () => `${await queues()}` === '0,0,0');
    await lock.release();
  });

  it('ask calmly where one node has lost the lock that the others hold', async () => {
    const holder = await world.client({ ttlMs: 30_000 }).acquire('x');
    const { admin } = world.node(0);
    await admin.del(holder.key);
    const served = world.client().acquire('x', { waitMs: 60_000 });
    await pause(300);
    const asked = async (): Promise<number> =>
      Number(/cmdstat_evalsha:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1] ?? 0);
    const before = await asked();
    const startedAt = performance.now();
    await pause(1_000);
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(((await asked()) - before) / seconds).toBeLessThan(60);
    await holder.release();
    await (await served).release();
  });

  it('are served one after another while they stand in each other’s way', async () => {
    const clients = Array.from({ length: 8 }, () => world.client());
    await Promise.all(clients.map(warmUp));
    let inside = 0;
    const seen: number[] = [];
    await Promise.all(
      clients.map(async (client, index) => {
        for (let round = 0; round < 15; round++) {
          await client.using('hot', { waitMs: 100_000 }, async () => {
            inside++;
            seen.push(inside);
            await pause(1);
            inside--;
          });
          if (index % 2 === 0) await pause(2);
        }
      }),
    );
    expect({ most: Math.max(...seen), count: seen.length }).toEqual({ most: 1, count: 120 });
  });
});

describe('without a majority', () => {
  it('an attempt that does not wait fails with how many answered', async () => {
    const client = world.client();
    await warmUp(client);
    await world.node(0).kill();
    world.node(1).pause();
    expect(await rejection(client.tryAcquire('x'))).toMatchObject({
      code: 'QUORUM_NOT_REACHED',
      fields: { granted: 1, needed: 2, nodes: 3 },
    });
    await until('it is given back', async () => {
      return (await world.node(2).admin.exists(client.keyOf('x'))) === 0;
    });
  });

  it('an attempt whose wait is over says so, and one that waits longer is served later', async () => {
    const client = world.client();
    await warmUp(client);
    world.node(0).pause();
    world.node(1).pause();
    const patient = client.acquire('y', { waitMs: 60_000 });
    expect(await rejection(client.acquire('x', { waitMs: 900 }))).toMatchObject({
      code: 'QUORUM_NOT_REACHED',
    });
    world.node(0).resume();
    world.node(1).resume();
    await (await patient).release();
  });
});

describe('close()', () => {
  it.each([
    ['killed', async () => await world.node(1).kill()],
    ['paused', async () => world.node(1).pause()],
    ['cut off', async () => world.node(1).proxy.partition()],
  ])(
    'does not wait for a node that is %s, and gives the lock back on the others',
    async (_, away) => {
      const client = world.client({ ttlMs: 60_000 });
      const lock = await client.acquire('x');
      await away();
      let isClosed = false;
      const closing = client.close().then(() => (isClosed = true));
      await until('it is closed', () => isClosed);
      await closing;
      expect(lock.signal.aborted).toBe(true);
      expect(await world.node(0).admin.exists(lock.key)).toBe(0);
      expect(await world.node(2).admin.exists(lock.key)).toBe(0);
    },
  );
});

describe('a node without persistence', () => {
  it('that starts anew within a lease can let in a second holder, whose fence is greater', async () => {
    const [one, two] = [world.client({ ttlMs: 3_000 }), world.client()];
    await Promise.all([warmUp(one), warmUp(two)]);
    const first = await one.acquire('x');
    await until('it is everywhere', async () => `${await standing(first.key)}` === '1,1,1');
    await world.node(2).admin.del(first.key);
    await world.node(1).kill();
    await world.node(1).restart();
    const second = await two.acquire('x', { waitMs: 60_000 });
    expect(second.fence).toBeGreaterThan(first.fence);
    await until('the first hears of it', () => first.signal.aborted);
    await second.release();
  });
});
