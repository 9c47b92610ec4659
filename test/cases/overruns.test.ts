import { describe, expect, it } from 'vitest';
import type { LockDetail } from '@/lib/protocol/lock';
import { firing, seenAs } from '@/test/support/seen';
import { until } from '@/test/support/until';
import { watchedRedis } from '@/test/support/watched-redis';

const at = watchedRedis({
  redis: { flags: 'KEAm' },
  env: { LOCKSCOPE_WATCH: 'inv:*,billing:*,orders:*' },
});
const PATIENCE_MS = 60_000;
/** Long enough for the console to read who took it. */
const LEASE_MS = 5_000;
const BLOCKED = '11111111-1111-4111-8111-111111111111';
const HEALTHY = '22222222-2222-4222-8222-222222222222';

/** As Redisson takes a lock without a watchdog. */
const take = async (key: string, owner: string, leaseMs: number): Promise<void> =>
  void (await at.client.multi().hincrby(key, owner, 1).pexpire(key, leaseMs).exec());

const counted = (key: string, count: number): Promise<LockDetail> =>
  seenAs(
    at.console,
    key,
    ({ hold, overruns }) => hold === null && overruns?.lock?.count === count,
    PATIENCE_MS,
  );

describe('leases that end under a holder whose event loop is blocked', () => {
  it('are counted for the lock and for the holder, on the alert too, and after a restart', async () => {
    await take('inv:other', `${BLOCKED}:1`, LEASE_MS);
    await counted('inv:other', 1);
    // Another instance holds the same lock in time, which is no lease that ended.
    await take('inv:stock', `${HEALTHY}:1`, 600_000);
    await at.console.heldBy('inv:stock', `${HEALTHY}:1`);
    await at.client.del('inv:stock');
    await seenAs(at.console, 'inv:stock', ({ hold }) => hold === null, PATIENCE_MS);
    for (const times of [1, 2]) {
      await take('inv:stock', `${BLOCKED}:${times}`, LEASE_MS);
      await counted('inv:stock', times);
    }
    // Its release comes at last: Redisson looks for its own field first.
    await at.client.hexists('inv:stock', `${BLOCKED}:2`);
    const alert = await firing(at.console, 'overrun', 'inv:stock', PATIENCE_MS);
    expect(alert.summary).toContain('(2 leases of this lock ended while it was held, in');
    expect(alert.summary).toContain(`(3 leases ended while ${BLOCKED} held, on whatever lock, in`);
    const before = await seenAs(
      at.console,
      'inv:stock',
      ({ overruns }) => overruns?.lock?.lateReleases === 1,
      PATIENCE_MS,
    );
    expect(before.overruns).toMatchObject({
      lock: { count: 2, inferred: 0, lateReleases: 1 },
      holders: [{ kind: 'instance', name: BLOCKED, count: 3, inferred: 0, lateReleases: 1 }],
    });
    expect((await at.console.terminate()).code).toBe(0);
    await at.console.restart();
    const after = await at.console.detail('inv:stock');
    expect(after?.overruns?.lock).toEqual(before.overruns?.lock);
    await take('inv:stock', `${BLOCKED}:3`, LEASE_MS);
    const again = await counted('inv:stock', 3);
    expect(again.overruns?.holders).toMatchObject([{ name: BLOCKED, count: 4 }]);
  }, 300_000);
});

describe('locks of two registries of Spring', () => {
  it('have for each prefix how many were taken and how many expired while they were held', async () => {
    for (const key of ['billing:1', 'billing:2', 'orders:1', 'orders:2']) {
      const lapses = key === 'billing:2';
      await at.client.set(key, HEALTHY, 'PX', lapses ? LEASE_MS : 600_000, 'NX');
      if (!lapses) await at.console.heldBy(key, HEALTHY);
    }
    await at.client.del('billing:1', 'orders:1', 'orders:2');
    const classes = await until(
      'all have ended',
      async () => {
        const { items } = await at.console.query('classes');
        const found = ['billing:*', 'orders:*'].map((name) =>
          items.find((one) => one.class === name),
        );
        const ended = found.map((one) => Object.values(one?.ends ?? {}).reduce((a, b) => a + b, 0));
        return ended.every((count) => count === 2) ? found : null;
      },
      PATIENCE_MS,
    );
    expect(classes).toMatchObject([
      { acquisitions: 2, ends: { released: 1, 'lease-ended': 1 } },
      { acquisitions: 2, ends: { released: 2 } },
    ]);
  }, 300_000);
});
