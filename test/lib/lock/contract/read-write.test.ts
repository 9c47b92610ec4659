import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
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

const both = (name: string, options = {}) => world.client(options).readWrite(name);

async function expectNothingLeft(key: string): Promise<void> {
  await until('nothing is left', async () => {
    const keys = await world.admin.keys('*');
    return keys.filter((each) => each.includes(key)).every((each) => each.includes('_token:'));
  });
}

describe('a read-write lock', () => {
  it('lets readers in together, and a writer alone', async () => {
    const name = world.freshName();
    const [one, two, three] = [both(name), both(name), both(name)];
    const readers = [await one.read.acquire(), await two.read.acquire()];
    expect(await three.write.tryAcquire()).toBeNull();
    await readers[0]?.release();
    expect(await three.write.tryAcquire()).toBeNull();
    await readers[1]?.release();
    const writer = await three.write.acquire({ waitMs: 30_000 });
    expect(await one.read.tryAcquire()).toBeNull();
    expect(await two.write.tryAcquire()).toBeNull();
    await writer.release();
    await (await one.read.acquire({ waitMs: 30_000 })).release();
    await expectNothingLeft(writer.key);
  });

  it('serves a writer before readers who came after it', async () => {
    const name = world.freshName();
    const order: string[] = [];
    const reader = await both(name).read.acquire();
    const writing = both(name).write.using(() => void order.push('writer'));
    await world.untilQueued(reader.key, 1);
    expect(await both(name).read.tryAcquire()).toBeNull();
    const reading = both(name).read.using(() => void order.push('reader'));
    await world.untilQueued(reader.key, 2);
    await reader.release();
    await Promise.all([writing, reading]);
    expect(order).toEqual(['writer', 'reader']);
  });

  it('lets all readers in at once that wait behind a writer', async () => {
    const name = world.freshName();
    const writer = await both(name).write.acquire();
    const readers = [both(name), both(name), both(name)].map(
      async ({ read }) => await read.acquire({ waitMs: 30_000 }),
    );
    await world.untilQueued(writer.key, 3);
    await writer.release();
    const locks = await Promise.all(readers);
    expect(locks.every(({ isHeld }) => isHeld)).toBe(true);
    await Promise.all(locks.map(async (lock) => await lock.release()));
    await expectNothingLeft(writer.key);
  });

  it('gives writers fences that rise', async () => {
    const { read, write } = both(world.freshName());
    const fences: number[] = [];
    for (let round = 0; round < 3; round++) {
      fences.push(await write.using((lock) => lock.fence));
      fences.push(await read.using((lock) => lock.fence));
    }
    expect(fences.every((fence, index) => index === 0 || fence > (fences[index - 1] ?? 0))).toBe(
      true,
    );
  });

  it('lets a writer read, and refuses a reader that would wait for itself', async () => {
    const { read, write } = both(world.freshName());
    await write.using(async () => {
      expect(await read.using((lock) => lock.isHeld)).toBe(true);
    });
    await read.using(async () => {
      expect(await rejection(write.acquire({ waitMs: 30_000 }))).toMatchObject({
        code: 'BAD_OPTIONS',
      });
      expect(await read.using((lock) => lock.depth)).toBe(2);
    });
    const [other] = [world.client()];
    await (await other.readWrite(world.freshName()).write.acquire()).release();
  });

  it('keeps a reader inside while another that came earlier dies', async () => {
    const name = world.freshName();
    const mine = await both(name, { ttlMs: 3_000 }).read.acquire();
    const client = world.client({ ttlMs: 3_000 });
    const gone = await client.readWrite(name).read.acquire();
    await world.admin.hdel(gone.key, gone.owner);
    await until('the one that is gone knows', () => gone.signal.aborted);
    const lease = `{${mine.key}}:${mine.owner}:rwlock_timeout:1`;
    let leftMs = await world.admin.pttl(lease);
    await until('the other one is renewed', async () => {
      const beforeMs = leftMs;
      leftMs = await world.admin.pttl(lease);
      return leftMs > beforeMs;
    });
    expect(mine.isHeld).toBe(true);
    expect(await both(name).write.tryAcquire()).toBeNull();
    await mine.release();
    await (await both(name).write.acquire({ waitMs: 30_000 })).release();
  });

  it('excludes under load: readers never beside a writer, writers never beside anybody', async () => {
    const name = world.freshName();
    const clients = [world.client(), world.client(), world.client()];
    let readers = 0;
    let writers = 0;
    const wrong: string[] = [];
    await Promise.all(
      Array.from({ length: 120 }, async (_, index) => {
        const lock = clients[index % 3]?.readWrite(name);
        if (index % 4 === 0) {
          await lock?.write.using(async () => {
            writers++;
            await pause(1);
            if (readers > 0 || writers > 1) wrong.push(`${readers} readers, ${writers} writers`);
            writers--;
          });
          return;
        }
        await lock?.read.using(async () => {
          readers++;
          await pause(1);
          if (writers > 0) wrong.push(`a reader beside ${writers} writers`);
          readers--;
        });
      }),
    );
    expect(wrong).toEqual([]);
    await expectNothingLeft(clients[0]?.keyOf(name) ?? '');
  });
});
