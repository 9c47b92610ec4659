import { describe, expect, it } from 'vitest';
import type { AlertCode } from '@/lib/protocol/alert';
import { pause } from '@/test/support/pause';
import { alertsAbout, firing, onTime, releaseNow, seenAs } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

/**
 * Holds that ended as they should not, each beside its twin that looks like it and is none. The twin comes first: once
 * the other has been told, it has been judged as well.
 */
const at = watchedRedis({
  redis: { flags: 'KEAm' },
  env: { LOCKSCOPE_WATCH: 'rp:*,inv:*', LOCKSCOPE_DBS: '0,1' },
});
const PATIENCE_MS = 60_000;
const HOLD_MS = 600_000;
const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';

const TOKEN = '0f0f0f0f-0000-4000-8000-00000000000a';
const OTHER_TOKEN = '0f0f0f0f-0000-4000-8000-00000000000b';

/** The release script of redis-py's Lock: compare, delete. */
const PY_RELEASE = `local token = redis.call('get', KEYS[1])
if not token or token ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1]) return 1`;

const none = async (code: AlertCode, key: string): Promise<void> =>
  expect(await alertsAbout(at.console, code, key)).toEqual([]);

const isFree = (key: string) =>
  seenAs(at.console, key, ({ state, hold }) => state === 'free' && hold === null, PATIENCE_MS);

describe('a takeover', () => {
  it('is a live hold that is overwritten, and neither a renewal nor a hand-over in one step', async () => {
    await at.client.set('lock:renewed', A, 'PX', HOLD_MS, 'NX');
    await at.client.set('lock:passed', A, 'PX', HOLD_MS, 'NX');
    for (const key of ['lock:renewed', 'lock:passed']) await at.console.heldBy(key, A);
    await at.client.set('lock:renewed', A, 'PX', 2 * HOLD_MS);
    await at.client.multi().del('lock:passed').set('lock:passed', B, 'PX', HOLD_MS, 'NX').exec();
    const alert = await onTime(
      async (letter) => {
        const key = `lock:taken:${letter}`;
        await at.client.set(key, A, 'PX', HOLD_MS, 'NX');
        await at.console.heldBy(key, A);
        await at.client.set(key, B, 'PX', HOLD_MS);
        return await firing(at.console, 'takeover', key, PATIENCE_MS);
      },
      ({ evidence }) => evidence === 'observed',
    );
    expect(alert).toMatchObject({ severity: 'critical', evidence: 'observed' });
    expect(alert.summary).toBe(`lock taken without release: ${A}'s hold was overwritten by ${B}`);
    await at.console.heldBy('lock:passed', B);
    await none('takeover', 'lock:passed');
    await none('takeover', 'lock:renewed');
  });
});

describe('an overrun', () => {
  it('is a release after the lease ended, and not the next one’s look for the key', async () => {
    const token = (n: number) => `12fd2086ec4611f188df02fc0000000${n}`;
    for (const [key, n] of [
      ['rp:looked', 1],
      ['rp:late', 2],
    ] as const) {
      await at.client.set(key, token(n), 'PX', 5_000, 'NX');
      await at.console.heldBy(key, token(n));
      await isFree(key);
    }
    // Another client looks, finds nothing, and takes it.
    await at.client.multi().get('rp:looked').set('rp:looked', token(3), 'PX', HOLD_MS, 'NX').exec();
    expect(await at.client.eval(PY_RELEASE, 1, 'rp:late', token(2))).toBe(0);
    const alert = await firing(at.console, 'overrun', 'rp:late', PATIENCE_MS);
    expect(alert).toMatchObject({ severity: 'warning', evidence: 'inferred' });
    expect(alert.summary).toMatch(
      new RegExp(`^${token(2)} tried to release .* after its lease had ended$`),
    );
    expect(alert.remedy).toContain('renew the lease while working');
    await at.console.heldBy('rp:looked', token(3));
    await none('overrun', 'rp:looked');
  });
});

describe('vanished locks', () => {
  it('are those of a flush, and not of one of another db', async () => {
    await at.client.set('lock:stays', A, 'PX', HOLD_MS);
    await at.console.heldBy('lock:stays', A);
    const other = at.redis.client({ db: 1 });
    await other.set('lock:flushed', B, 'PX', HOLD_MS);
    await at.console.heldBy('lock:flushed', B, 1);
    await other.flushdb();
    const alert = await firing(at.console, 'vanished', 'lock:flushed', PATIENCE_MS);
    expect(alert.subject.locks).toMatchObject([{ db: 1, key: 'lock:flushed' }]);
    expect(alert.remedy).toContain('FLUSHDB');
    await at.console.heldBy('lock:stays', A);
    await none('vanished', 'lock:stays');
  });
});

describe('a holder that loses its lock to its lease', () => {
  /** Long enough to be read in; and whoever takes the lock back takes it within half of it. */
  const LEASE_MS = 4_000;
  const TIMES = 5;

  const ranOut = (key: string) =>
    until('it has run out', async () => (await at.client.exists(key)) === 0, PATIENCE_MS);

  /** As often as asked: the lease runs out, and the next one takes the lock, `gapMs` later. */
  async function runOut(key: string, owners: readonly string[], gapMs = 0): Promise<void> {
    for (const owner of owners) {
      await at.client.multi().hincrby(key, owner, 1).pexpire(key, LEASE_MS).exec();
      await at.console.heldBy(key, owner);
      await ranOut(key);
      await pause(gapMs);
    }
  }

  /** As ShedLock: the work is over, and its lock is kept for a while. */
  async function keep(key: string, times: number): Promise<void> {
    const token = 'ADDED:2026-01-01T00:00:00Z@host-1:0b7e';
    for (let i = 0; i < times; i++) {
      await at.client.set(key, token, 'PX', HOLD_MS, 'NX');
      await at.console.heldBy(key, token);
      await at.client.set(key, token, 'PX', LEASE_MS, 'XX');
      await seenAs(at.console, key, ({ state }) => state === 'cooling-down', PATIENCE_MS);
      await ranOut(key);
    }
  }

  it('and takes it back each time flaps; one that others take, that comes on a schedule or is kept does not', async () => {
    await Promise.all([
      runOut('inv:turns', [A, B, A, B, A]),
      runOut('inv:schedule', [A, A, A, A, A], LEASE_MS),
      keep('job-lock:default:kept', TIMES),
    ]);
    await runOut('inv:leader', [A, A, A, A]);
    await at.client.multi().hincrby('inv:leader', A, 1).pexpire('inv:leader', HOLD_MS).exec();
    const alert = await firing(at.console, 'flapping', 'inv:leader', PATIENCE_MS);
    expect(alert).toMatchObject({ severity: 'warning' });
    expect(alert.summary).toMatch(
      new RegExp(`^${A} lost it to its lease of \\S+ s and took it back, [34] times within .*$`),
    );
    expect(alert.remedy).toContain('not renewed in time');
    for (const key of ['inv:turns', 'inv:schedule', 'job-lock:default:kept']) {
      await none('flapping', key);
      expect((await at.console.detail(key))?.holds.length).toBeGreaterThanOrEqual(TIMES);
    }
  }, 300_000);
});

describe('a holder that was put out', () => {
  /** Taken by the one, and released by force. */
  async function putOut(key: string, owner: string): Promise<void> {
    await at.client.set(key, owner, 'PX', HOLD_MS);
    await at.console.heldBy(key, owner);
    const answer = await releaseNow(at.console, key);
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'released', cameBack: false } });
    await isFree(key);
  }

  it('and has the lock again came back; another one, or one that had released it itself, did not', async () => {
    await putOut('redlock:next', TOKEN);
    await at.client.set('redlock:next', OTHER_TOKEN, 'PX', HOLD_MS);
    await at.console.heldBy('redlock:next', OTHER_TOKEN);
    await at.client.set('redlock:released', TOKEN, 'PX', HOLD_MS);
    await at.console.heldBy('redlock:released', TOKEN);
    await at.client.del('redlock:released');
    await isFree('redlock:released');
    await at.client.set('redlock:released', TOKEN, 'PX', HOLD_MS);
    await at.console.heldBy('redlock:released', TOKEN);
    await putOut('redlock:again', TOKEN);
    await at.client.set('redlock:again', TOKEN, 'PX', HOLD_MS);
    const alert = await firing(at.console, 'came-back', 'redlock:again', PATIENCE_MS);
    expect(alert).toMatchObject({ severity: 'warning' });
    await none('came-back', 'redlock:next');
    await none('came-back', 'redlock:released');
  }, 120_000);
});

describe('an eviction', () => {
  const cached = watchedRedis();

  it('of a cache is none of a lock', async () => {
    await cached.client.set('lock:beside', A);
    await cached.console.heldBy('lock:beside', A);
    await cached.client.config('SET', 'maxmemory-policy', 'volatile-ttl');
    const used = Number(/used_memory:(\d+)/.exec(await cached.client.info('memory'))?.[1]);
    await cached.client.config('SET', 'maxmemory', `${used + 1_000_000}`);
    const filler = 'x'.repeat(10_000);
    const evicted = async () =>
      Number(/evicted_keys:(\d+)/.exec(await cached.client.info('stats'))?.[1]);
    for (let i = 0; i < 3_000 && (await evicted()) === 0; i++) {
      await cached.client.set(`lock-free:${i}`, filler, 'PX', HOLD_MS);
    }
    expect(await evicted()).toBeGreaterThan(0);
    await cached.client.config('SET', 'maxmemory', '0');
    // Without an expiry, so that it cannot be chosen in what follows.
    await cached.client.set('lock:after', B);
    await cached.console.heldBy('lock:after', B);
    await cached.console.heldBy('lock:beside', A);
    expect(await cached.console.alerts('evicted')).toEqual([]);
    // The first to go is what would end first.
    await cached.client.set('lock:dropped', B, 'PX', 300_000);
    await cached.console.heldBy('lock:dropped', B);
    await cached.client.config('SET', 'maxmemory', `${used + 1_000_000}`);
    for (let i = 0; i < 3_000 && (await cached.client.exists('lock:dropped')) === 1; i++) {
      await cached.client.set(`lock-free:again:${i}`, filler, 'PX', HOLD_MS).catch(() => undefined);
    }
    await cached.client.config('SET', 'maxmemory', '0');
    await firing(cached.console, 'evicted', 'lock:dropped', PATIENCE_MS);
    await cached.console.heldBy('lock:beside', A);
    expect(await cached.console.alerts('evicted')).toHaveLength(1);
  });

  it('is no risk where nothing is evicted: without a bound, or without eviction', async () => {
    const warned = async () => {
      const [target] = await cached.console.query('targets');
      return target?.warnings.some(({ code }) => code === 'eviction-risk');
    };
    const isRisk = (expected: boolean) =>
      until(`a risk: ${expected}`, async () => (await warned()) === expected, PATIENCE_MS);
    await cached.client.config('SET', 'maxmemory-policy', 'volatile-ttl');
    await cached.client.config('SET', 'maxmemory', '0');
    await isRisk(false);
    await cached.client.config('SET', 'maxmemory', '1gb');
    await isRisk(true);
    await cached.client.config('SET', 'maxmemory-policy', 'noeviction');
    await isRisk(false);
  }, 120_000);
});
