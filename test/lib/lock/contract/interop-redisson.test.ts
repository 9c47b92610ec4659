import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLockWorld, fenceKey, type LockWorld } from '@/test/support/lock-fleet/lock-world';
import { startRedisson, type RedissonPeer } from '@/test/support/lock-fleet/redisson-peer';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { describeMeeting, watched } from '@/test/lib/lock/contract/interop-suite';

let world: LockWorld;
let redisson: RedissonPeer;

beforeAll(async () => {
  world = await createLockWorld();
  redisson = await startRedisson(world.redis.port);
});
afterEach(async () => {
  await world.reset();
});
afterAll(async () => {
  await redisson.stop();
  await world.stop();
});

describe('RLock of Redisson', () => {
  describeMeeting({ world: () => world, peer: () => redisson });
});

describe('RFairLock of Redisson', () => {
  describeMeeting({ world: () => world, peer: () => redisson.of('fair') });

  it('stands in one queue with us, and everybody is served in order', async () => {
    const name = world.freshName('queue');
    const fair = redisson.of('fair');
    const client = world.client();
    const holder = await client.acquire(name);
    const order: string[] = [];
    const ours = (who: string): Promise<void> =>
      world.client().using(name, () => void order.push(who));
    const theirs = async (who: string): Promise<void> => {
      await fair.lock(who, holder.key);
      order.push(who);
      await fair.unlock(who, holder.key);
    };
    const waits: Promise<void>[] = [];
    for (const [index, who] of ['their 1', 'our 1', 'their 2', 'our 2', 'our 3'].entries()) {
      waits.push(who.startsWith('our') ? ours(who) : theirs(who));
      await world.untilQueued(holder.key, index + 1);
    }
    await holder.release();
    await Promise.all(waits);
    expect(order).toEqual(['their 1', 'our 1', 'their 2', 'our 2', 'our 3']);
  });

  it('is heard by whoever of us heads its queue', async () => {
    const name = world.freshName('queue');
    const fair = redisson.of('fair');
    const client = world.client({ ttlMs: 60_000 });
    const key = client.keyOf(name);
    const listeners = async (): Promise<number> => {
      const [head = ''] = await world.queueOf(key);
      const [, count] = await world.admin.pubsub(
        'NUMSUB',
        `redisson_lock__channel:{${key}}:${head}`,
      );
      return Number(count);
    };
    await fair.lock('a', key);
    const waiting = client.acquire(name);
    await until('we are told of its releases', async () => (await listeners()) === 1);
    await fair.unlock('a', key);
    const lock = await waiting;
    // Once shared, always: who holds it now is one of us, and the next may not be.
    const next = client.acquire(name);
    await until('we are told again', async () => (await listeners()) === 1);
    await lock.release();
    await (await next).release();
    const left = await world.admin.pubsub('CHANNELS', 'redisson_lock__channel:*');
    expect(left).toEqual([]);
  });

  it('does not starve us while its own waiters come again and again', async () => {
    const name = world.freshName('queue');
    const fair = redisson.of('fair');
    const client = world.client({ waitMs: 60_000 });
    const key = client.keyOf(name);
    let isEnding = false;
    const theirs = ['a', 'b', 'c'].map(async (actor) => {
      while (!isEnding) {
        await fair.lock(actor, key);
        await pause(20);
        await fair.unlock(actor, key);
      }
    });
    try {
      await until('they compete', async () => (await world.queueOf(key)).length === 2);
      for (let round = 0; round < 3; round++) await client.using(name, () => {});
    } finally {
      isEnding = true;
      await Promise.all(theirs);
    }
  });

  it('serves us when it holds and one of its own waits behind us', async () => {
    const name = world.freshName('queue');
    const fair = redisson.of('fair');
    const client = world.client();
    const key = client.keyOf(name);
    await fair.lock('a', key);
    const order: string[] = [];
    const our = client.using(name, () => void order.push('our'));
    await world.untilQueued(key, 1);
    const their = fair.lock('b', key).then(async () => {
      order.push('their');
      await fair.unlock('b', key);
    });
    await world.untilQueued(key, 2);
    await fair.unlock('a', key);
    await Promise.all([our, their]);
    expect(order).toEqual(['our', 'their']);
  });
});

describe('RFencedLock of Redisson', () => {
  it('gives tokens that rise over ours, as ours rise over its', async () => {
    const name = world.freshName('fenced');
    const fenced = redisson.of('fenced');
    const client = world.client();
    const key = client.keyOf(name);
    const fences: number[] = [];
    for (let round = 0; round < 4; round++) {
      fences.push(await redisson.lockFenced('a', key));
      await fenced.unlock('a', key);
      fences.push(await client.using(name, (lock) => lock.fence));
    }
    expect(fences.every((fence, index) => index === 0 || fence > (fences[index - 1] ?? 0))).toBe(
      true,
    );
    expect(Number(await world.admin.get(fenceKey(key)))).toBe(fences.at(-1));
  });
});

describe('a JVM that dies', () => {
  it('leaves its lock to us at its deadline', async () => {
    const dying = await startRedisson(world.redis.port);
    const name = world.freshName('dying');
    const client = world.client();
    await dying.lock('a', client.keyOf(name));
    const waiting = client.acquire(name);
    await world.untilQueued(client.keyOf(name), 1);
    await dying.kill();
    await (await waiting).release();
  });

  it('while it waits in the fair queue does not keep the lock from us', async () => {
    const dying = await startRedisson(world.redis.port);
    const name = world.freshName('dying');
    const client = world.client();
    const holder = await client.acquire(name);
    void dying
      .of('fair')
      .lock('a', holder.key)
      .catch(() => {});
    await world.untilQueued(holder.key, 1);
    await dying.kill();
    const waiting = world.client().acquire(name);
    await world.untilQueued(holder.key, 2);
    await holder.release();
    const { isDone } = watched(waiting.catch(() => {}));
    await until('the dead one is passed over', isDone, 30_000);
    await (await waiting).release();
  });
});
