import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLockWorld, fenceKey, type LockWorld } from '@/test/support/lock-fleet/lock-world';

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

const isRising = (fences: number[]): boolean =>
  fences.every((fence, index) => index === 0 || fence > (fences[index - 1] ?? Infinity));

async function takeOnce(name: string): Promise<number> {
  return await world.client().using(name, (lock) => lock.fence);
}

describe('fences', () => {
  it('are whole numbers that a double can tell apart, and rise with every hold of any client', async () => {
    const name = world.freshName();
    const fences: number[] = [];
    const clients = [world.client(), world.client(), world.client()];
    await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        await clients[index % 3]?.using(name, (lock) => void fences.push(lock.fence));
      }),
    );
    expect(fences).toHaveLength(60);
    expect(fences.every((fence) => Number.isSafeInteger(fence) && fence > 0)).toBe(true);
    expect(isRising(fences)).toBe(true);
  });

  it('are what stands in the counter, so that others can read the holder’s', async () => {
    const name = world.freshName();
    const lock = await world.client().acquire(name);
    expect(Number(await world.admin.get(fenceKey(lock.key)))).toBe(lock.fence);
    await lock.release();
  });

  it('rise over a release by force', async () => {
    const name = world.freshName();
    const first = await world.client({ ttlMs: 60_000 }).acquire(name);
    await world.admin.del(first.key);
    expect(await takeOnce(name)).toBeGreaterThan(first.fence);
  });

  it('rise over a lease that ended', async () => {
    const name = world.freshName();
    const child = await world.child({ ttlMs: 300 });
    const { fence } = await child.ask('acquire', { as: 'it', name });
    await child.kill();
    expect(await takeOnce(name)).toBeGreaterThan(fence);
  });

  it('rise over the loss of the counter, over FLUSHALL and over SCRIPT FLUSH', async () => {
    const name = world.freshName();
    const fences = [await takeOnce(name)];
    await world.admin.del(fenceKey(world.client().keyOf(name)));
    fences.push(await takeOnce(name));
    await world.admin.flushall();
    fences.push(await takeOnce(name));
    await world.admin.script('FLUSH', 'SYNC');
    fences.push(await takeOnce(name));
    expect(isRising(fences)).toBe(true);
  });

  it('rise over FLUSHALL after many holds in a short time', async () => {
    const name = world.freshName();
    const client = world.client();
    let last = 0;
    for (let hold = 0; hold < 300; hold++) last = await client.using(name, (lock) => lock.fence);
    await world.admin.flushall();
    expect(await client.using(name, (lock) => lock.fence)).toBeGreaterThan(last);
  });

  it('keep to a counter that another client has moved ahead', async () => {
    const name = world.freshName();
    const first = await takeOnce(name);
    const key = fenceKey(world.client().keyOf(name));
    await world.admin.incrby(key, 1_000);
    expect(await takeOnce(name)).toBeGreaterThan(first + 1_000);
  });

  it('are kept for a while after the release, not for ever', async () => {
    const name = world.freshName();
    await takeOnce(name);
    const key = fenceKey(world.client().keyOf(name));
    expect(await world.admin.pttl(key)).toBeGreaterThan(60_000);
  });
});
