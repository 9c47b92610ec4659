import { describe, expect, it } from 'vitest';
import { pause } from '@/test/support/pause';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

/** The release script of redis-py's Lock: compare, delete. */
const PY_RELEASE = `local token = redis.call('get', KEYS[1])
if not token or token ~= ARGV[1] then return 0 end
redis.call('del', KEYS[1]) return 1`;

/** Long enough for the console to read who holds it. */
const LEASE_MS = 5_000;
/** Between the clock of Redis and when its answer came. */
const CLOCK_MS = 20;

describe('among 300,000 other keys with a time to live', () => {
  const at = watchedRedis();

  it('a lapse is known at the deadline, without the event of Redis', async () => {
    const fill = `for i = ARGV[1], ARGV[2] do redis.call('SET', 'cold:' .. i, 'x', 'PX', 3600000) end`;
    for (let from = 1; from <= 300_000; from += 10_000) {
      await at.client.eval(fill, 0, from, from + 9999);
    }
    await at.client.set('lock:late', 't', 'PX', LEASE_MS);
    const endsAt = await at.client.pexpiretime('lock:late');
    await at.console.heldBy('lock:late', 't');
    const detail = await until('the lease has ended', async () => {
      const found = await at.console.detail('lock:late');
      return found?.state === 'free' ? found : undefined;
    });
    const [hold] = detail.holds;
    expect(hold).toMatchObject({ owner: 't', endReason: 'lease-ended' });
    // By an event of Redis it would be known as well, and would not be said to have been looked for.
    expect(hold?.notes).toContain('confirmed-by-check');
    expect(hold?.end).toBeGreaterThanOrEqual(endsAt - CLOCK_MS);
    expect(hold?.end).toBeLessThanOrEqual(Date.now());
  });
});

const TOKEN = '12fd2086ec4611f188df02fc00000001';

describe('a release after the lease ended', () => {
  const seen = watchedRedis({ redis: { flags: 'KEAm' }, env: { LOCKSCOPE_WATCH: 'rp*' } });

  it('is reported with its lateness where Redis tells of missed keys', async () => {
    await seen.client.set('rp2', TOKEN, 'PX', LEASE_MS, 'NX');
    const endsAt = await seen.client.pexpiretime('rp2');
    await seen.console.heldBy('rp2', TOKEN);
    await until('the lease has ended', async () => {
      return (await seen.console.detail('rp2'))?.state === 'free';
    });
    await pause(300);
    const triedAt = Date.now();
    expect(await seen.client.eval(PY_RELEASE, 1, 'rp2', TOKEN)).toBe(0);
    const hold = await until('the late release is noted', async () =>
      (await seen.console.detail('rp2'))?.holds.find(({ notes }) => notes.includes('late-release')),
    );
    expect(hold.endReason).toBe('lease-ended');
    const end = hold.end ?? 0;
    expect(end).toBeGreaterThanOrEqual(endsAt - CLOCK_MS);
    expect(end + (hold.lateReleaseMs ?? 0)).toBeGreaterThanOrEqual(triedAt);
    expect(end + (hold.lateReleaseMs ?? 0)).toBeLessThanOrEqual(Date.now());
  });
});

describe('a release after the lease ended, without keymiss events', () => {
  const unseen = watchedRedis({ env: { LOCKSCOPE_WATCH: 'rp*' } });

  it('is not claimed: only the end of the lease', async () => {
    await unseen.client.set('rp2', TOKEN, 'PX', LEASE_MS, 'NX');
    await unseen.console.heldBy('rp2', TOKEN);
    const isFree = async () => {
      const found = await unseen.console.detail('rp2');
      return found?.state === 'free' ? found : undefined;
    };
    await until('the lease has ended', isFree);
    await unseen.client.eval(PY_RELEASE, 1, 'rp2', TOKEN);
    await pause(500);
    const detail = await until('it is free', isFree);
    expect(detail.holds).toHaveLength(1);
    expect(detail.holds[0]).toMatchObject({ endReason: 'lease-ended', lateReleaseMs: null });
    expect(detail.holds[0]?.notes).not.toContain('late-release');
  });
});

describe('a hold that keeps renewing', () => {
  const at = watchedRedis({ env: { LOCKSCOPE_LONG_HOLD_MS: '3000' } });

  it('is a long hold with its renewals, then a missed renewal, then a lapse', async () => {
    const key = 'lock:zombie';
    const leaseMs = 20_000;
    await at.client.set(key, 'z', 'PX', leaseMs, 'NX');
    for (let renewal = 0; renewal < 6; renewal++) {
      await pause(1000);
      await at.client.pexpire(key, leaseMs);
    }
    const endsAt = await at.client.pexpiretime(key);
    const about = async (code: 'long-hold' | 'renewal-missed') =>
      (await at.console.alerts(code)).find(({ subject }) => subject.label === key);
    const longHold = await until('long-hold fires', async () => await about('long-hold'));
    expect(longHold.summary).toMatch(/renewed \d/);
    const missed = await until('renewal-missed fires', async () => await about('renewal-missed'));
    expect(missed.since).toBeLessThan(endsAt);
    const detail = await until('the lease has ended', async () => {
      const found = await at.console.detail(key);
      return found?.state === 'free' ? found : undefined;
    });
    expect(detail.holds[0]).toMatchObject({ endReason: 'lease-ended', renewals: 6 });
  });
});
