import { afterEach, describe, expect, it } from 'vitest';
import { replicatedRedis, type ReplicatedRedis } from '@/test/support/replicated-redis';
import { alertsAbout, firing, seenAs } from '@/test/support/seen';
import { until } from '@/test/support/until';

const PATIENCE_MS = 60_000;

let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
});

async function pair(): Promise<ReplicatedRedis> {
  const started = await replicatedRedis();
  stops.push(started.stop);
  return started;
}

describe('a failover', () => {
  it('that loses a lock says until when its holder may overlap the next one', async () => {
    const { console, primary, replica, failOver } = await pair();
    await primary.set('lock:kept', 'K', 'PX', 600_000, 'NX');
    expect(await primary.wait(1, PATIENCE_MS)).toBe(1);
    await replica.replicaof('127.0.0.1', 1);
    await primary.set('lock:pay:1', 'A', 'PX', 600_000, 'NX');
    await console.heldBy('lock:pay:1', 'A');
    await failOver();
    await firing(console, 'lost-in-failover', 'lock:pay:1', PATIENCE_MS);
    expect(await replica.set('lock:pay:1', 'B', 'PX', 600_000, 'NX')).toBe('OK');
    const alert = await until(
      'it names both',
      async () =>
        (await alertsAbout(console, 'lost-in-failover', 'lock:pay:1')).find(({ summary }) =>
          summary.endsWith('may overlap B'),
        ),
      PATIENCE_MS,
    );
    expect(alert).toMatchObject({ severity: 'critical', count: 1 });
    expect(alert.summary).toMatch(/^A until \d\d:\d\d:\d\d UTC may overlap B$/);
    const { holds } = await seenAs(console, 'lock:pay:1', (lock) => lock.holds.length > 0);
    expect(holds[0]).toMatchObject({ owner: 'A', endReason: 'lost-in-failover' });
    expect(await alertsAbout(console, 'lost-in-failover', 'lock:kept')).toEqual([]);
  }, 120_000);

  it('in which the lock survives is none: the hold goes on', async () => {
    const { console, primary, replica, failOver } = await pair();
    await primary.set('lock:pay:2', 'A', 'PX', 600_000, 'NX');
    expect(await primary.wait(1, PATIENCE_MS)).toBe(1);
    const before = await console.heldBy('lock:pay:2', 'A');
    await failOver();
    await replica.set('lock:after', 'N', 'PX', 600_000);
    await seenAs(console, 'lock:after', ({ hold }) => hold?.owner.id === 'N', PATIENCE_MS);
    const after = await console.heldBy('lock:pay:2', 'A');
    expect(after.hold?.generation).toBe(before.hold?.generation);
    for (const code of ['lost-in-failover', 'vanished', 'takeover'] as const) {
      expect(await console.alerts(code)).toEqual([]);
    }
  }, 120_000);

  it('in which its holder released the lock meanwhile is not called lost', async () => {
    const { console, primary, failOver } = await pair();
    await primary.set('lock:done', 'A', 'PX', 600_000, 'NX');
    await console.heldBy('lock:done', 'A');
    await primary.del('lock:done');
    await seenAs(console, 'lock:done', ({ state }) => state === 'free');
    expect(await primary.wait(1, PATIENCE_MS)).toBe(1);
    await failOver();
    await until(
      'the new primary is watched',
      async () => {
        const [target] = await console.query('targets');
        return target?.nodes[0]?.gaps.some(({ to }) => to !== null);
      },
      PATIENCE_MS,
    );
    expect((await console.detail('lock:done'))?.holds[0]?.endReason).toBe('released');
    expect(await console.alerts('lost-in-failover')).toEqual([]);
  }, 120_000);
});
