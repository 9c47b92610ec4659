import { createLockClient } from '@/lib/lock/index';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FleetProcess } from '@/test/support/lock-fleet/fleet';
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

/** Keys but the fencing counters and the reports, and counters that live for ever. */
async function leftovers(): Promise<string[]> {
  const left: string[] = [];
  for (const key of await world.admin.keys('*')) {
    const isCounter = key.startsWith('redisson_lock_token:');
    if (isCounter ? (await world.admin.pttl(key)) < 0 : !key.startsWith('lockscope:reports')) {
      left.push(key);
    }
  }
  return left;
}

const connections = async (): Promise<number> =>
  String(await world.admin.client('LIST'))
    .trim()
    .split('\n').length;

async function expectEnded(child: FleetProcess): Promise<void> {
  await child.ask('close', null);
  let ending: unknown;
  void child.ended.then((how) => (ending = how));
  await until('the process ends by itself', () => ending);
  expect(ending).toMatchObject({ code: 0, signal: null, stderr: '' });
}

describe('after close()', () => {
  it('nothing is left in Redis but fencing counters with a time to live', async () => {
    const client = world.client({ reports: 'all' });
    const other = world.client();
    const OWN = 3;
    // And one of each client, on which it hears.
    await until('all connections stand', async () => (await connections()) === OWN + 2);
    const held = await client.acquire(world.freshName());
    const waiting = rejection(other.acquire(held.name));
    await world.untilQueued(held.key, 1);
    await other.close();
    expect(await waiting).toMatchObject({ code: 'CLIENT_CLOSED' });
    await client.using(world.freshName(), () => {});
    await client.close();
    expect(held.isHeld).toBe(false);
    await until('all is gone', async () => (await leftovers()).length === 0);
    await until('only the tests’ own connections are left', async () => {
      return (await connections()) === OWN;
    });
    expect(await world.admin.pubsub('CHANNELS', '*')).toEqual([]);
  });

  it('an acquire that was just asked for ends with CLIENT_CLOSED, and takes nothing', async () => {
    const [client, other] = [world.client(), world.client()];
    await client.using(world.freshName(), () => {});
    const holder = await other.acquire(world.freshName());
    const free = world.freshName();
    const asked = [rejection(client.acquire(holder.name)), rejection(client.acquire(free))];
    await client.close();
    for (const error of await Promise.all(asked))
      expect(error).toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(await world.admin.exists(client.keyOf(free))).toBe(0);
    await until('it does not wait', async () => (await world.queueOf(holder.key)).length === 0);
    await holder.release();
    expect(await world.admin.exists(holder.key)).toBe(0);
  });

  it('an acquire that is the first of its client ends as well', async () => {
    const client = world.client();
    const name = world.freshName();
    const asked = rejection(client.acquire(name));
    await client.close();
    expect(await asked).toMatchObject({ code: 'CLIENT_CLOSED' });
    expect(
      await world.admin.exists(client.keyOf(name), `lockscope:instance:${client.instance}`),
    ).toBe(0);
    await until('nobody listens', async () => {
      return (await world.admin.pubsub('CHANNELS', '*')).length === 0;
    });
  });

  it('work that still runs hears by its signal that the lock is gone', async () => {
    const client = world.client();
    let heard: boolean | undefined;
    const work = client.using(world.freshName(), async (lock) => {
      const { signal } = lock;
      await client.close();
      heard = signal.aborted && !lock.isHeld;
    });
    await work.catch(() => {});
    expect(heard).toBe(true);
  });

  it('no listener is left on the connection that was handed in', async () => {
    const redis = world.redis.client();
    await redis.ping();
    const names = redis.eventNames();
    const listeners = (): number[] => names.map((name) => redis.listenerCount(name));
    const before = listeners();
    for (let round = 0; round < 3; round++) {
      const client = createLockClient({ redis, allowInsecure: true });
      await client.using(world.freshName(), () => {});
      await client.close();
    }
    expect(redis.eventNames()).toEqual(names);
    expect(listeners()).toEqual(before);
  });

  it('a second close() does nothing, and the connection that was handed in still works', async () => {
    const client = world.client();
    await client.using(world.freshName(), () => {});
    await client.close();
    await client.close();
    await client[Symbol.asyncDispose]();
    expect(await rejection(client.acquire(world.freshName()))).toMatchObject({
      code: 'CLIENT_CLOSED',
    });
    expect(await rejection(client.tryAcquire(world.freshName()))).toMatchObject({
      code: 'CLIENT_CLOSED',
    });
  });

  it('a process that only made a client ends by itself', async () => {
    await expectEnded(await world.child());
  });

  it('a process that held and waited ends by itself', async () => {
    const child = await world.child({ ttlMs: 5_000 });
    const name = world.freshName();
    const holder = await world.client().acquire(world.freshName());
    await child.ask('acquire', { as: 'held', name });
    await child.ask('acquire', { as: 'twice', name: world.freshName() });
    await child.ask('release', { as: 'twice' });
    const waiting = child.ask('acquire', { as: 'wait', name: holder.name });
    void waiting.catch(() => {});
    await world.untilQueued(holder.key, 1);
    await pause(400);
    await expectEnded(child);
    await expect(waiting).rejects.toMatchObject({ code: 'CLIENT_CLOSED' });
    await holder.release();
    await until('all is gone but our own client', async () =>
      (await leftovers()).every((key) => key.startsWith('lockscope:instance:')),
    );
  });
});

describe('locks that are not held', () => {
  it('leave counters with a time to live and nothing else, after 10,000 names', async () => {
    const client = world.client({ reports: 'off' });
    for (let batch = 0; batch < 100; batch++) {
      await Promise.all(
        Array.from({ length: 100 }, async (_, index) => {
          await client.using(`many-${batch}-${index}`, () => {});
        }),
      );
    }
    const instance = `lockscope:instance:${client.instance}`;
    expect((await leftovers()).filter((key) => key !== instance)).toEqual([]);
    expect(await world.admin.pubsub('CHANNELS', 'redisson_lock__channel:*')).toEqual([]);
  });

  it('leave no queue after contention on a thousand names', async () => {
    const clients = [world.client({ reports: 'off' }), world.client({ reports: 'off' })];
    await Promise.all(
      Array.from({ length: 4_000 }, async (_, index) => {
        await clients[index % 2]?.using(
          `busy-${index % 1_000}`,
          async () => await Promise.resolve(),
        );
      }),
    );
    const isOurs = (key: string): boolean => key.startsWith('lockscope:instance:');
    await until('nothing but instances is left', async () => (await leftovers()).every(isOurs));
    await until('nobody follows a lock', async () => {
      return (await world.admin.pubsub('CHANNELS', 'redisson_lock__channel:*')).length === 0;
    });
  });
});

describe('a process that dies', () => {
  it('leaves only keys that end by themselves', async () => {
    const holder = await world.child({ ttlMs: 400 });
    const name = world.freshName();
    const { key } = await holder.ask('acquire', { as: 'it', name });
    const waiter = await world.child({ ttlMs: 400 });
    void waiter.ask('acquire', { as: 'it', name }).catch(() => {});
    await world.untilQueued(key, 1);
    await Promise.all([holder.kill(), waiter.kill()]);
    const keys = (await world.admin.keys('*')).filter((each) => each !== 'lockscope:reports');
    const ttls = await Promise.all(keys.map(async (each) => await world.admin.pttl(each)));
    expect(keys.filter((_, index) => ttls[index] === -1)).toEqual([]);
  });
});

describe('await using', () => {
  it('releases the lock at the end of the block, and closes the client', async () => {
    const name = world.freshName();
    let key = '';
    {
      await using client = world.client();
      await using lock = await client.acquire(name);
      key = lock.key;
      expect(await world.admin.exists(key)).toBe(1);
    }
    expect(await world.admin.exists(key)).toBe(0);
  });
});
