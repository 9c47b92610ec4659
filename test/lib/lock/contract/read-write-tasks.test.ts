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

describe('side by side inside one task', () => {
  it.each([
    ['reads', 'writes'],
    ['writes', 'reads'],
    ['writes', 'writes'],
  ] as const)('one that %s and one that %s never meet', async (...ways) => {
    const client = world.client();
    const lock = client.readWrite(world.freshName());
    let inside = 0;
    const met: number[] = [];
    await client.using(world.freshName(), async () => {
      await Promise.all(
        ways.map(async (way) => {
          const side = way === 'reads' ? lock.read : lock.write;
          await side.using({ waitMs: 30_000 }, async () => {
            met.push(++inside);
            await pause(120);
            inside--;
          });
        }),
      );
    });
    expect(met).toEqual([1, 1]);
  });

  it('a sibling that comes later does not read beside a write', async () => {
    const client = world.client();
    const lock = client.readWrite(world.freshName());
    let isWriting = false;
    await client.using(world.freshName(), async () => {
      const writing = lock.write.using(async () => {
        isWriting = true;
        await pause(300);
        isWriting = false;
      });
      await until('it writes', () => isWriting);
      await lock.read.using({ waitMs: 30_000 }, () => expect(isWriting).toBe(false));
      await writing;
    });
  });

  it('all read together', async () => {
    const client = world.client();
    const { read } = client.readWrite(world.freshName());
    let inside = 0;
    let most = 0;
    await client.using(world.freshName(), async () => {
      await Promise.all(
        [0, 1, 2].map(async () => {
          await read.using(async () => {
            most = Math.max(most, ++inside);
            await pause(150);
            inside--;
          });
        }),
      );
    });
    expect(most).toBe(3);
  });
});

describe('one line of work', () => {
  it('reads in its own write, however deep, and goes on reading when the write ends', async () => {
    const client = world.client();
    const other = world.client();
    const name = world.freshName();
    const { read, write } = client.readWrite(name);
    await client.task(async () => {
      const writing = await write.acquire();
      const reading = await read.acquire({ waitMs: 30_000 });
      await read.using(async (lock) => {
        expect(lock.depth).toBe(2);
        await write.using({ waitMs: 30_000 }, (again) => expect(again.depth).toBe(2));
      });
      expect(await other.readWrite(name).read.tryAcquire()).toBeNull();
      await writing.release();
      expect(await world.admin.hget(reading.key, 'mode')).toBe('read');
      const beside = await other.readWrite(name).read.acquire({ waitMs: 30_000 });
      expect(await other.readWrite(name).write.tryAcquire()).toBeNull();
      await beside.release();
      await reading.release();
      expect(await world.admin.exists(reading.key)).toBe(0);
    });
  });

  it('reads in a write that it took beside its other locks', async () => {
    const client = world.client();
    const { read, write } = client.readWrite(world.freshName());
    await client.task(async () => {
      await Promise.all(
        [0, 1].map(
          async () =>
            await write.using(async () => {
              await pause(20);
              expect(await read.using({ waitMs: 30_000 }, (lock) => lock.isHeld)).toBe(true);
            }),
        ),
      );
    });
  });

  it('reads side by side inside its own write, and lets nobody else in meanwhile', async () => {
    const client = world.client();
    const name = world.freshName();
    const { read, write } = client.readWrite(name);
    const other = world.client().readWrite(name);
    let inside = 0;
    let most = 0;
    await write.using(async (lock) => {
      await Promise.all(
        [0, 1, 2].map(async () => {
          await read.using({ waitMs: 30_000 }, async () => {
            most = Math.max(most, ++inside);
            await pause(60);
            expect(await other.read.tryAcquire()).toBeNull();
            await read.using({ waitMs: 30_000 }, () => {});
            inside--;
          });
        }),
      );
      expect(lock.isHeld).toBe(true);
      expect(await other.read.tryAcquire()).toBeNull();
    });
    expect(most).toBe(3);
    expect(await world.admin.exists(client.keyOf(name))).toBe(0);
  });

  it('is refused a write inside its read, at any depth', async () => {
    const client = world.client();
    const { read, write } = client.readWrite(world.freshName());
    await read.using(async () => {
      await client.using(world.freshName(), async () => {
        expect(await rejection(write.acquire({ waitMs: 30_000 }))).toMatchObject({
          code: 'BAD_OPTIONS',
        });
      });
    });
    expect(await write.using((lock) => lock.isHeld)).toBe(true);
  });
});

describe('in Redis', () => {
  it('lies as RReadWriteLock does', async () => {
    const client = world.client({ ttlMs: 20_000 });
    const name = world.freshName();
    const { read, write } = client.readWrite(name);
    await client.task(async () => {
      const one = await read.acquire();
      const two = await read.acquire();
      expect(await world.admin.hgetall(one.key)).toEqual({ mode: 'read', [one.owner]: '2' });
      for (const n of [1, 2]) {
        const lease = `{${one.key}}:${one.owner}:rwlock_timeout:${n}`;
        expect(await world.admin.get(lease)).toBe('1');
        expect(await world.admin.pttl(lease)).toBeGreaterThan(15_000);
      }
      await two.release();
      expect(await world.admin.exists(`{${one.key}}:${one.owner}:rwlock_timeout:2`)).toBe(0);
      await one.release();
      expect(await world.admin.keys('*rwlock_timeout*')).toEqual([]);
      const writing = await write.acquire();
      expect(writing.owner).toMatch(/^[0-9a-f-]{36}:\d+:write$/);
      expect(await world.admin.hgetall(writing.key)).toEqual({
        mode: 'write',
        [writing.owner]: '1',
      });
      await writing.release();
    });
  });
});

describe('who dies', () => {
  it('as a reader blocks a writer no longer than its lease, however long another reads', async () => {
    const name = world.freshName();
    const living = await world.client({ ttlMs: 4_000 }).readWrite(name).read.acquire();
    const lease = `{${living.key}}:gone:1:rwlock_timeout:1`;
    await world.admin.hset(living.key, 'gone:1', '1');
    await world.admin.set(lease, '1', 'PX', 900);
    const writing = world.client().readWrite(name).write.acquire({ waitMs: 30_000 });
    await world.untilQueued(living.key, 1);
    await pause(1_200);
    expect(living.isHeld).toBe(true);
    await living.release();
    const writer = await writing;
    expect(await world.admin.hexists(living.key, 'gone:1')).toBe(0);
    await writer.release();
  });

  it('as the last reader, while another has left, makes the writer wait to its deadline only', async () => {
    const name = world.freshName();
    const reader = await world.client({ ttlMs: 60_000 }).readWrite(name).read.acquire();
    await world.admin.hset(reader.key, 'gone:1', '1');
    await world.admin.set(`{${reader.key}}:gone:1:rwlock_timeout:1`, '1', 'PX', 1_000);
    const writing = world.client().readWrite(name).write.acquire({ waitMs: 30_000 });
    await world.untilQueued(reader.key, 1);
    await reader.release();
    await (await writing).release();
  });

  it('as a writer leaves the lock to readers at its deadline', async () => {
    const name = world.freshName();
    const key = world.client().keyOf(name);
    await world.admin.hset(key, 'mode', 'write', 'gone:1:write', '1');
    await world.admin.pexpire(key, 900);
    const readers = await Promise.all(
      [0, 1].map(async () => await world.client().readWrite(name).read.acquire({ waitMs: 30_000 })),
    );
    expect(readers.every(({ isHeld }) => isHeld)).toBe(true);
    await Promise.all(readers.map(async (reader) => await reader.release()));
  });

  it('as a waiting writer holds up no reader after its deadline', async () => {
    const name = world.freshName();
    const reader = await world.client().readWrite(name).read.acquire();
    const instance = '00000000-0000-8000-8000-000000000000';
    const owner = `${instance}:1:write`;
    await world.admin.rpush(`redisson_lock_queue:{${reader.key}}`, owner);
    const deadline = Date.now() + 1_500;
    await world.admin.zadd(`redisson_lock_timeout:{${reader.key}}`, deadline, owner);
    const second = await world.client().readWrite(name).read.acquire({ waitMs: 30_000 });
    expect(Date.now()).toBeGreaterThanOrEqual(deadline);
    await Promise.all([reader.release(), second.release()]);
  });
});

describe('a wait that ends without the lock', () => {
  it.each(['timeout', 'abort'] as const)(
    'by %s leaves nothing, and lets on who stood behind',
    async (how) => {
      const name = world.freshName();
      const reader = await world.client().readWrite(name).read.acquire();
      const options = how === 'abort' ? { signal: AbortSignal.timeout(4_000) } : { waitMs: 4_000 };
      const writing = rejection(world.client().readWrite(name).write.acquire(options));
      await world.untilQueued(reader.key, 1);
      const second = world.client().readWrite(name).read.acquire({ waitMs: 30_000 });
      await world.untilQueued(reader.key, 2);
      expect(await writing).toMatchObject({
        code: how === 'abort' ? 'ABORTED' : 'ACQUISITION_TIMEOUT',
      });
      await Promise.all([reader.release(), (await second).release()]);
      const left = (await world.admin.keys(`*${name}*`)).filter((key) => !key.includes('_token:'));
      expect(left).toEqual([]);
    },
  );
});

describe('a stream of readers without a gap', () => {
  it('does not starve a writer', async () => {
    const name = world.freshName();
    const clients = [world.client(), world.client(), world.client()];
    let isEnding = false;
    const reading = clients.flatMap((client) =>
      [0, 1].map(async () => {
        while (!isEnding) await client.readWrite(name).read.using(async () => await pause(10));
      }),
    );
    try {
      for (let round = 0; round < 10; round++) {
        await world
          .client()
          .readWrite(name)
          .write.using({ waitMs: 30_000 }, () => {});
      }
    } finally {
      isEnding = true;
      await Promise.all(reading);
    }
  });
});

describe('a lock of another kind', () => {
  it('under the same name is refused, and left alone', async () => {
    const client = world.client();
    const name = world.freshName();
    const mutex = await client.acquire(name);
    const others = world.client().readWrite(name);
    for (const lock of [others.read, others.write, client.semaphore(name, 2)]) {
      expect(await rejection(lock.acquire({ waitMs: 30_000 }))).toMatchObject({
        code: 'WRONG_TYPE',
      });
    }
    expect(mutex.isHeld).toBe(true);
    await mutex.release();
    const permit = await client.semaphore(name, 2).acquire();
    const { read, write } = world.client().readWrite(name);
    for (const lock of [read, write, world.client().mutex(name)]) {
      expect(await rejection(lock.acquire({ waitMs: 30_000 }))).toMatchObject({
        code: 'WRONG_TYPE',
      });
    }
    await permit.release();
    expect(await write.using((lock) => lock.isHeld)).toBe(true);
  });
});
