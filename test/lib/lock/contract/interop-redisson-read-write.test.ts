import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Lock, LockClient } from '@/lib/lock/index';
import { createLockWorld, type LockWorld } from '@/test/support/lock-fleet/lock-world';
import type { Peer } from '@/test/support/lock-fleet/peer';
import { startRedisson, type RedissonPeer } from '@/test/support/lock-fleet/redisson-peer';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { watched } from '@/test/lib/lock/contract/interop-suite';

type Side = 'read' | 'write';

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

const theirs = (side: Side): Peer => redisson.of(side);
const ours = (client: LockClient, name: string, side: Side) => client.readWrite(name)[side];

describe('RReadWriteLock of Redisson', () => {
  it.each([
    ['read', 'write'],
    ['write', 'read'],
    ['write', 'write'],
  ] as const)('while we %s cannot %s, and is woken by our release', async (our, their) => {
    const name = world.freshName('rw');
    const client = world.client({ ttlMs: 60_000 });
    const lock = await ours(client, name, our).acquire();
    expect(await theirs(their).tryLock('a', lock.key)).toBe(false);
    const waiting = theirs(their).lock('b', lock.key);
    const { isDone } = watched(waiting);
    await pause(300);
    expect(isDone()).toBe(false);
    await lock.release();
    await until('it is woken', isDone);
    await theirs(their).unlock('b', lock.key);
    expect(await world.admin.exists(lock.key)).toBe(0);
  });

  it.each([
    ['read', 'write'],
    ['write', 'read'],
    ['write', 'write'],
  ] as const)('that can %s keeps us from a %s, and its release wakes us', async (their, our) => {
    const name = world.freshName('rw');
    const client = world.client({ ttlMs: 60_000 });
    const key = client.keyOf(name);
    await theirs(their).lock('a', key);
    expect(await ours(client, name, our).tryAcquire()).toBeNull();
    const waiting = ours(client, name, our).acquire();
    const { isDone } = watched(waiting);
    await world.untilQueued(key, 1);
    await pause(4_500);
    expect(isDone()).toBe(false);
    await theirs(their).unlock('a', key);
    await until('we are woken', isDone);
    await (await waiting).release();
    expect(await world.admin.exists(key)).toBe(0);
  });

  it('reads beside us, and each leaves the other inside', async () => {
    const name = world.freshName('rw');
    const client = world.client({ ttlMs: 60_000 });
    const first: Lock = await client.readWrite(name).read.acquire();
    await theirs('read').lock('a', first.key);
    await first.release();
    expect(await client.readWrite(name).write.tryAcquire()).toBeNull();
    const second = await client.readWrite(name).read.acquire();
    await theirs('read').unlock('a', first.key);
    expect(second.isHeld).toBe(true);
    expect(await theirs('write').tryLock('a', first.key)).toBe(false);
    await second.extend();
    await second.release();
    expect(await theirs('write').tryLock('a', first.key)).toBe(true);
    await theirs('write').unlock('a', first.key);
    expect(await world.admin.keys(`*rwlock_timeout*`)).toEqual([]);
  });

  it('and we take turns under load: nobody beside a writer, and nobody is left waiting', async () => {
    const name = world.freshName('rw');
    const clients = [world.client({ ttlMs: 3_000 }), world.client({ ttlMs: 3_000 })];
    const key = world.client().keyOf(name);
    const inside = { read: 0, write: 0 };
    const wrong: string[] = [];
    const visit = async (side: Side): Promise<void> => {
      inside[side]++;
      const { read, write } = inside;
      if (write > 1 || (write === 1 && read > 0)) wrong.push(`${read} read and ${write} write`);
      await Promise.resolve();
      inside[side]--;
    };
    const sideOf = (n: number): Side => (n % 3 === 0 ? 'write' : 'read');
    const ourWork = [0, 1, 2, 3].map(async (worker) => {
      for (let n = 0; n < 30; n++) {
        const lock = clients[worker % 2]?.readWrite(name)[sideOf(n + worker)];
        await lock?.using(async () => await visit(sideOf(n + worker)));
      }
    });
    const theirWork = ['a', 'b'].map(async (actor, worker) => {
      for (let n = 0; n < 30; n++) {
        const side = sideOf(n + worker);
        await theirs(side).lock(actor, key);
        await visit(side);
        await theirs(side).unlock(actor, key);
      }
    });
    await Promise.all([...ourWork, ...theirWork]);
    expect(wrong).toEqual([]);
    expect(await world.admin.exists(key)).toBe(0);
  });
});
