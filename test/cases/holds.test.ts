import { describe, expect, it } from 'vitest';
import { pause } from '@/test/support/pause';
import { alertsAbout, firing } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({
  env: { LOCKSCOPE_WATCH: '*', LOCKSCOPE_NO_EXPIRY_MS: '1500', LOCKSCOPE_LONG_HOLD_MS: '10000' },
});
const LEASE_MS = 600_000;

describe('a lock without expiry', () => {
  it('is held without a countdown, alerts once, and resolves when a time to live appears', async () => {
    await at.client.setnx('lock:import', '1');
    const lock = await at.console.heldBy('lock:import', '1');
    expect(lock).toMatchObject({ state: 'held', hold: { deadline: null } });

    const alert = await until('no-expiry fires', async () =>
      (await at.console.alerts('no-expiry')).find(
        (found) => found.subject.label === 'lock:import' && found.state === 'firing',
      ),
    );
    expect(alert).toMatchObject({ severity: 'warning', count: 1 });

    await at.client.expire('lock:import', 600);
    await until('no-expiry resolves', async () =>
      (await at.console.alerts('no-expiry')).some(
        (found) => found.id === alert.id && found.state === 'resolved',
      ),
    );
    const detail = await at.console.detail('lock:import');
    expect(detail?.hold?.deadline).toBeGreaterThan(Date.now() + 300_000);
    expect(detail?.acquisitions).toBe(1);
  });
});

describe('contention that leaves no trace', () => {
  it('is one acquisition whose waiters are not observable, never zero', async () => {
    await at.client.set('lock:a', 'tok1', 'PX', LEASE_MS, 'NX');
    for (let attempt = 0; attempt < 10; attempt++) {
      expect(await at.client.set('lock:a', 'tok2', 'PX', LEASE_MS, 'NX')).toBeNull();
    }
    const lock = await until('the holder is known', async () => {
      const found = await at.console.lock('lock:a');
      return found?.hold?.owner.id === 'tok1' ? found : undefined;
    });
    expect(lock.acquisitions).toBe(1);
    expect(lock.waiting).toMatchObject({ evidence: 'unknown', count: null });
  });
});

describe('re-entry of a Redisson lock', () => {
  it('is one hold whose depth rises and falls, and its latch keys are no locks', async () => {
    const owner = 'b983c153-7421-469a-addb-44fb92259a1b:1';
    const enter = async (): Promise<void> => {
      await at.client.multi().hincrby('myLock', owner, 1).pexpire('myLock', LEASE_MS).exec();
    };
    const depth = async (): Promise<number | undefined> =>
      (await at.console.lock('myLock'))?.hold?.depth;

    await enter();
    await until('depth 1', async () => (await depth()) === 1);
    await enter();
    const lock = await until('depth 2', async () => {
      const found = await at.console.lock('myLock');
      return found?.hold?.depth === 2 ? found : undefined;
    });
    expect(lock.hold?.owner).toMatchObject({
      instance: 'b983c153-7421-469a-addb-44fb92259a1b',
      thread: '1',
    });
    await at.client
      .multi()
      .hincrby('myLock', owner, -1)
      .pexpire('myLock', LEASE_MS)
      .set('redisson_unlock_latch:{myLock}:r1', '0', 'PX', 13_500)
      .exec();
    await until('depth 1 again', async () => (await depth()) === 1);
    await at.client
      .multi()
      .hincrby('myLock', owner, -1)
      .del('myLock')
      .publish('redisson_lock__channel:{myLock}', '0')
      .set('redisson_unlock_latch:{myLock}:r2', '1', 'PX', 13_500)
      .exec();

    const detail = await until('the lock is free', async () => {
      const found = await at.console.detail('myLock');
      return found?.state === 'free' ? found : undefined;
    });
    expect(detail.acquisitions).toBe(1);
    expect(detail.holds).toHaveLength(1);
    expect(detail.holds[0]).toMatchObject({ owner, endReason: 'released', maxDepth: 2 });
    const { items } = await at.console.query('locks', { limit: '1000' });
    expect(items.filter(({ key }) => key.startsWith('redisson_unlock_latch'))).toEqual([]);
  });
});

describe('a renewal by SET', () => {
  it('is no acquisition: one hold, five renewals, one release', async () => {
    const asked = Date.now();
    await at.client.set('lock:r', 'A', 'PX', LEASE_MS, 'NX');
    await at.console.heldBy('lock:r', 'A');
    const known = Date.now();
    for (let renewal = 0; renewal < 5; renewal++) {
      await pause(300);
      await at.client.set('lock:r', 'A', 'PX', LEASE_MS);
    }
    const released = Date.now();
    await at.client.del('lock:r');
    const detail = await until('the lock is free', async () => {
      const found = await at.console.detail('lock:r');
      return found?.state === 'free' ? found : undefined;
    });
    expect(detail.acquisitions).toBe(1);
    expect(detail.holds).toHaveLength(1);
    expect(detail.holds[0]).toMatchObject({ owner: 'A', renewals: 5, endReason: 'released' });
    const [hold] = detail.holds;
    expect(hold?.start).toBeGreaterThanOrEqual(asked);
    expect(hold?.start).toBeLessThanOrEqual(known);
    expect(hold?.end).toBeGreaterThanOrEqual(released);
    expect(hold?.end).toBeLessThanOrEqual(Date.now());
  });

  it('is told from an acquisition by EXPIRE as well', async () => {
    await at.client.set(
      'mutex:refreshed',
      '0f0f0f0f-0000-4000-8000-000000000001',
      'PX',
      LEASE_MS,
      'NX',
    );
    for (let renewal = 0; renewal < 3; renewal++) {
      await pause(100);
      await at.client.pexpire('mutex:refreshed', LEASE_MS);
    }
    const lock = await until('three renewals are counted', async () => {
      const found = await at.console.lock('mutex:refreshed');
      return found?.hold?.renewals === 3 ? found : undefined;
    });
    expect(lock.acquisitions).toBe(1);
  });
});

describe('a takeover', () => {
  it('ends the first hold as overwritten by the second and is a critical alert', async () => {
    await at.client.set('lock:x', 'A', 'PX', LEASE_MS, 'NX');
    await until('A holds', async () => (await at.console.lock('lock:x'))?.hold?.owner.id === 'A');
    await at.client.set('lock:x', 'B', 'PX', LEASE_MS);
    const detail = await until('B holds', async () => {
      const found = await at.console.detail('lock:x');
      return found?.hold?.owner.id === 'B' ? found : undefined;
    });
    const first = detail.holds.find(({ owner }) => owner === 'A');
    expect(first).toMatchObject({ endReason: 'overwritten', endedBy: 'B' });
    const alert = await until('takeover fires', async () =>
      (await at.console.alerts('takeover')).find(({ subject }) => subject.label === 'lock:x'),
    );
    expect(alert.severity).toBe('critical');
  });
});

describe('a ShedLock that is kept after its work', () => {
  it('is cooling down, names its host, and is no long hold', async () => {
    const value = 'ADDED:2026-01-01T00:00:00Z@host-1:0b7e';
    await at.client.set('job-lock:default:report', value, 'PX', LEASE_MS, 'NX');
    await at.console.heldBy('job-lock:default:report', value);
    await at.client.set('job-lock:default:report', value, 'PX', LEASE_MS / 2, 'XX');
    const lock = await until('it cools down', async () => {
      const found = await at.console.lock('job-lock:default:report');
      return found?.state === 'cooling-down' ? found : undefined;
    });
    expect(lock).toMatchObject({ format: 'shedlock', hold: { owner: { host: 'host-1' } } });
    expect(lock.hold?.finishedAt).not.toBeNull();
    // Taken later, and judged with it.
    await at.client.set('lock:works-on', 'B', 'PX', LEASE_MS);
    await firing(at.console, 'long-hold', 'lock:works-on');
    expect(await alertsAbout(at.console, 'long-hold', 'job-lock:default:report')).toEqual([]);
  });
});

describe('a semaphore', () => {
  it('lists its members, and one past its window holds nothing', async () => {
    const now = Date.now();
    await at.client.zadd('semaphore:pool', now, 'id-live', now - 600_000, 'id-old');
    const lock = await until('both members are known', async () => {
      const found = await at.console.lock('semaphore:pool');
      return found?.members.length === 2 ? found : undefined;
    });
    expect(lock.kind).toBe('semaphore');
    const stale = lock.members.filter((member) => member.stale).map(({ id }) => id);
    expect(stale).toEqual(['id-old']);
    expect(lock.hold?.owner.id).not.toBe('id-old');
  });
});

describe('keys that move', () => {
  it('end a hold as moved when they are renamed', async () => {
    await at.client.set('lock:before', 'A', 'PX', LEASE_MS);
    await until(
      'A holds',
      async () => (await at.console.lock('lock:before'))?.hold?.owner.id === 'A',
    );
    await at.client.rename('lock:before', 'lock:after');
    const detail = await until('the old name is free', async () => {
      const found = await at.console.detail('lock:before');
      return found?.state === 'free' ? found : undefined;
    });
    expect(detail.holds[0]?.endReason).toBe('moved');
    await until('the new name is held', async () => (await at.console.lock('lock:after'))?.hold);
  });
});
