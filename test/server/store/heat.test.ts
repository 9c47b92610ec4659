import { expect, it } from 'vitest';
import type { HeatQuery } from '@/server/store/history-contract';
import { aRollup } from './samples';
import { onBoth } from './store-under-test';

const query = (over: Partial<HeatQuery> = {}): HeatQuery => ({
  target: 'main',
  level: 'class',
  from: 1_000_000,
  to: 1_030_000,
  stepMs: 10_000,
  columns: ['heldMs', 'waiterMs', 'lost'],
  rows: 10,
  ...over,
});

onBoth('heat', (place) => {
  it('is a sum for each series and step, the hottest series first', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const rollups = [
      aRollup({ waiterMs: 0 }),
      aRollup({ step: 1_020_000, ends: { evicted: 2, 'lease-ended': 1, released: 9 } }),
      aRollup({ class: 'hot', heldMs: 700.5 }),
      aRollup({ class: 'hot', heldMs: 800 }),
      aRollup({ class: 'outside', step: 1_030_000 }),
      aRollup({ lock: { db: 0, key: 'k' } }),
    ];
    await store.writeRollups({ rollups, blame: [] });
    const heat = await store.heat(query());
    expect(heat.series.map((series) => series.class)).toEqual(['hot', 'order_sync:*']);
    expect(heat).toMatchObject({ from: 1_000_000, stepMs: 10_000, steps: 3, leftOut: 0 });
    expect([...(heat.cells.heldMs ?? [])]).toEqual([1500.5, 0, 0, 500, 0, 500]);
    expect([...(heat.cells.lost ?? [])]).toEqual([0, 0, 0, 0, 0, 3]);
    const { NaN: none } = Number;
    expect([...(heat.cells.waiterMs ?? [])]).toEqual([none, none, none, 0, 0, none]);
  });

  it('adds steps up and leaves the coldest out', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const rollups = ['a', 'b', 'c', 'd'].flatMap((name, i) =>
      [960_000, 1_010_000, 1_020_000].map((step) =>
        aRollup({ class: name, step, heldMs: i === 3 ? 200 : 100 * i, attempts: i }),
      ),
    );
    await store.writeRollups({ rollups, blame: [] });
    const range = { from: 960_000, to: 1_080_000, stepMs: 60_000, rows: 2 };
    const heat = await store.heat(query({ ...range, columns: ['heldMs', 'attempts'] }));
    expect(heat.series.map((series) => series.class)).toEqual(['c', 'd']);
    expect(heat.leftOut).toBe(2);
    expect([...(heat.cells.heldMs ?? [])]).toEqual([400, 200, 400, 200]);
    expect([...(heat.cells.attempts ?? [])]).toEqual([4, 2, 6, 3]);
  });

  it('is of locks, of one class or namespace, or of nothing', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const lock = { db: 2, key: 'k\xff' };
    const rollups = [
      aRollup({ lock }),
      aRollup({ lock: { db: 2, key: 'other' }, class: 'b', namespace: 'n' }),
      aRollup({ class: 'b', namespace: 'n' }),
    ];
    await store.writeRollups({ rollups, blame: [] });
    const locks = await store.heat(query({ level: 'lock' }));
    expect(locks.series.map((series) => series.lock?.key)).toEqual(['other', 'k\xff']);
    const one = await store.heat(query({ level: 'lock', class: 'order_sync:*' }));
    expect(one.series).toEqual([
      {
        target: 'main',
        class: 'order_sync:*',
        namespace: 'order_sync',
        formatId: 'redisson',
        lock,
      },
    ]);
    expect((await store.heat(query({ namespace: 'n' }))).series).toHaveLength(1);
    const nothing = await store.heat(query({ target: 'nowhere' }));
    expect(nothing).toMatchObject({ series: [], steps: 3, leftOut: 0 });
  });
});
