import { afterEach, describe, expect, it } from 'vitest';
import type { ActionInput } from '@/lib/protocol/actions';
import type { AlertCode } from '@/lib/protocol/alert';
import { alertsAbout, firing, resolved, seenAs } from '@/test/support/seen';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

/**
 * What is the case with a lock now, each beside its twin that looks like it and is none. The twin comes first: once the
 * other has been told, it has been judged as well.
 */
const at = watchedRedis({
  env: {
    LOCKSCOPE_WATCH: 'inv:*',
    LOCKSCOPE_NO_EXPIRY_MS: '10000',
    LOCKSCOPE_LONG_HOLD_MS: '12000',
  },
});
const PATIENCE_MS = 90_000;
const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';

let running: (() => void)[] = [];
afterEach(() => {
  for (const stop of running) stop();
  running = [];
});

const none = async (code: AlertCode, key: string): Promise<void> =>
  expect(await alertsAbout(at.console, code, key)).toEqual([]);

const take = (key: string, owner: string, leaseMs = 600_000) =>
  at.client.multi().hincrby(key, owner, 1).pexpire(key, leaseMs).exec();

/** Puts owners into the queue of a fair lock. */
async function queue(key: string, owners: readonly string[]): Promise<void> {
  const steps = at.client.multi();
  for (const owner of owners) {
    steps.rpush(`redisson_lock_queue:{${key}}`, owner);
    steps.zadd(`redisson_lock_timeout:{${key}}`, Date.now() + 600_000, owner);
  }
  await steps.exec();
}

const waiter = (n: number): string =>
  `33333333-3333-4333-8333-${`${n}`.padStart(12, '0')}:${n + 1}`;

function every(ms: number, act: () => unknown): void {
  const timer = setInterval(act, ms);
  running.push(() => clearInterval(timer));
}

describe('no expiry', () => {
  it('is told of a lock without, and not of one that gets it a moment after it was taken', async () => {
    await at.client.set('lock:two-steps', A, 'NX');
    await at.console.heldBy('lock:two-steps', A);
    await at.client.pexpire('lock:two-steps', 600_000);
    await at.client.set('lock:cut-off', A, 'NX');
    const alert = await firing(at.console, 'no-expiry', 'lock:cut-off', PATIENCE_MS);
    expect(alert.summary).toMatch(/^held by .*, without a time to live for /);
    await none('no-expiry', 'lock:two-steps');
    await at.client.pexpire('lock:cut-off', 600_000);
    await resolved(at.console, 'no-expiry', 'lock:cut-off');
  });
});

describe('a long hold', () => {
  it('is one hold that lasts, and not many short ones of the same owner, nor one that cools down', async () => {
    const kept = 'ADDED:2026-01-01T00:00:00Z@host-1:0b7e';
    const job = 'job-lock:default:kept';
    await at.client.set(job, kept, 'PX', 600_000, 'NX');
    await at.console.heldBy(job, kept);
    await at.client.set(job, kept, 'PX', 500_000, 'XX');
    await seenAs(at.console, job, ({ state }) => state === 'cooling-down');
    every(500, () =>
      at.client.multi().del('lock:often').set('lock:often', A, 'PX', 600_000, 'NX').exec(),
    );
    await seenAs(at.console, 'lock:often', ({ holds }) => holds.length > 1);
    await at.client.set('lock:stuck', A, 'PX', 600_000, 'NX');
    const alert = await firing(at.console, 'long-hold', 'lock:stuck', PATIENCE_MS);
    expect(alert.summary).toMatch(new RegExp(`^held .* by ${A}`));
    await none('long-hold', 'lock:often');
    await none('long-hold', job);
  });
});

describe('a missed renewal', () => {
  const LEASE_MS = 600_000;
  /** A machine that is late by less than this makes no renewal miss. */
  const INTERVAL_MS = 4_000;

  it('is one that is two intervals late, well before the lease ends, and not one that is a little late', async () => {
    const renew = (key: string) => at.client.pexpire(key, LEASE_MS);
    for (const key of ['lock:jitter', 'lock:silent']) await at.client.set(key, A, 'PX', LEASE_MS);
    for (let i = 0; i < 4; i++) {
      await pause(INTERVAL_MS);
      await renew('lock:jitter');
      if (i < 3) await renew('lock:silent');
    }
    // From here on the one renews now sooner, now later; the other not at all.
    let late = false;
    let timesLate = 0;
    const jittering = (): void => {
      late = !late;
      const timer = setTimeout(
        () => {
          if (late) timesLate++;
          void renew('lock:jitter').then(jittering, () => undefined);
        },
        INTERVAL_MS * (late ? 1.3 : 0.8),
      );
      running.push(() => clearTimeout(timer));
    };
    jittering();
    const alert = await firing(at.console, 'renewal-missed', 'lock:silent', PATIENCE_MS);
    const { hold } = await at.console.heldBy('lock:silent', A);
    expect(hold?.deadline ?? 0).toBeGreaterThan(alert.since + 300_000);
    expect(alert.summary).toMatch(/ renewed every .*, the last time .* ago; the lease ends at /);
    await until('the other was late as well', () => timesLate >= 2, PATIENCE_MS);
    await none('renewal-missed', 'lock:jitter');
    await renew('lock:silent');
    await resolved(at.console, 'renewal-missed', 'lock:silent');
  });
});

describe('a renewal of nobody', () => {
  it('is one of who had released, and not the next acquire of the same owner', async () => {
    await take('inv:again', A);
    await at.console.heldBy('inv:again', A);
    await at.client.del('inv:again');
    await seenAs(at.console, 'inv:again', ({ state }) => state === 'free');
    await take('inv:again', A);
    await at.client.pexpire('inv:again', 600_000);
    const [target] = await at.console.query('targets');
    const body = {
      target: target?.id,
      pattern: 'redlock:z*',
      format: 'redlock-net',
      reason: 'we know',
    };
    expect((await at.console.request('POST', '/api/v1/pins', { body })).status).toBe(200);
    const token = '0f0f0f0f-0000-4000-8000-000000000001';
    await at.client.set('redlock:z', token, 'PX', 600_000);
    await at.console.heldBy('redlock:z', token);
    await at.client.del('redlock:z');
    await seenAs(at.console, 'redlock:z', ({ state }) => state === 'free');
    await at.client.set('redlock:z', token, 'PX', 600_000);
    await firing(at.console, 'zombie-renewal', 'redlock:z', PATIENCE_MS);
    await none('zombie-renewal', 'inv:again');
  });
});

describe('an orphan queue', () => {
  /** For all that a machine may be late by between two holders. */
  const LEAST_MS = 10_000;

  it('is one that nobody comes for, and not the moment between two holders', async () => {
    const body: ActionInput<'rule.save'> = {
      ...{ code: 'orphan-queue', class: null, reason: 'two seconds are short for a test' },
      setting: {
        ...{ enabled: true, severity: null, forMs: 0, keepFiringMs: 0 },
        threshold: { kind: 'static', value: LEAST_MS },
      },
    };
    const saved = await at.console.request('POST', '/api/v1/rules', { body });
    expect(saved).toMatchObject({ status: 200 });
    await take('inv:handed', A);
    await queue('inv:handed', [B]);
    await seenAs(at.console, 'inv:handed', ({ waiting }) => waiting.count === 1);
    await at.client.del('inv:handed');
    const states = new Set<string>();
    await until('it is seen between two holders', async () => {
      states.add((await at.console.detail('inv:handed'))?.state ?? '');
      return states.has('orphan-queue');
    });
    await at.client
      .multi()
      .del('redisson_lock_queue:{inv:handed}', 'redisson_lock_timeout:{inv:handed}')
      .hincrby('inv:handed', B, 1)
      .pexpire('inv:handed', 600_000)
      .exec();
    await queue('inv:orphan', [waiter(1), waiter(2)]);
    const alert = await firing(at.console, 'orphan-queue', 'inv:orphan', PATIENCE_MS);
    expect(alert.summary).toMatch(/^2 waiting for .* and nobody holds it/);
    await none('orphan-queue', 'inv:handed');
  });
});

describe('a free lock', () => {
  it('is waited for where its waiters sleep on, and not where one of them takes it', async () => {
    const listener = at.redis.client();
    await listener.subscribe('redisson_lock__channel:{inv:woken}');
    await listener.subscribe('redisson_lock__channel:{inv:asleep}');
    running.push(() => listener.disconnect());
    for (const key of ['inv:woken', 'inv:asleep']) {
      await take(key, A);
      await seenAs(at.console, key, ({ waiting }) => waiting.count === 1);
    }
    // In one breath, so that a test that is late does not hold it up.
    const handOver = at.client.pipeline().del('inv:woken').hincrby('inv:woken', B, 1);
    await handOver.pexpire('inv:woken', 600_000).exec();
    await at.client.del('inv:asleep');
    const alert = await firing(at.console, 'free-but-waited', 'inv:asleep', PATIENCE_MS);
    expect(alert.remedy).toContain('wake-up');
    await at.console.heldBy('inv:woken', B);
    await none('free-but-waited', 'inv:woken');
  });
});

describe('waiters', () => {
  it('pile up from twenty on, and are no pile before', async () => {
    const many = Array.from({ length: 20 }, (_, n) => waiter(n));
    await take('inv:busy', A);
    await queue('inv:busy', many.slice(1));
    await take('inv:pile', A);
    await queue('inv:pile', many);
    const alert = await firing(at.console, 'waiter-pileup', 'inv:pile', PATIENCE_MS);
    expect(alert.summary).toBe(`20 owners wait for it, held by ${A}`);
    await seenAs(at.console, 'inv:busy', ({ waiting }) => waiting.count === 19);
    await none('waiter-pileup', 'inv:busy');
  });

  it('for themselves are those who hold it, and not another thread of their instance', async () => {
    const otherThread = A.replace(/:11$/, ':12');
    await take('inv:threads', A);
    await queue('inv:threads', [otherThread]);
    await take('inv:self', A);
    await queue('inv:self', [A]);
    const alert = await firing(at.console, 'self-wait', 'inv:self', PATIENCE_MS);
    expect(alert).toMatchObject({ severity: 'critical' });
    await seenAs(at.console, 'inv:threads', ({ waiting }) => waiting.count === 1);
    await none('self-wait', 'inv:threads');
  });
});

describe('a key built from an empty variable', () => {
  it('is told, and a name that only looks a little like it is not', async () => {
    for (const key of ['lock:order:nullable', 'lock:undefined-behaviour', 'lock:order:17']) {
      await at.client.set(key, A, 'PX', 600_000);
      await at.console.heldBy(key, A);
    }
    await at.client.set('lock:order:undefined', A, 'PX', 600_000);
    await at.client.set('lock:order:', A, 'PX', 600_000);
    const placeholder = await firing(at.console, 'empty-key', 'lock:order:undefined', PATIENCE_MS);
    expect(placeholder.summary).toContain('its last part is "undefined"');
    const missing = await firing(at.console, 'empty-key', 'lock:order:', PATIENCE_MS);
    expect(missing.remedy).toContain('shares the lock "lock:order:"');
    const told = (await at.console.alerts('empty-key')).map(({ subject }) => subject.label);
    expect(told.toSorted()).toEqual(['lock:order:', 'lock:order:undefined']);
  });
});
