import { expect, it } from 'vitest';
import type { Peer } from '@/test/support/lock-fleet/peer';
import type { LockWorld } from '@/test/support/lock-fleet/lock-world';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';

export interface Meeting {
  world: () => LockWorld;
  peer: () => Peer;
  /** Our lease while many compete: a peer that may miss a message sleeps for as long as that. */
  ttlMs?: number;
}

/** Looks whether it ever resolves, without waiting for it. */
export function watched(work: Promise<unknown>): { isDone: () => boolean } {
  let isDone = false;
  void work.then(() => (isDone = true));
  return { isDone: () => isDone };
}

/** What a lock of another library and ours promise to each other. Leases are so long that only a wake-up helps. */
export function describeMeeting({ world, peer, ttlMs = 60_000 }: Meeting): void {
  it('cannot take what we hold, and is woken by our release', async () => {
    const name = world().freshName('interop');
    const lock = await world().client({ ttlMs: 60_000 }).acquire(name);
    expect(await peer().tryLock('a', lock.key)).toBe(false);
    const waiting = peer().lock('b', lock.key);
    const { isDone } = watched(waiting);
    await pause(300);
    expect(isDone()).toBe(false);
    await lock.release();
    await until('it is woken', isDone);
    await peer().unlock('b', lock.key);
    expect(await world().admin.exists(lock.key)).toBe(0);
  });

  it('keeps from us what it holds, and its release wakes us', async () => {
    const name = world().freshName('interop');
    const client = world().client({ ttlMs: 60_000 });
    const key = client.keyOf(name);
    await peer().lock('a', key);
    expect(await client.tryAcquire(name)).toBeNull();
    const waiting = client.acquire(name);
    const { isDone } = watched(waiting);
    await world().untilQueued(key, 1);
    await pause(300);
    expect(isDone()).toBe(false);
    await peer().unlock('a', key);
    await until('we are woken', isDone);
    const lock = await waiting;
    expect(await world().admin.hget(key, lock.owner)).toBe('1');
    await lock.release();
  });

  it('keeps from us what it holds for longer than its lease, which it renews', async () => {
    const name = world().freshName('interop');
    const client = world().client();
    const key = client.keyOf(name);
    await peer().lock('a', key);
    const waiting = client.acquire(name);
    const { isDone } = watched(waiting);
    await pause(4_500);
    expect(isDone()).toBe(false);
    await peer().unlock('a', key);
    await (await waiting).release();
  });

  it('and we enter one at a time, and neither is left waiting', async () => {
    const name = world().freshName('interop');
    const clients = [world().client({ ttlMs }), world().client({ ttlMs })];
    const key = world().client().keyOf(name);
    let inside = 0;
    let most = 0;
    const visit = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await Promise.resolve();
      inside--;
    };
    const ours = [0, 1, 2, 3].map(async (worker) => {
      for (let n = 0; n < 50; n++) await clients[worker % 2]?.using(name, visit);
    });
    const theirs = ['a', 'b'].map(async (actor) => {
      for (let n = 0; n < 50; n++) {
        await peer().lock(actor, key);
        await visit();
        await peer().unlock(actor, key);
      }
    });
    await Promise.all([...ours, ...theirs]);
    expect(most).toBe(1);
    expect(await world().admin.exists(key)).toBe(0);
  });
}
