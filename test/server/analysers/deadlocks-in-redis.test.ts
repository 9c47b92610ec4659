import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Redis } from 'ioredis';
import { classify } from '@/lib/analysis/lock-class';
import { formatTable } from '@/lib/formats';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { createAnalysis } from '@/server/analysers';
import { chains } from '@/server/queries/chains';
import { createLockTable } from '@/server/state/lock-table';
import { createWatch } from '@/server/watch/watch';
import { startServer, type TestServer } from '@/test/server/queries/server-under-test';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { until } from '@/test/support/until';

const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';
const SLOW_MS = 60_000;

async function take(client: Redis, key: string, owner: string): Promise<void> {
  await client.hincrby(key, owner, 1);
  await client.pexpire(key, 300_000);
}
async function queue(client: Redis, key: string, owner: string): Promise<void> {
  await client.rpush(`redisson_lock_queue:{${key}}`, owner);
  await client.zadd(`redisson_lock_timeout:{${key}}`, Date.now() + 300_000, owner);
}

describe('a deadlock that is met in the table', () => {
  let redis: TestRedis;
  let client: Redis;
  beforeAll(async () => {
    redis = await startRedis();
    client = redis.client();
  });
  afterAll(() => redis.stop());

  /** Watch, table and analysis on a real Redis, judged when the test says so. */
  async function stepwise() {
    const now = Date.now;
    const watch = createWatch({
      ...{ url: redis.url, id: 'main', mode: 'standalone', db: 0, dbs: [0] },
      ...{ patterns: ['acct:*'], everything: false, allowInsecureRedis: true, now },
    });
    const table = createLockTable({
      target: 'main',
      formats: formatTable,
      isDeclared: (_db, key) => key.startsWith('acct:'),
      classify,
    });
    const analysis = createAnalysis({ longHoldMs: 600_000, noExpiryMs: 600_000 });
    watch.onObservations((observations) => analysis.observe(table.apply(observations)));
    await watch.start();
    const judge = () =>
      analysis.findings(table, watch.status(), now()).filter(({ code }) => code === 'deadlock')
        .length;
    return {
      judge,
      met: () => until('it is met', () => (judge(), analysis.toCheck()), SLOW_MS),
      /** Reads again what is to be checked, and waits for the answers. */
      check: async (refs: readonly { db: number; key: string }[]) => {
        const times = refs.map(({ db, key }) => table.get(db, key)?.checked?.times ?? 0);
        watch.read(refs, 'check');
        await until(
          'all are read',
          () =>
            refs.every(
              ({ db, key }, i) => (table.get(db, key)?.checked?.times ?? 0) > (times[i] ?? 0),
            ),
          SLOW_MS,
        );
      },
      table,
      analysis,
      stop: () => watch.stop(),
    };
  }

  const seen = async (table: Awaited<ReturnType<typeof stepwise>>['table']): Promise<void> => {
    await until(
      'all is seen',
      () => {
        const [one, two] = [table.get(0, 'acct:1'), table.get(0, 'acct:2')];
        return one?.hold?.owner && two?.hold?.owner && one.queue.length + two.queue.length === 2;
      },
      SLOW_MS,
    );
  };

  const cross = async (): Promise<void> => {
    await take(client, 'acct:1', A);
    await take(client, 'acct:2', B);
    await queue(client, 'acct:2', A);
    await queue(client, 'acct:1', B);
  };

  afterEach(() => client.flushdb());

  it('is told after both of its locks were read again, from Redisson’s own commands', async () => {
    const steps = await stepwise();
    await cross();
    await seen(steps.table);
    expect(steps.judge()).toBe(0);
    const refs = steps.analysis.toCheck();
    expect(refs.map(({ key }) => key).toSorted()).toEqual(['acct:1', 'acct:2']);
    await until(
      'it is told',
      async () => {
        // What was read in the middle of joining a queue is another wait, and asked for again.
        const asked = steps.analysis.toCheck();
        await steps.check(asked.length > 0 ? asked : refs);
        return steps.judge();
      },
      SLOW_MS,
    );
    for (let i = 0; i < 5; i++) expect(steps.judge()).toBe(1);
    const [deadlock, ...others] = steps.analysis.deadlocks();
    expect(others).toEqual([]);
    expect(deadlock).toMatchObject({ state: 'confirmed', evidence: 'observed', behind: 0 });
    expect(deadlock?.cycle.map(({ owner, heldBy, source }) => [owner, heldBy, source])).toEqual([
      [A, B, 'fair-queue'],
      [B, A, 'fair-queue'],
    ]);
    expect(deadlock?.cycle.every(({ checkedAt }) => typeof checkedAt === 'number')).toBe(true);
    await steps.stop();
  });

  it('is not told when it is broken before its locks are read again', async () => {
    const steps = await stepwise();
    await cross();
    await seen(steps.table);
    expect(steps.judge()).toBe(0);
    const refs = steps.analysis.toCheck();
    expect(refs).toHaveLength(2);
    await client.lrem('redisson_lock_queue:{acct:1}', 1, B);
    await client.zrem('redisson_lock_timeout:{acct:1}', B);
    await steps.check(refs);
    expect(steps.judge()).toBe(0);
    expect(steps.analysis.deadlocks()).toEqual([]);
    expect(steps.analysis.takeChangedDeadlocks()).toEqual([]);
    await steps.stop();
  });
});

describe('a deadlock of tasks of our own client', () => {
  let server: TestServer;
  const clients: LockClient[] = [];
  /** Nodes of a Redlock that nobody watches. */
  const others: TestRedis[] = [];
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    for (const other of others.splice(0)) await other.stop();
  });

  function clientOf(app: string): LockClient {
    const client = createLockClient({ redis: server.redis.client(), allowInsecure: true, app });
    clients.push(client);
    return client;
  }
  const confirmed = () =>
    server.context.analysis.deadlocks().filter(({ state }) => state === 'confirmed');
  const held = (...keys: string[]) =>
    until(
      'all are held',
      () => keys.every((key) => server.context.table.get(0, `qoder:lock:${key}`)?.hold?.owner),
      SLOW_MS,
    );
  const over = () => until('it is over', () => confirmed().length === 0, SLOW_MS);

  it('through readers: a writer waits for two, one of which waits for it', async () => {
    const [one, two, three] = [clientOf('one'), clientOf('two'), clientOf('three')];
    const stop = new AbortController();
    const { signal } = stop;
    const page = (client: LockClient) => client.readWrite('page');
    const done = Promise.allSettled([
      one.task(async () => {
        await page(one).read.acquire({ signal });
        await held('page', 'mine');
        await one.acquire('mine', { signal, waitMs: 60_000 });
      }),
      two.task(async () => {
        await page(two).read.acquire({ signal });
      }),
      three.task(async () => {
        await three.acquire('mine');
        await held('page');
        await page(three).write.acquire({ signal, waitMs: 60_000 });
      }),
    ]);
    // The report of a wait may come after its place in the queue was read.
    const deadlock = await until(
      'it is told',
      () =>
        confirmed().find(({ cycle }) => {
          const kinds = cycle.map(({ source, needs }) => `${source} ${needs}`).toSorted();
          return kinds.join() === 'read-write and,report and';
        }),
      SLOW_MS,
    );
    expect(deadlock.cycle).toHaveLength(2);
    stop.abort();
    await done;
    await over();
  });

  it('through permits: all holders of a semaphore wait for who waits for one', async () => {
    const [one, two, three] = [clientOf('one'), clientOf('two'), clientOf('three')];
    const stop = new AbortController();
    const { signal } = stop;
    const holder = (client: LockClient) =>
      client.task(async () => {
        await client.semaphore('pool', 2).acquire({ signal });
        await held('pool', 'gate');
        await client.acquire('gate', { signal, waitMs: 60_000 });
      });
    const done = Promise.allSettled([
      holder(one),
      holder(two),
      three.task(async () => {
        await three.acquire('gate');
        await until(
          'both permits are held',
          () => server.context.table.get(0, 'qoder:lock:pool')?.members.length === 2,
          SLOW_MS,
        );
        await three.semaphore('pool', 2).acquire({ signal, waitMs: 60_000 });
      }),
    ]);
    const [deadlock] = await until(
      'it is told',
      () => (confirmed().length > 0 ? confirmed() : null),
      SLOW_MS,
    );
    expect(deadlock?.cycle.filter(({ needs }) => needs === 'or')).toHaveLength(2);
    expect(new Set(deadlock?.cycle.map(({ owner }) => owner)).size).toBe(3);
    expect(deadlock?.cycle.filter(({ source }) => source === 'semaphore')).toHaveLength(2);
    stop.abort();
    await done;
    await over();
  });

  it('through a Redlock is seen on one of its nodes: whoever waits for a majority queues on each', async () => {
    others.push(...(await Promise.all([startRedis(), startRedis()])));
    const redlockOf = (app: string): LockClient => {
      const nodes = [server.redis, ...others].map((redis) => redis.client());
      const client = createLockClient({ nodes, allowInsecure: true, app });
      clients.push(client);
      return client;
    };
    const [one, two] = [redlockOf('one'), redlockOf('two')];
    const stop = new AbortController();
    const { signal } = stop;
    const crosses = (client: LockClient, first: string, second: string) =>
      client.task(async () => {
        await client.acquire(first, { signal, ttlMs: 30_000 });
        await held('left', 'right');
        await client.acquire(second, { signal, waitMs: 60_000 });
      });
    const done = Promise.allSettled([crosses(one, 'left', 'right'), crosses(two, 'right', 'left')]);
    const isToldAs = (source: string) =>
      confirmed().find(({ cycle }) => cycle.every((edge) => edge.source === source));
    // What a client says of itself is read a moment after its locks.
    const deadlock = await until('it is told', () => isToldAs('redlock'), SLOW_MS);
    expect(deadlock.cycle.map(({ waitsFor }) => waitsFor.key).toSorted()).toEqual([
      'qoder:lock:left',
      'qoder:lock:right',
    ]);
    expect(deadlock.evidence).toBe('observed');
    stop.abort();
    await done;
    await over();
  });

  it('is none while one permit is held by a task that works, though the chain is listed', async () => {
    const [one, two, three] = [clientOf('one'), clientOf('two'), clientOf('three')];
    const stop = new AbortController();
    const { signal } = stop;
    const first = await one.acquire('root');
    const done = Promise.allSettled([
      two.task(async () => {
        await two.acquire('second', { signal });
        await two.acquire('root', { signal, waitMs: 60_000 });
      }),
      three.task(async () => {
        await held('second');
        await three.acquire('second', { signal, waitMs: 60_000 });
      }),
    ]);
    const [chain] = await until(
      'the chain is listed',
      () => {
        const all = chains(server.context).filter(({ depth }) => depth === 2);
        return all.length > 0 ? all : null;
      },
      SLOW_MS,
    );
    expect(chain).toMatchObject({ root: first.owner, blocked: 2, depth: 2 });
    expect(chain?.holds.map(({ key }) => key)).toEqual(['qoder:lock:root']);
    expect(chain?.waits.map(({ behind }) => behind)).toEqual([null, 0]);
    expect(confirmed()).toEqual([]);
    stop.abort();
    await done;
    await first.release();
  });
});
