import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Redis } from 'ioredis';
import { runAction } from '@/server/actions/run-action';
import { runQuery } from '@/server/queries';
import type { LockDetail } from '@/lib/protocol/lock';
import type { Target } from '@/lib/protocol/target';
import {
  addressOf,
  startServer,
  TARGET,
  type TestServer,
} from '@/test/server/queries/server-under-test';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';

const HOLDER = 'b983c153-7421-469a-addb-44fb92259a1b:1';
const UUID = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60';

let server: TestServer;
let redis: Redis;
beforeAll(async () => {
  server = await startServer();
  redis = server.client;
});
afterAll(() => server.stop());

let running: (() => void)[] = [];
afterEach(async () => {
  for (const stop of running) stop();
  running = [];
  await redis.flushall();
});

/** A client that asks again and again, as a waiting one of a polling library does. */
function poll(everyMs: number, ask: () => Promise<unknown>): void {
  const timer = setInterval(() => void ask(), everyMs);
  running.push(() => clearInterval(timer));
}

/** A client that is blocked until the test is over. */
function block(command: string, ...words: (string | number)[]): void {
  const client = server.redis.client();
  client.call(command, ...words).catch(() => undefined);
  running.push(() => client.disconnect());
}

async function listen(...channels: string[]): Promise<Redis> {
  const client = server.redis.client();
  await client.subscribe(...channels);
  running.push(() => client.disconnect());
  return client;
}

const seen = (key: string, is: (lock: LockDetail) => boolean): Promise<LockDetail> =>
  until(`the lock ${key}`, async () => {
    if (!server.context.table.get(0, key)) return null;
    const detail = (await runQuery(server.as('admin'), 'lock', addressOf(key))) as LockDetail;
    return is(detail) ? detail : null;
  });

const target = async (): Promise<Target> => {
  const [first] = (await runQuery(server.as('admin'), 'targets', {})) as Target[];
  if (!first) throw new Error('there is no target');
  return first;
};

describe('who listens on a channel of Redisson', () => {
  it('shows a lock that no watched pattern names, with its waiters', async () => {
    await redis.hset('free-named', HOLDER, 1);
    await redis.pexpire('free-named', 60_000);
    await listen('redisson_lock__channel:{free-named}');
    const lock = await seen('free-named', ({ waiting }) => waiting.count === 1);
    expect(lock).toMatchObject({
      format: 'redisson',
      hold: { owner: { id: HOLDER } },
      waiting: { evidence: 'observed', source: 'pubsub', unit: 'instances' },
    });
  });

  it('tells a semaphore by its channel, which its bare number does not', async () => {
    await redis.set('pool', 0);
    await listen('redisson_sc:{pool}');
    const lock = await seen('pool', ({ waiting }) => waiting.count === 1);
    expect(lock).toMatchObject({ kind: 'semaphore', permits: { free: 0 } });
  });

  it('counts sharded subscribers as well', async () => {
    await redis.hset('inv:sharded', HOLDER, 1);
    const client = server.redis.client();
    await client.ssubscribe('redisson_lock__channel:{inv:sharded}');
    running.push(() => client.disconnect());
    await listen('redisson_lock__channel:{inv:sharded}');
    const lock = await seen('inv:sharded', ({ waiting }) => waiting.count === 2);
    expect(lock.waiting.evidence).toBe('observed');
  });

  it('finds who came after the lock was free, and says that it is free and waited for', async () => {
    await redis.hset('inv:late', HOLDER, 1);
    await server.lock('inv:late');
    await redis.del('inv:late');
    await seen('inv:late', ({ state }) => state === 'free');
    await listen('redisson_lock__channel:{inv:late}');
    const lock = await seen('inv:late', ({ alerts }) => alerts.includes('free-but-waited'));
    expect(lock).toMatchObject({ state: 'free', waiting: { count: 1 } });
  });
});

describe('clients that are blocked', () => {
  it('hint at waiters of a lock whose library blocks, as at most so many', async () => {
    await redis.set('lock:py', 'QUJDREVGR0hJSktMTU5PUFFS', 'PX', 60_000);
    const none = await seen('lock:py', ({ waiting }) => waiting.source !== 'not-probed');
    expect(none.waiting).toMatchObject({
      ...{ evidence: 'inferred', source: 'blocked-clients', count: 0 },
    });
    expect(none.waiting.hints).toBeUndefined();
    block('BLPOP', 'lock-signal:py', 0);
    block('BLPOP', 'other-queue', 0);
    const lock = await seen('lock:py', ({ waiting }) => waiting.hints !== undefined);
    expect(lock.waiting).toMatchObject({
      ...{ evidence: 'inferred', source: 'blocked-clients', count: null },
      hints: [{ source: 'blocked-clients', evidence: 'inferred', count: 2 }],
    });
  });

  it('are looked for after a lapse too, which wakes nobody', async () => {
    await redis.set('lock:lapsing', 'QUJDREVGR0hJSktMTU5PUFFS', 'PX', 60_000);
    // Whose it was is known by its value alone.
    await server.lock('lock:lapsing');
    await redis.pexpire('lock:lapsing', 300);
    block('BLPOP', 'lock-signal:lapsing', 0);
    const lock = await seen(
      'lock:lapsing',
      ({ state, waiting }) => state === 'free' && waiting.hints !== undefined,
    );
    expect(lock.lastEnd?.reason).toBe('lease-ended');
    expect(lock.waiting.source).toBe('blocked-clients');
  });
});

describe('a key that somebody touches', () => {
  const hasHint = (source: string) => (lock: LockDetail) =>
    lock.waiting.hints?.some((hint) => hint.source === source) ?? false;

  it('is waited for by a poller of SET NX', async () => {
    await redis.set('mutex:polled', UUID, 'PX', 60_000);
    poll(10, () => redis.set('mutex:polled', 'other', 'PX', 60_000, 'NX'));
    const lock = await seen('mutex:polled', hasHint('idle-time'));
    expect(lock.waiting).toMatchObject({
      ...{ evidence: 'inferred', source: 'idle-time', count: null },
    });
  });

  it('is said of no lock that its holder alone renews, nor of one asked for by EXISTS', async () => {
    await redis.set('mutex:renewed', UUID, 'PX', 10_000);
    poll(300, () => redis.pexpire('mutex:renewed', 10_000));
    await redis.set('mutex:looked-at', UUID, 'PX', 60_000);
    poll(20, () => redis.exists('mutex:looked-at'));
    await redis.set('mutex:polled', UUID, 'PX', 60_000);
    poll(20, () => redis.set('mutex:polled', 'other', 'PX', 60_000, 'NX'));
    await seen('mutex:polled', hasHint('idle-time'));
    await pause(5000);
    for (const key of ['mutex:renewed', 'mutex:looked-at']) {
      const { waiting } = await server.lock(key);
      expect(waiting).toMatchObject({ evidence: 'unknown', source: 'poll' });
      expect(waiting.hints).toBeUndefined();
    }
  });

  it('is waited for by a poller of a semaphore, and the hint goes when it stops', async () => {
    const now = Date.now();
    await redis.zadd('semaphore:pool', now, UUID);
    await redis.pexpire('semaphore:pool', 60_000);
    poll(10, async () => {
      await redis.zremrangebyscore('semaphore:pool', '-inf', now - 10_000);
      await redis.zcard('semaphore:pool');
    });
    poll(4000, () => redis.zadd('semaphore:pool', Date.now(), UUID));
    await seen('semaphore:pool', hasHint('idle-time'));
    for (const stop of running) stop();
    poll(4000, () => redis.zadd('semaphore:pool', Date.now(), UUID));
    await until(
      'the hint goes',
      async () => !hasHint('idle-time')(await server.lock('semaphore:pool')),
    );
  });
});

describe('a Redis that keeps frequencies instead of idle times', () => {
  it('tells of nobody who touches a key', async () => {
    await redis.config('SET', 'maxmemory-policy', 'allkeys-lfu');
    try {
      await redis.set('mutex:lfu', UUID, 'PX', 60_000);
      poll(10, () => redis.set('mutex:lfu', 'other', 'PX', 60_000, 'NX'));
      await server.lock('mutex:lfu');
      await pause(7000);
      const { waiting } = await server.lock('mutex:lfu');
      expect(waiting).toMatchObject({ evidence: 'unknown', source: 'poll' });
      expect(waiting.hints).toBeUndefined();
    } finally {
      await redis.config('SET', 'maxmemory-policy', 'noeviction');
    }
  });
});

describe('a list of signals', () => {
  it('that grows or has no expiry is a hint and an alert', async () => {
    await redis.set('lock:leak', 'QUJDREVGR0hJSktMTU5PUFFS', 'PX', 60_000);
    await redis.rpush('lock-signal:leak', 1, 1, 1);
    await redis.pexpire('lock-signal:leak', 60_000);
    const grown = await seen('lock:leak', ({ alerts }) => alerts.includes('signal-leak'));
    expect(grown.waiting.hints).toContainEqual(
      expect.objectContaining({ source: 'signal-list', count: 3 }),
    );
    await redis.del('lock-signal:leak');
    await seen('lock:leak', ({ alerts }) => !alerts.includes('signal-leak'));
  });

  it('that is all that is left of a lock is told as well', async () => {
    await redis.rpush('lock-signal:orphan', 1);
    const lock = await seen('lock:orphan', ({ alerts }) => alerts.includes('signal-leak'));
    expect(lock).toMatchObject({ state: 'free', format: 'python-redis-lock' });
  });

  it('that a release left for a second is none', async () => {
    await redis.set('lock:fine', 'QUJDREVGR0hJSktMTU5PUFFS', 'PX', 60_000);
    await server.lock('lock:fine');
    await redis.multi().lpush('lock-signal:fine', 1).pexpire('lock-signal:fine', 3000).exec();
    await pause(2700);
    const { alerts, waiting } = await server.lock('lock:fine');
    expect(alerts).not.toContain('signal-leak');
    expect(waiting.hints?.some(({ source }) => source === 'signal-list') ?? false).toBe(false);
  });
});

describe('the changelog of sidekiq-unique-jobs', () => {
  const digest = 'uniquejobs:0123456789abcdef0123456789abcdef';
  let written = 0;
  const log = (message: string, key = digest) => {
    const at = Date.now() / 1000;
    const entry = { digest: key, job_id: `j${written++}`, script: 'lock.lua', message, time: at };
    return redis.zadd('uniquejobs:changelog', at, JSON.stringify(entry));
  };

  it('tells how many were refused, and takes nothing else for a refusal', async () => {
    await redis.multi().set(digest, 'job-1').hset(`${digest}:LOCKED`, 'job-1', 1.8e9).exec();
    await server.lock(digest);
    await redis.zadd('uniquejobs:changelog', 1, 'no JSON', 2, '[]', 3, '{"digest":7}', 4, '\xff{');
    await log('Duplicate');
    await log('Locked');
    await log('Limited', 'uniquejobs:00000000000000000000000000000000');
    await log('Limited');
    await log('Limit exceeded');
    const lock = await seen(digest, ({ waiting }) =>
      (waiting.hints ?? []).some(({ source, count }) => source === 'refusals' && count === 2),
    );
    expect(lock.waiting.hints).toContainEqual(
      expect.objectContaining({ source: 'refusals', evidence: 'observed', count: 2 }),
    );
  });
});

describe('a library that lists its locks', () => {
  it('is told of when the list is far longer than the locks', async () => {
    const members = Array.from({ length: 1500 }, (_, i) => [i, `uniquejobs:${i}`]).flat();
    await redis.call('ZADD', 'uniquejobs:digests', ...members);
    const alert = await until('the alert', () =>
      server.context.alerts.open().find(({ code }) => code === 'index-bloat'),
    );
    expect(alert).toMatchObject({ severity: 'warning', subject: { kind: 'target' } });
  });
});

describe('who has once waited', () => {
  it('is counted where a library listens by a pattern for good, without being taken for waiting', async () => {
    await redis.set('inv:registry:a', UUID, 'PX', 60_000);
    await runAction(server.as('operator'), 'format.pin', {
      ...{ target: TARGET, pattern: 'inv:registry:*', format: 'spring-registry' },
      reason: 'it is Spring',
    });
    const client = server.redis.client();
    await client.psubscribe('inv:registry-channel:*');
    running.push(() => client.disconnect());
    const lock = await seen('inv:registry:a', ({ waiting }) =>
      (waiting.hints ?? []).some(({ source }) => source === 'ever-waited'),
    );
    expect(lock.format).toBe('spring-registry');
    expect(lock.waiting).toMatchObject({ count: null, evidence: 'unknown' });
    expect(lock.waiting.hints).toContainEqual(
      expect.objectContaining({ source: 'ever-waited', count: 1 }),
    );
  });
});

describe('a holder whose host is among the clients', () => {
  it('is seen, by name or by address', async () => {
    const client = server.redis.client();
    await client.client('SETNAME', 'scheduler@web-77');
    running.push(() => client.disconnect());
    const value = (host: string): string => `ADDED:2026-01-01T00:00:00.000Z@${host}:${UUID}`;
    await redis.set('job-lock:default:named', value('web-77'), 'PX', 60_000);
    await redis.set('job-lock:default:address', value('127.0.0.1'), 'PX', 60_000);
    await redis.set('job-lock:default:nobody', value('web-7'), 'PX', 60_000);
    for (const name of ['named', 'address']) {
      const lock = await seen(
        `job-lock:default:${name}`,
        ({ hold }) => hold?.owner.liveness === 'seen',
      );
      expect(lock.hold?.owner.host).not.toBeNull();
    }
    const { hold } = await server.lock('job-lock:default:nobody');
    expect(hold?.owner.liveness).toBe('unknown');
  });
});

describe('what the questions cost', () => {
  it('is told for each kind, with the time that Redis says it took', async () => {
    await redis.hset('inv:cost', HOLDER, 1);
    await listen('redisson_lock__channel:{inv:cost}');
    await redis.set('lock:cost', 'QUJDREVGR0hJSktMTU5PUFFS', 'PX', 60_000);
    const probes = await until('every kind is told', async () => {
      const { probes: told = [] } = await target();
      const kinds = told.map(({ kind }) => kind);
      const wanted = ['subscribers', 'channels', 'clients', 'idle-time'] as const;
      const isMeasured = told.some(({ usecPerSecond }) => usecPerSecond !== null);
      return wanted.every((kind) => kinds.includes(kind)) && isMeasured ? told : null;
    });
    for (const { kind, perSecond, lastMs } of probes) {
      if (kind === 'changelog' || kind === 'jobs') continue;
      expect(perSecond).toBeGreaterThan(0);
      if (kind !== 'idle-time') expect(lastMs).toBeGreaterThan(0);
    }
  });
});
