import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLockWorld, rejection, type LockWorld } from '@/test/support/lock-fleet/lock-world';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

let world: LockWorld;
let restarted: TestRedis | undefined;

beforeEach(async () => {
  world = await createLockWorld();
});
afterEach(async () => {
  restarted ??= await startRedis({ port: world.redis.port }).catch(() => undefined);
  await world.reset();
  await restarted?.stop();
  restarted = undefined;
  await world.stop();
});

async function restart(): Promise<void> {
  await world.redis.kill();
  restarted = await startRedis({ port: world.redis.port });
}

describe('when Redis is killed', () => {
  it('a holder learns that its lease is over at its deadline, though nobody can tell it', async () => {
    const lock = await world.client({ ttlMs: 3_000 }).acquire(world.freshName());
    await world.redis.kill();
    await until('the loss is known', () => lock.signal.aborted);
    expect(lock.isHeld).toBe(false);
    expect(lock.signal.reason).toMatchObject({ code: 'LOST', fields: { reason: 'unreachable' } });
    await restart();
  });

  it('and starts again empty, a holder knows that it holds nothing any more', async () => {
    const lock = await world.client({ ttlMs: 1_000 }).acquire(world.freshName());
    await restart();
    await until('the loss is known', () => lock.signal.aborted);
    expect(lock.isHeld).toBe(false);
    expect(await rejection(lock.release())).toMatchObject({ code: 'LOST' });
  });

  it('and starts again empty, waiters get the lock and fences are newer than before', async () => {
    const name = world.freshName();
    const holder = await world.client({ ttlMs: 1_000 }).acquire(name);
    const waiting = world.client({ ttlMs: 10_000 }).acquire(name);
    await world.untilQueued(holder.key, 1);
    await restart();
    const lock = await waiting;
    expect(lock.fence).toBeGreaterThan(holder.fence);
    expect(lock.isHeld).toBe(true);
    await lock.release();
  });

  it('an acquire that cannot be answered ends at its limit', async () => {
    const client = world.client();
    const name = world.freshName();
    await (await client.acquire(name)).release();
    await world.redis.kill();
    const error = await rejection(client.acquire(name, { waitMs: 500 }));
    expect(error).toMatchObject({
      code: expect.stringMatching(/^(REDIS_UNREACHABLE|ACQUISITION_TIMEOUT)$/),
    });
    await restart();
    await (await client.acquire(name)).release();
  });

  it('close() does not wait for it for ever', async () => {
    const client = world.client();
    await client.acquire(world.freshName());
    await world.redis.kill();
    let isClosed = false;
    void client.close().then(() => (isClosed = true));
    await until('it is closed', () => isClosed);
    await restart();
  });
});
