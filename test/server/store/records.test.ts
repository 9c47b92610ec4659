import { expect, it } from 'vitest';
import type { Alert } from '@/lib/protocol/alert';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { onBoth } from './store-under-test';

function anAlert(over: Partial<Alert> = {}): Alert {
  return {
    id: 'a-1',
    code: 'long-hold',
    severity: 'warning',
    state: 'firing',
    target: 'main',
    subject: { kind: 'lock', label: 'order\0sync', locks: [], deadlockId: null },
    summary: 'held 47 min',
    remedy: 'look',
    since: 1000,
    updatedAt: 2000,
    resolvedAt: null,
    count: 1,
    evidence: 'observed',
    acknowledgedBy: null,
    acknowledgedReason: null,
    silencedUntil: null,
    ...over,
  };
}

onBoth('gaps, alerts and deadlocks', (place) => {
  it('keeps gaps and closes them', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    await store.writeGap('main', { from: 100, to: null, reason: 'connection-lost' });
    await store.writeGap('main', { from: 100, to: 200, reason: 'connection-lost' });
    await store.writeGap('other', { from: 50, to: 150, reason: 'buffer-cut' });
    expect(await store.gaps({ target: 'main', from: 0, to: 1000 })).toEqual([
      { target: 'main', from: 100, to: 200, reason: 'connection-lost' },
    ]);
    expect(await store.gaps({ from: 160, to: 1000 })).toHaveLength(1);
    expect(await store.gaps({ from: 0, to: 60 })).toHaveLength(1);
  });

  it('remembers when a target was last seen alive, over a restart', async () => {
    const spot = await place.fresh();
    const store = spot.open();
    await store.start();
    expect(await store.lastAliveAt('main')).toBeNull();
    await store.markAlive('main', 5);
    await store.markAlive('main', 9);
    await store.stop();
    const again = spot.open();
    await again.start();
    expect(await again.lastAliveAt('main')).toBe(9);
    expect(await again.lastAliveAt('other')).toBeNull();
  });

  it('keeps the newest state of an alert, whatever its id', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const long = anAlert({ id: 'k'.repeat(9000), updatedAt: 3000, code: 'evicted' });
    await store.saveAlerts([anAlert(), long]);
    await store.saveAlerts([anAlert({ state: 'resolved', updatedAt: 4000, resolvedAt: 4000 })]);
    expect((await store.alerts({ limit: 9 })).map(({ state }) => state)).toEqual([
      'resolved',
      'firing',
    ]);
    expect(await store.alerts({ state: 'open', limit: 9 })).toEqual([long]);
    expect(await store.alerts({ state: 'resolved', limit: 9 })).toHaveLength(1);
    expect(await store.alerts({ code: 'evicted', limit: 9 })).toEqual([long]);
  });

  it('keeps deadlocks, newest first', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const deadlock: Deadlock = {
      id: 'd-1',
      state: 'confirmed',
      target: 'main',
      cycle: [],
      since: 10,
      resolvedAt: null,
      evidence: 'observed',
    };
    await store.saveDeadlock(deadlock);
    await store.saveDeadlock({ ...deadlock, id: 'd-2', since: 20 });
    await store.saveDeadlock({ ...deadlock, state: 'resolved', resolvedAt: 30 });
    expect(await store.deadlocks({ limit: 1 })).toMatchObject([{ id: 'd-2' }]);
    expect((await store.deadlocks({ limit: 5 })).map(({ state }) => state)).toEqual([
      'confirmed',
      'resolved',
    ]);
  });

  it('keeps each time that the same owners stood in each other’s way', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const deadlock: Deadlock = {
      ...{ id: 'd-1', state: 'resolved', target: 'main', cycle: [], evidence: 'observed' },
      ...{ since: 10, resolvedAt: 20 },
    };
    await store.saveDeadlock(deadlock);
    await store.saveDeadlock({ ...deadlock, since: 50, resolvedAt: 60 });
    const at = async (moment: number) =>
      (await store.deadlocks({ at: moment, limit: 5 })).map(({ since }) => since);
    expect([await at(15), await at(30), await at(55)]).toEqual([[10], [], [50]]);
    // From its beginning until it is over, and not when it is.
    expect([await at(9), await at(10), await at(19), await at(20)]).toEqual([[], [10], [10], []]);
  });

  it('finds the few deadlocks that stand among the many that are over', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const deadlock: Deadlock = {
      ...{ id: 'd-\0', state: 'resolved', target: 'main', cycle: [], evidence: 'observed' },
      ...{ since: 10, resolvedAt: 20 },
    };
    const standing = [5, 300];
    for (const since of standing) {
      await store.saveDeadlock({ ...deadlock, state: 'confirmed', since, resolvedAt: null });
    }
    for (let since = 10; since < 260; since++) {
      await store.saveDeadlock({ ...deadlock, since, resolvedAt: since + 1 });
    }
    const found = await store.deadlocks({ at: 1000, limit: 2 });
    expect(found.map(({ since }) => since)).toEqual(standing.toReversed());
    expect(await store.deadlocks({ at: 200, limit: 9 })).toHaveLength(2);
  });
});
