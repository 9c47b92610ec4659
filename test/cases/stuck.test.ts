import { describe, expect, it } from 'vitest';
import type { DryRun } from '@/lib/protocol/rules';
import { alertsAbout, firing, resolved, seenAs, uuid1Token } from '@/test/support/seen';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

describe('a hold that goes on and on', () => {
  const at = watchedRedis({ env: { LOCKSCOPE_LONG_HOLD_MS: '2000' } });

  it('is an alert with its age, its renewals and the last of them, and leads to the lock', async () => {
    await at.client.set('lock:sync', 'worker-a', 'PX', 600_000);
    const renewing = setInterval(() => void at.client.pexpire('lock:sync', 600_000), 600);
    const alert = await until('it is told to be renewed', async () =>
      (await alertsAbout(at.console, 'long-hold', 'lock:sync')).find(
        ({ summary, remedy }) =>
          /renewed ([4-9]|\d\d+)×/.test(summary) &&
          remedy.includes('does not free itself while it is renewed'),
      ),
    ).finally(() => clearInterval(renewing));
    expect(alert.summary).toMatch(
      /^held .+ by worker-a, renewed \d+× \(the last time \d+(\.\d)? m?s ago\)$/,
    );
    const [subject] = alert.subject.locks;
    const lock = await at.console.detail('lock:sync');
    expect(subject).toEqual({ db: 0, key: 'lock:sync', keyB64: lock?.keyB64 });
    expect(lock?.alerts).toContain('long-hold');
    expect(lock?.hold?.deadline).toBeGreaterThan(Date.now() + 300_000);
  });

  it('that never renews says so', async () => {
    await at.client.set('lock:still', 'worker-b', 'PX', 600_000);
    const alert = await firing(at.console, 'long-hold', 'lock:still');
    expect(alert.summary).toMatch(/^held \S+ m?s by worker-b$/);
    expect(alert.remedy).toContain('Unless renewed it frees itself at');
    await at.client.del('lock:still');
    await resolved(at.console, 'long-hold', 'lock:still');
  });
});

describe('a hold far longer than its class ever is', () => {
  const at = watchedRedis();

  it('is stuck long before the threshold that counts for all', async () => {
    const adaptive = { kind: 'adaptive', factor: 2, least: 100, otherwise: 60_000 };
    const setting = {
      enabled: true,
      severity: null,
      forMs: 0,
      keepFiringMs: 0,
      threshold: adaptive,
    };
    const params = new URLSearchParams({
      ...{ code: 'long-hold', class: 'lock:order:*', setting: JSON.stringify(setting) },
    });
    // What it is told late is no measure to a console, so that it may take more than one round.
    await until('what is usual is known', async () => {
      for (let i = 0; i < 300; i++) {
        const key = `lock:order:${i}`;
        await at.client.multi().set(key, `t${i}`, 'PX', 600_000).del(key).exec();
      }
      const [limit] = (await at.console.get<DryRun>(`/rules/dry-run?${params}`)).limits;
      return limit && limit.p99Ms !== null && limit.p99Ms < 1000;
    });
    await at.client.set('lock:order:4711', 'stuck', 'PX', 600_000);
    await at.client.set('lock:other:4711', 'slow', 'PX', 600_000);
    const alert = await firing(at.console, 'long-hold', 'lock:order:4711');
    expect(alert.summary).toMatch(/^held \d\d.* by stuck \(of its class 99 of 100 end/);
    expect(await alertsAbout(at.console, 'long-hold', 'lock:other:4711')).toEqual([]);
    const { items } = await at.console.query('locks', { view: 'long-holds' });
    expect(items.map(({ key }) => key)).toEqual(['lock:order:4711']);
  });
});

describe('a class with a threshold of its own', () => {
  const at = watchedRedis({
    env: {
      LOCKSCOPE_LONG_HOLD_MS: '600000',
      LOCKSCOPE_LONG_HOLD_MS_BY_CLASS: 'lock:quick:*=1500,lock:import:*=900000',
    },
  });

  it('is judged by that, in alerts and in the list', async () => {
    for (const key of ['lock:quick:17', 'lock:usual:17']) {
      await at.client.set(key, 'loops for ever', 'PX', 600_000);
    }
    const alert = await firing(at.console, 'long-hold', 'lock:quick:17');
    expect(alert.summary).toMatch(/^held .+ by loops for ever/);
    const { items } = await at.console.query('locks', { view: 'long-holds' });
    expect(items.map(({ key }) => key)).toEqual(['lock:quick:17']);
    expect(await alertsAbout(at.console, 'long-hold', 'lock:usual:17')).toEqual([]);
  });
});

describe('a scheduler that waits for a lock nobody renews any more', () => {
  const at = watchedRedis();

  it('is told who had it, that it stopped renewing, when, and when the lease ends', async () => {
    const leaseMs = 20_000;
    const token = uuid1Token(Date.now(), '02fc00000007');
    await at.client.set('redbeat::lock', token, 'PX', leaseMs);
    let stoppedAt = 0;
    for (let i = 0; i < 5; i++) {
      await pause(500);
      await at.client.pexpire('redbeat::lock', leaseMs);
      stoppedAt = (await at.client.pexpiretime('redbeat::lock')) - leaseMs;
    }
    const alert = await firing(at.console, 'renewal-missed', 'redbeat::lock');
    expect(alert.summary).toMatch(
      new RegExp(`^${token} renewed every .*, the last time .* ago; the lease ends at`),
    );
    const lock = await at.console.detail('redbeat::lock');
    expect(lock).toMatchObject({ format: 'redbeat', hold: { owner: { id: token } } });
    // As late as the console was; of the renewal before, it would be earlier.
    const { lastRenewalAt, deadline } = lock?.hold ?? {};
    for (const at of [lastRenewalAt, (deadline ?? 0) - leaseMs]) {
      expect(at).toBeGreaterThan(stoppedAt - 250);
      expect(at).toBeLessThan(stoppedAt + 5_000);
    }
    const free = await seenAs(at.console, 'redbeat::lock', ({ state }) => state === 'free');
    expect(free.lastEnd).toMatchObject({ owner: token, reason: 'lease-ended' });
    await until('the alert is over', async () =>
      (await alertsAbout(at.console, 'renewal-missed', 'redbeat::lock')).every(
        ({ state }) => state === 'resolved',
      ),
    );
  });
});
