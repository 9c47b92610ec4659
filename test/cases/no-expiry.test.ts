import { describe, expect, it } from 'vitest';
import { alertsAbout, firing, resolved, seenAs, uuid1Token } from '@/test/support/seen';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({
  env: { LOCKSCOPE_WATCH: 'report:*', LOCKSCOPE_NO_EXPIRY_MS: '1000' },
});
const SHEDLOCK = 'ADDED:2026-01-01T00:00:00.000Z@billing-3:0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60';

describe('a lock whose expiry was never set', () => {
  it('is an alert with key, age, holder and library, and shows no end', async () => {
    await at.client.set('job-lock:default:invoices', SHEDLOCK);
    const alert = await firing(at.console, 'no-expiry', 'job-lock:default:invoices');
    expect(alert.summary).toMatch(
      /^held by .*billing-3.*, without a time to live for \d+(\.\d)? m?s/,
    );
    expect(alert.summary).toContain('ShedLock');
    expect(alert.subject.locks).toMatchObject([{ db: 0, key: 'job-lock:default:invoices' }]);
    const lock = await at.console.detail('job-lock:default:invoices');
    expect(lock).toMatchObject({
      format: 'shedlock',
      state: 'held',
      hold: { deadline: null, leaseMs: null, owner: { host: 'billing-3' } },
    });
  });

  it('is one alert however often it is looked at, and over by itself once it has one', async () => {
    await at.client.setnx('lock:import', '1');
    const { id } = await firing(at.console, 'no-expiry', 'lock:import');
    await pause(6_000);
    expect(await alertsAbout(at.console, 'no-expiry', 'lock:import')).toMatchObject([
      { id, count: 1, state: 'firing' },
    ]);
    await at.client.expire('lock:import', 600);
    await resolved(at.console, 'no-expiry', 'lock:import');
    expect(await alertsAbout(at.console, 'no-expiry', 'lock:import')).toHaveLength(1);
  });

  it('is critical of a library that always sets one, and only told of one that sets none by default', async () => {
    await at.client.set('report:py', uuid1Token(Date.now(), '02fc00000001'));
    const always = await firing(at.console, 'no-expiry', 'job-lock:default:invoices');
    expect(always.severity).toBe('critical');
    expect(always.summary).toContain('always sets one');
    const byDefault = await firing(at.console, 'no-expiry', 'report:py');
    expect(byDefault.severity).toBe('info');
    expect(byDefault.summary).toContain('redis-py sets none by default');
  });

  it('is found by a view that is there from the start', async () => {
    await at.client.set('lock:with', 'tok', 'PX', 600_000);
    await at.client.set('lock:without', 'tok');
    await seenAs(at.console, 'lock:with', ({ hold }) => hold?.deadline != null);
    await seenAs(at.console, 'lock:without', ({ hold }) => hold?.owner.id === 'tok');
    const { items } = await at.console.query('locks', { view: 'no-expiry', limit: '1000' });
    const keys = items.map(({ key }) => key);
    expect(keys).toContain('lock:without');
    expect(keys).not.toContain('lock:with');
    await until(
      'the overview counts as many',
      async () => (await at.console.query('overview')).counters.noExpiry === keys.length,
    );
  });
});
