import { afterEach, describe, expect, it } from 'vitest';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startHeldCommands } from '@/test/support/held-commands';
import { pause } from '@/test/support/pause';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

/** Waits that look like a deadlock and are none, each beside one that is. The phantom comes first in each. */
const PATIENCE_MS = 60_000;
const LEASE_MS = 600_000;
/** For which a second look is kept waiting: the console judges four times a second. */
const UNANSWERED_MS = 1_000;

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
});

async function aRedis(): Promise<TestRedis> {
  const redis = await startRedis();
  stops.push(redis.stop);
  return redis;
}

async function consoleAt(port: number): Promise<TestConsole> {
  const console = await startConsole({ redisUrl: `redis://127.0.0.1:${port}/0` });
  stops.push(console.stop);
  return console;
}

/** Everything that was ever told of a deadlock about the lock: incidents and alerts, over or not. */
async function toldOf(console: TestConsole, key: string): Promise<string[]> {
  const deadlocks = (await console.query('deadlocks')).filter(
    ({ state, cycle }) =>
      state !== 'predicted' && cycle.some(({ waitsFor }) => waitsFor.key === key),
  );
  const alerts = (await console.alerts('deadlock')).filter(({ subject }) =>
    subject.locks.some((lock) => lock.key === key),
  );
  return [...deadlocks.map(({ state }) => state), ...alerts.map(({ summary }) => summary)];
}

const confirmed = (console: TestConsole, key: string) =>
  until(
    `a deadlock about ${key}`,
    async () =>
      (await console.query('deadlocks')).find(
        ({ state, cycle }) =>
          state === 'confirmed' && cycle.some(({ waitsFor }) => waitsFor.key === key),
      ),
    PATIENCE_MS,
  );

const alerted = (console: TestConsole, key: string) =>
  until(
    `the alert about ${key}`,
    async () =>
      (await console.alerts('deadlock')).find(
        ({ state, subject }) =>
          state === 'firing' && subject.locks.some((lock) => lock.key === key),
      ),
    PATIENCE_MS,
  );

/** Two owners of Redisson’s fair locks, and what they do, as Redisson’s scripts write it. */
function fairLocks(redis: TestRedis, pair: number) {
  const client = redis.client();
  const [one, two] = [`acct:${pair}1`, `acct:${pair}2`];
  const owner = (digit: number) => `${`${digit}`.repeat(8)}-1111-4111-8111-11111111111${pair}:1`;
  const [a, b] = [owner(1), owner(2)];
  return {
    ...{ one, two, a, b },
    take: async (key: string, by: string) => {
      await client.multi().hincrby(key, by, 1).pexpire(key, LEASE_MS).exec();
    },
    queue: async (key: string, by: string, forMs = LEASE_MS) => {
      await client
        .multi()
        .rpush(`redisson_lock_queue:{${key}}`, by)
        .zadd(`redisson_lock_timeout:{${key}}`, Date.now() + forMs, by)
        .exec();
    },
    giveUp: async (key: string, by: string) => {
      await client
        .multi()
        .lrem(`redisson_lock_queue:{${key}}`, 0, by)
        .zrem(`redisson_lock_timeout:{${key}}`, by)
        .exec();
    },
  };
}
type Pair = ReturnType<typeof fairLocks>;

describe('a circle of waits', () => {
  it('that is broken between the first look and the second was none, and one that stands is told', async () => {
    const redis = await aRedis();
    const between = await startHeldCommands(redis.port);
    stops.push(between.stop);
    const console = await consoleAt(between.port);
    const isRoot = async ({ a }: Pair) =>
      (await console.query('chains')).some(({ root }) => root === a);
    /** All but the last wait, as the console knows it. */
    const begin = async (pair: number): Promise<Pair> => {
      const locks = fairLocks(redis, pair);
      await locks.take(locks.one, locks.a);
      await locks.take(locks.two, locks.b);
      await locks.queue(locks.one, locks.b);
      await until('who waits for nobody is known', () => isRoot(locks), PATIENCE_MS);
      return locks;
    };

    const broken = await begin(1);
    between.hold(broken.one);
    await broken.queue(broken.two, broken.a);
    // Now nobody is left in it who waits for nobody: it has been met, and is to be looked at again.
    await until('it is met', async () => !(await isRoot(broken)), PATIENCE_MS);
    await until('the second look waits', () => between.isHolding, PATIENCE_MS);
    await pause(UNANSWERED_MS);
    expect(await toldOf(console, broken.one)).toEqual([]);
    await broken.giveUp(broken.one, broken.b);
    between.letGo();
    await until(
      'the second look has shown that nobody waits any more',
      async () => (await console.detail(broken.one))?.waiting.count === 0,
      PATIENCE_MS,
    );

    const stands = await begin(2);
    between.hold(stands.one);
    await stands.queue(stands.two, stands.a);
    await until('it is met', async () => !(await isRoot(stands)), PATIENCE_MS);
    await until('the second look waits', () => between.isHolding, PATIENCE_MS);
    between.letGo();
    const { cycle } = await confirmed(console, stands.one);
    expect(cycle.every(({ checkedAt }) => checkedAt !== null)).toBe(true);
    await alerted(console, stands.one);
    expect(await toldOf(console, broken.one)).toEqual([]);
  }, 300_000);

  it('is none by an entry whose time is over, which the next one of its library drops', async () => {
    const redis = await aRedis();
    const console = await consoleAt(redis.port);
    const [over, waits] = [fairLocks(redis, 1), fairLocks(redis, 2)];
    for (const [locks, forMs] of [
      [over, -1000],
      [waits, LEASE_MS],
    ] as const) {
      await locks.take(locks.one, locks.a);
      await locks.take(locks.two, locks.b);
      await locks.queue(locks.one, locks.b);
      await locks.queue(locks.two, locks.a, forMs);
    }
    const { summary } = await alerted(console, waits.one);
    expect(summary).toContain(
      `${waits.a} → ${waits.two} → ${waits.b} → ${waits.one} → ${waits.a}: each waits for the next`,
    );
    const { hold } = await console.heldBy(over.two, over.b);
    expect(hold).not.toBeNull();
    expect(await toldOf(console, over.one)).toEqual([]);
  }, 300_000);
});

describe('tasks of our own client', () => {
  function clientOf(redis: TestRedis, app: string): LockClient {
    const client = createLockClient({ redis: redis.client(), allowInsecure: true, app });
    stops.push(() => client.close());
    return client;
  }
  const key = (name: string): string => `qoder:lock:${name}`;

  /** Starts a task whose waits end with the test. */
  function tasks() {
    const stop = new AbortController();
    const running: Promise<unknown>[] = [];
    stops.push(async () => {
      stop.abort();
      await Promise.allSettled(running);
    });
    return {
      options: { signal: stop.signal, waitMs: Infinity },
      run: (client: LockClient, work: () => Promise<unknown>) => {
        const done = client.task(work);
        done.catch(() => undefined);
        running.push(done);
      },
    };
  }

  const holders = async (console: TestConsole, name: string, count: number) =>
    await until(
      `${name} has ${count} holders`,
      async () => {
        const detail = await console.detail(key(name));
        if (!detail?.hold) return false;
        return Math.max(1, detail.members?.length ?? 0) === count;
      },
      PATIENCE_MS,
    );
  const waiters = async (console: TestConsole, name: string, count: number) =>
    await until(
      `${count} wait for ${name}`,
      async () => (await console.detail(key(name)))?.waiting.count === count,
      PATIENCE_MS,
    );

  it('that wait for a permit are stuck when all are held by who waits for them, and not while one is not', async () => {
    const redis = await aRedis();
    const console = await consoleAt(redis.port);
    const { options, run } = tasks();
    const clients = ['one', 'two', 'three', 'four'].map((app) => clientOf(redis, app));
    const [one, two, three, four] = clients;
    if (!one || !two || !three || !four) throw new Error('four clients were made');
    /** Two hold a permit each and wait for the gate; who holds the gate waits for a permit. */
    const stage = async (pool: string, gate: string, permits: number): Promise<void> => {
      const holder = (client: LockClient) =>
        run(client, async () => {
          await client.semaphore(pool, permits).acquire(options);
          await holders(console, gate, 1);
          await client.acquire(gate, options);
        });
      if (permits === 3) run(four, () => four.semaphore(pool, permits).acquire(options));
      holder(one);
      holder(two);
      run(three, async () => {
        await three.acquire(gate);
        await holders(console, pool, permits);
        await three.semaphore(pool, permits).acquire(options);
      });
      await waiters(console, gate, 2);
      await waiters(console, pool, 1);
    };
    await stage('pool:open', 'gate:open', 3);
    await stage('pool:full', 'gate:full', 2);
    await alerted(console, key('pool:full'));
    const { cycle } = await confirmed(console, key('pool:full'));
    expect(new Set(cycle.map(({ owner }) => owner)).size).toBe(3);
    expect(await toldOf(console, key('pool:open'))).toEqual([]);
    expect(await toldOf(console, key('gate:open'))).toEqual([]);
  }, 300_000);

  it('that stand in line to read beside readers are let in, and one that wants to write is stuck', async () => {
    const redis = await aRedis();
    const console = await consoleAt(redis.port);
    const { options, run } = tasks();
    const [reader, other] = [clientOf(redis, 'reader'), clientOf(redis, 'other')];
    /** One reads the page and waits for the desk; who has the desk does what `next` says. */
    const stage = async (n: string, next: (owner: string) => Promise<unknown>): Promise<void> => {
      run(reader, async () => {
        await reader.readWrite(`page:${n}`).read.acquire(options);
        await holders(console, `desk:${n}`, 1);
        await reader.acquire(`desk:${n}`, options);
      });
      run(other, async () => {
        const { owner } = await other.acquire(`desk:${n}`, options);
        await holders(console, `page:${n}`, 1);
        await waiters(console, `desk:${n}`, 1);
        await next(owner);
      });
      await waiters(console, `desk:${n}`, 1);
    };
    await stage('read', () => other.readWrite('page:read').read.acquire(options));
    await holders(console, 'page:read', 2);
    // As one stands in line whose process was paused before it could hear that it may come in.
    const { queue } = fairLocks(redis, 1);
    await stage('paused', (owner) => queue(key('page:paused'), owner));
    await waiters(console, 'page:paused', 1);
    await stage('write', () => other.readWrite('page:write').write.acquire(options));
    await alerted(console, key('page:write'));
    for (const n of ['read', 'paused']) {
      await waiters(console, `desk:${n}`, 1);
      expect(await toldOf(console, key(`page:${n}`))).toEqual([]);
      expect(await toldOf(console, key(`desk:${n}`))).toEqual([]);
    }
    expect((await console.detail(key('page:paused')))?.waiting.count).toBe(1);
  }, 300_000);
});
