import { afterEach, describe, expect, it } from 'vitest';
import type { Alert } from '@/lib/protocol/alert';
import type { LockDetail } from '@/lib/protocol/lock';
import { alertsAbout, firing, releaseNow, resolved, seenAs } from '@/test/support/seen';
import { startConsole } from '@/test/support/console';
import { startRedis } from '@/test/support/redis-server';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';
const C = '33333333-3333-4333-8333-333333333333:33';
const PY = 'QUJDREVGR0hJSktMTU5PUFFS';

const at = watchedRedis({ env: { LOCKSCOPE_WATCH: 'inv:*' } });

let running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running) stop();
  running = [];
});

const take = async (key: string, owner: string, leaseMs = 600_000): Promise<void> => {
  await at.client.multi().hincrby(key, owner, 1).pexpire(key, leaseMs).exec();
};

/** Listens as a waiting client of Redisson does; what it hears. */
async function listen(channel: string): Promise<string[]> {
  const heard: string[] = [];
  const client = at.redis.client();
  client.on('message', (_channel: string, message: string) => heard.push(message));
  await client.subscribe(channel);
  running.push(() => client.disconnect());
  return heard;
}

/** Puts owners into the queue of a fair lock, each until `deadline` (epoch ms). */
async function queue(key: string, waiters: [owner: string, deadline: number][]): Promise<void> {
  for (const [owner, deadline] of waiters) {
    await at.client
      .multi()
      .rpush(`redisson_lock_queue:{${key}}`, owner)
      .zadd(`redisson_lock_timeout:{${key}}`, deadline, owner)
      .exec();
  }
}

async function lockPath({ target, db, keyB64 }: LockDetail): Promise<string> {
  return `/api/v1/locks/${encodeURIComponent(target)}/${db}/${keyB64}`;
}

describe('a free lock that is waited for', () => {
  it('is told two seconds later, once for each release that wakes nobody', async () => {
    await listen('redisson_lock__channel:{inv:1}');
    for (const [owner, times] of [
      [A, 1],
      [B, 2],
    ] as const) {
      await take('inv:1', owner);
      await at.console.heldBy('inv:1', owner);
      await resolvedSoFar('inv:1');
      await at.client.del('inv:1');
      const alert = await firing(at.console, 'free-but-waited', 'inv:1');
      expect(alert.summary).toMatch(
        /^nobody has held it for .*, and 1 client instance still waits/,
      );
      const ids = new Set((await alertsAbout(at.console, 'free-but-waited', 'inv:1')).map(byId));
      expect(ids.size).toBe(times);
    }
  });

  const byId = ({ id }: { id: string }): string => id;
  /** An alert of the hold before is over once the lock is held again. */
  const resolvedSoFar = async (key: string): Promise<void> => {
    const before = await alertsAbout(at.console, 'free-but-waited', key);
    if (before.length > 0) await resolved(at.console, 'free-but-waited', key);
  };
});

describe('a hand-over that lasts as long as a lease', () => {
  /** Long enough to be read in, and three tenths of it are what a round may be late by. */
  const LEASE_MS = 6_000;

  it('is told with its length, and not where nobody waited or where it was quick in between', async () => {
    const told = 'inv:slow';
    const quick = 'inv:quick';
    const unasked = 'inv:unasked';
    for (const key of [told, quick]) await listen(`redisson_lock__channel:{${key}}`);
    const held = async (key: string, owner: string, leaseMs = LEASE_MS): Promise<void> => {
      await take(key, owner, leaseMs);
      await seenAs(
        at.console,
        key,
        ({ hold, waiting }) => hold?.owner.id === owner && (key === unasked || waiting.count === 1),
      );
    };
    let alert: Alert | undefined;
    // On a busy machine a round may take too long to count.
    for (let round = 0; round < 10 && !alert; round++) {
      const owner = round % 2 === 0 ? A : B;
      const isQuick = round % 2 === 1;
      await Promise.all([
        ...[told, unasked].map((key) => held(key, owner)),
        held(quick, owner, isQuick ? 600_000 : LEASE_MS),
      ]);
      alert = (await alertsAbout(at.console, 'slow-handoff', told))[0];
      if (isQuick) {
        await at.client.del(quick);
        await held(quick, A);
      }
      await at.client.del(told, quick, unasked);
      if (!alert) await pause(0.9 * LEASE_MS);
    }
    for (const key of [quick, unasked]) {
      expect(await alertsAbout(at.console, 'slow-handoff', key)).toEqual([]);
    }
    expect(alert?.summary).toMatch(
      /^lay free for [4-7](\.\d)? s while clients waited, [345] times in a row, about as long as its/,
    );
    const gaps = await until('the heatmap has it', async () => {
      const map = await at.console.query('heatmap', { metric: 'handoff' });
      const row = map.rows.findIndex(({ label }) => label === told);
      const known = (map.values[row] ?? []).filter((value) => value !== null);
      return known.some((value) => value > 1_000) ? map : undefined;
    });
    expect(gaps.unit).toBe('ms');
  }, 300_000);
});

describe('a fair queue whose lock is gone', () => {
  it('is an orphan; its dead are marked, and the next one alive can be woken', async () => {
    const now = Date.now();
    await take('inv:fair', A);
    await queue('inv:fair', [
      [B, now - 5_000],
      [C, now + 300_000],
    ]);
    await seenAs(at.console, 'inv:fair', ({ waiters }) => waiters.length === 2);
    const heard = await listen(`redisson_lock__channel:{inv:fair}:${C}`);
    await at.client.del('inv:fair');
    const orphan = await seenAs(
      at.console,
      'inv:fair',
      ({ state, waiters }) => state === 'orphan-queue' && waiters[0]?.alive === false,
    );
    expect(orphan.waiters.map(({ id }) => id)).toEqual([B, C]);
    expect(orphan.waiters[1]?.alive).not.toBe(false);
    const alert = await firing(at.console, 'orphan-queue', 'inv:fair');
    expect(alert).toMatchObject({ severity: 'critical' });
    expect(alert.summary).toContain(`the first, ${B}, is gone`);
    expect(orphan.repairs).toContainEqual({ kind: 'wake' });
    const woken = await at.console.request('POST', `${await lockPath(orphan)}/wake`, {
      body: { reason: 'its lock vanished' },
    });
    expect(woken).toMatchObject({ status: 200, body: { outcome: 'woken' } });
    await until('the next one hears of it', () => heard.length > 0);
    expect(heard[0]).toBe('0');
  });
});

describe('a waiter of python-redis-lock', () => {
  it('is woken by the signal that a release pushes', async () => {
    await at.client.set('lock:py', PY, 'PX', 600_000);
    await at.console.heldBy('lock:py', PY);
    const waiter = at.redis.client();
    running.push(() => waiter.disconnect());
    const woken = waiter.blpop('lock-signal:py', 100);
    const answer = await releaseNow(at.console, 'lock:py');
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'released' } });
    expect(await woken).toEqual(['lock-signal:py', '1']);
  });

  it('wakes for nothing where signals are left over, which is reported, and not by one that goes by itself', async () => {
    for (const key of ['lock:tidy', 'lock:leak']) {
      await at.client.set(key, PY, 'PX', 600_000);
      await at.console.heldBy(key, PY);
    }
    await at.client.rpush('lock-signal:tidy', '1');
    await at.client.pexpire('lock-signal:tidy', 600_000);
    await at.client.rpush('lock-signal:leak', '1', '1', '1');
    await at.client.pexpire('lock-signal:leak', 600_000);
    const grown = await firing(at.console, 'signal-leak', 'lock:leak');
    expect(grown.summary).toContain('lock-signal:leak that wakes its waiters holds 3 entries');
    await at.client.del('lock-signal:leak');
    await resolved(at.console, 'signal-leak', 'lock:leak');
    await at.client.rpush('lock-signal:leak', '1');
    const endless = await firing(at.console, 'signal-leak', 'lock:leak');
    expect(endless.summary).toContain('has no expiry');
    expect(await alertsAbout(at.console, 'signal-leak', 'lock:tidy')).toEqual([]);
    await at.client.rpush('lock-signal:tidy', '1');
    await firing(at.console, 'signal-leak', 'lock:tidy');
    await at.client.del('lock-signal:leak');
  });
});

describe('a console', () => {
  it('knows of nobody who waits while Redis is away', async () => {
    const redis = await startRedis();
    const console = await startConsole({ redisUrl: redis.url, env: { LOCKSCOPE_WATCH: 'inv:*' } });
    try {
      const client = redis.client();
      await client.multi().hincrby('inv:away', A, 1).pexpire('inv:away', 600_000).exec();
      const waiter = redis.client();
      await waiter.subscribe('redisson_lock__channel:{inv:away}');
      await seenAs(console, 'inv:away', ({ waiting }) => waiting.count === 1);
      for (const connection of [client, waiter]) connection.disconnect();
      await redis.kill();
      const lock = await seenAs(console, 'inv:away', ({ waiting }) => waiting.count === null);
      expect(lock.waiting).toMatchObject({ evidence: 'unknown', count: null });
      expect((await console.query('locks')).connected).toBe(false);
      const { counters } = await console.query('overview');
      expect(counters.waiting).toBeNull();
      expect(counters.waitingUnknownLocks).toBe(1);
      await until('blind fires', async () =>
        (await console.alerts('blind')).some(({ state }) => state === 'firing'),
      );
    } finally {
      await console.stop();
      await redis.stop();
    }
  });
});
