import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { createLockClient, type LockClient } from '@/lib/lock/index';
import { startConsole, type TestConsole } from '@/test/support/console';
import { startRedis, type TestRedis } from '@/test/support/redis-server';
import { firing, seenAs } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

/** A client's signs of life are 10 s apart, and a service in two dbs is told after 35 s. */
const PATIENCE_MS = 90_000;

let stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
});

async function redisAt(host: string): Promise<TestRedis> {
  const addresses = [...new Set(['127.0.0.1', host])];
  const server = await startRedis({ args: ['--bind', ...addresses] });
  stops.push(server.stop);
  return server;
}

/** A connection as a service has it, to a server that may go away. */
function connection(host: string, port: number, db = 0): Redis {
  const redis = new Redis({ host, port, db, retryStrategy: () => 200 });
  redis.on('error', () => {
    // Servers go away on purpose here.
  });
  stops.push(() => redis.disconnect());
  return redis;
}

/** A client that is there: it has taken a lock and given it back. */
async function lockClient(
  options: { nodes: Redis[] } | { redis: Redis },
  app: string,
): Promise<LockClient> {
  const client = createLockClient({ ...options, app, allowInsecure: true });
  stops.push(() => client.close());
  const lock = await client.acquire(`hello:${app}`);
  await lock.release();
  return client;
}

async function consoleOn(redis: TestRedis, env: Record<string, string> = {}): Promise<TestConsole> {
  const console = await startConsole({ redisUrl: redis.url, env });
  stops.push(console.stop);
  return console;
}

const labelled = async (
  console: TestConsole,
  code: 'not-independent' | 'redlock-partial' | 'db-mismatch',
): Promise<string[]> => (await console.alerts(code)).map(({ summary }) => summary);

const told = async (
  console: TestConsole,
  code: 'not-independent' | 'redlock-partial' | 'db-mismatch',
  words: string,
) =>
  await until(
    `${code} says ${words}`,
    async () => (await console.alerts(code)).find(({ summary }) => summary.includes(words)),
    PATIENCE_MS,
  );

describe('a Redlock of our own client', () => {
  it('is warned of on one machine and not on three, and is partial once a node is gone', async () => {
    const hosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
    const apart = await Promise.all(hosts.map(redisAt));
    const nodes = apart.map(({ port }, i) => connection(hosts[i] ?? '', port));
    const [first, , third] = apart;
    if (!first || !third) throw new Error('three servers were started');
    const console = await consoleOn(first);
    await lockClient({ nodes }, 'apart');
    await lockClient({ nodes: apart.map(({ port }) => connection('127.0.0.1', port)) }, 'together');
    await lockClient({ redis: connection('127.0.0.1', first.port) }, 'alone');
    const alert = await told(console, 'not-independent', '3 of the 3 Redlock servers of together');
    expect(alert.summary).toContain('one machine (127.0.0.1): when it fails no majority is left');
    expect(alert.remedy).toContain('machines of their own');
    expect(await labelled(console, 'redlock-partial')).toEqual([]);
    await third.kill();
    const partial = await told(console, 'redlock-partial', 'of apart does not vote');
    expect(partial).toMatchObject({ severity: 'warning' });
    expect(partial.summary).toContain(`127.0.0.3:${third.port}/0`);
    expect((await labelled(console, 'not-independent')).join()).not.toMatch(/apart|alone/);
    expect((await labelled(console, 'redlock-partial')).join()).not.toContain('alone');
  }, 300_000);
});

describe('instances of one service', () => {
  it('in two dbs do not exclude each other, and two services need not, nor one that moved, nor a Redlock', async () => {
    const redis = await redisAt('127.0.0.1');
    const others = await Promise.all(['127.0.0.1', '127.0.0.1'].map(redisAt));
    const console = await consoleOn(redis, { LOCKSCOPE_DBS: '0,5' });
    const inDb = (db: number): { redis: Redis } => ({
      redis: connection('127.0.0.1', redis.port, db),
    });
    const nodesFrom = (db: number): { nodes: Redis[] } => ({
      nodes: [inDb(db).redis, ...others.map(({ port }) => connection('127.0.0.1', port))],
    });
    await lockClient(inDb(0), 'billing');
    await lockClient(inDb(5), 'stock');
    await lockClient(nodesFrom(0), 'ledger');
    await lockClient(nodesFrom(5), 'ledger');
    /** In that db, and known to be. */
    const movesTo = async (db: number): Promise<LockClient> => {
      const client = await lockClient(inDb(db), 'moved');
      const { key } = await client.acquire('here');
      const app = async () => (await console.detail(key, db))?.hold?.owner.app;
      await until('it is known', async () => (await app()) === 'moved', PATIENCE_MS);
      return client;
    };
    const before = await movesTo(5);
    await movesTo(0);
    await before.close();
    await lockClient(inDb(0), 'shop');
    const stray = await lockClient(inDb(5), 'shop');
    const alert = await told(console, 'db-mismatch', 'instances of shop use different dbs');
    expect(alert.summary).toContain('db 0 (1), db 5 (1)');
    expect(alert.remedy).toContain('same db number');
    expect(await labelled(console, 'db-mismatch')).toHaveLength(1);
    await stray.close();
    await until(
      'it is over',
      async () => (await console.alerts('db-mismatch')).every(({ state }) => state === 'resolved'),
      PATIENCE_MS,
    );
  }, 300_000);
});

describe('a Redlock over several dbs of one server', () => {
  const at = watchedRedis({ env: { LOCKSCOPE_DBS: '0,1,2' } });
  const token = (n: number): string => `8c1f0e5b9d3a47c2b6e8f1a0d4c7b9${n}${n}`;

  /** As one client asks all its nodes. */
  async function take(key: string, tokens: readonly string[]): Promise<Redis[]> {
    const dbs = tokens.map((_, db) => at.redis.client({ db }));
    await Promise.all(dbs.map((db, i) => db.set(key, tokens[i] ?? '', 'PX', 600_000, 'NX')));
    for (const [db, owner] of tokens.entries()) await at.console.heldBy(key, owner, db);
    return dbs;
  }

  it('is no Redlock, and a lock that one of them lost is partial; separate environments are none', async () => {
    for (const n of [1, 2, 3]) {
      const dbs = await take('lock:env', [token(n), token(n + 3), token(n + 6)]);
      await Promise.all(dbs.map((db) => db.del('lock:env')));
      await seenAs(at.console, 'lock:env', ({ state }) => state === 'free');
    }
    await take('lock:env', [token(1), token(2), token(3)]);
    const first = await take('lock:pay', [token(1), token(1), token(1)]);
    await Promise.all(first.map((db) => db.del('lock:pay')));
    await seenAs(at.console, 'lock:pay', ({ state }) => state === 'free');
    const second = await take('lock:pay', [token(2), token(2), token(2)]);
    const alert = await firing(at.console, 'not-independent', 'lock:pay', PATIENCE_MS);
    expect(alert).toMatchObject({ severity: 'critical', evidence: 'inferred', count: 1 });
    expect(alert.summary).toContain('lock:pay is taken with one token in db 0, 1, 2 of this one');
    expect(await labelled(at.console, 'redlock-partial')).toEqual([]);
    await second[2]?.del('lock:pay');
    const partial = await firing(at.console, 'redlock-partial', 'lock:pay', PATIENCE_MS);
    expect(partial.summary).toBe(
      `held by ${token(2)}, but not in db 2, where it has nodes as well`,
    );
    await Promise.all(second.map((db) => db.del('lock:pay')));
    await until('it is over', async () =>
      (await at.console.alerts('redlock-partial')).every(({ state }) => state === 'resolved'),
    );
    const labels = (await at.console.alerts('not-independent')).map(({ subject }) => subject.label);
    expect(labels).toEqual(['lock:pay']);
  }, 300_000);
});
