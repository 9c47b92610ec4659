import { expect, it } from 'vitest';
import { createSketch, readSketch } from '@/lib/analysis/sketch';
import type { RollupsQuery } from '@/server/store/history-contract';
import { aBlame, aRollup } from './samples';
import { until } from '@/test/support/until';
import { onBoth } from './store-under-test';

const sketchOf = (...values: number[]): Uint8Array => {
  const sketch = createSketch();
  for (const value of values) sketch.add(value);
  return sketch.serialise();
};

const countIn = (bytes: Uint8Array | undefined): number => (bytes ? readSketch(bytes).count : 0);

const query = (over: Partial<RollupsQuery> = {}): RollupsQuery => ({
  target: 'main',
  level: 'class',
  from: 1_000_000,
  to: 1_010_000,
  stepMs: 10_000,
  sketches: [],
  ...over,
});

onBoth('rollups', (place) => {
  it('give back every field, of classes and of single locks', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const rollup = aRollup({
      heldMs: 12.5,
      waiterMs: 0.25,
      waits: 3,
      waitMs: 70_000,
      timeouts: 1,
      attempts: 0,
      ends: { released: 3, evicted: 1, 'lost-in-failover': 2, 'force-released': 4, unknown: 5 },
      handoffMs: 31,
      handoffs: 2,
      sketches: { hold: sketchOf(5, 6), handoff: sketchOf(1), report: sketchOf(7) },
    });
    const lock = { db: 3, key: 'order\xff:\0' };
    const single = aRollup({ lock, attempts: 300, sketches: { hold: sketchOf(9) } });
    await store.writeRollups({ rollups: [rollup, single], blame: [] });
    const sketches = ['hold', 'handoff', 'report', 'fair-queue'] as const;
    expect(await store.rollups(query({ sketches }))).toEqual([rollup]);
    expect(await store.rollups(query({ level: 'lock', sketches }))).toEqual([single]);
    expect(await store.rollups(query({ level: 'lock', lock }))).toEqual([
      { ...single, sketches: {} },
    ]);
    expect(await store.rollups(query({ level: 'lock', lock: { ...lock, db: 0 } }))).toEqual([]);
    const locks = [{ db: 3, key: 'another' }, lock];
    expect(await store.rollups(query({ level: 'lock', locks }))).toHaveLength(1);
    const elsewhere = [
      { ...lock, db: 0 },
      { ...lock, key: 'another' },
    ];
    expect(await store.rollups(query({ level: 'lock', locks: elsewhere }))).toEqual([]);
    expect(await store.rollups(query({ level: 'lock', locks: [] }))).toEqual([]);
    expect(await store.rollups(query({ lock }))).toEqual([]);
  });

  it('add to a step that is there, in one call and over calls', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const first = aRollup({
      timeouts: 1,
      sketches: { hold: sketchOf(5), 'fair-queue': sketchOf(1) },
    });
    const second = aRollup({
      waiterMs: 40,
      ends: { released: 2, evicted: 1, vanished: -1 },
      handoffMs: 9,
      handoffs: 1,
      sketches: { hold: sketchOf(6, 7), 'token-time': sketchOf(3) },
    });
    await store.writeRollups({ rollups: [first, second], blame: [] });
    await store.writeRollups({ rollups: [first], blame: [] });
    const sketches = ['hold', 'fair-queue', 'token-time'] as const;
    const [sum, ...more] = await store.rollups(query({ sketches }));
    expect(more).toEqual([]);
    expect(sum).toMatchObject({
      acquisitions: 3,
      heldMs: 1500,
      waiterMs: 40,
      timeouts: 2,
      attempts: null,
      ends: { released: 4, evicted: 1, vanished: -1 },
      handoffMs: 9,
      handoffs: 1,
    });
    expect(countIn(sum?.sketches.hold)).toBe(4);
    expect(countIn(sum?.sketches['fair-queue'])).toBe(2);
    expect(countIn(sum?.sketches['token-time'])).toBe(1);
  });

  it('keep unknown waiters unknown, and classes, namespaces, formats and targets apart', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const rollups = [
      aRollup(),
      aRollup({ formatId: 'redlock' }),
      aRollup({ class: 'b' }),
      aRollup({ class: 'c', namespace: 'n' }),
      aRollup({ target: 'other' }),
      aRollup({ step: 1_010_000 }),
    ];
    await store.writeRollups({ rollups, blame: [] });
    await store.writeRollups({ rollups: [aRollup()], blame: [] });
    const all = query({ to: 1_020_000 });
    expect(await store.rollups(all)).toHaveLength(5);
    expect(await store.rollups({ ...all, class: 'b' })).toEqual([aRollup({ class: 'b' })]);
    expect(await store.rollups({ ...all, namespace: 'n' })).toEqual([rollups[3]]);
    expect(await store.rollups({ ...all, class: 'b', namespace: 'n' })).toEqual([]);
    expect(await store.rollups({ ...all, target: 'other' })).toHaveLength(1);
    expect(await store.rollups({ ...all, target: 'nowhere' })).toEqual([]);
    expect((await store.rollups(all)).every(({ waiterMs }) => waiterMs === null)).toBe(true);
    expect(await store.rollups({ ...all, from: 1_010_000 })).toHaveLength(1);
  });

  it('are added up to longer steps, and to one for the whole range', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const steps = [960_000, 1_000_000, 1_010_000, 1_020_000];
    const rollups = steps.map((step) => aRollup({ step, sketches: { hold: sketchOf(step) } }));
    await store.writeRollups({ rollups, blame: [] });
    const range = query({ from: 960_000, to: 1_080_000, sketches: ['hold'] });
    const minutes = await store.rollups({ ...range, stepMs: 60_000 });
    expect(minutes.map(({ step, spanMs, heldMs }) => [step, spanMs, heldMs])).toEqual([
      [960_000, 60_000, 1500],
      [1_020_000, 60_000, 500],
    ]);
    const [whole] = await store.rollups({ ...range, from: 990_000, stepMs: null });
    expect(whole).toMatchObject({ step: 990_000, heldMs: 1500, acquisitions: 3 });
    expect(countIn(whole?.sketches.hold)).toBe(3);
  });

  it('tell from when on something is kept of their target', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    expect(await store.firstRollupAt('main')).toBeNull();
    await store.writeRollups({
      rollups: [aRollup({ step: 1_500_000 }), aRollup({ target: 'other' })],
      blame: [],
    });
    expect(await store.firstRollupAt('main')).toBe(1_500_000);
    expect(await store.firstRollupAt('other')).toBe(1_000_000);
    expect(await store.firstRollupAt('another')).toBeNull();
  });

  it('tell it to the shortest step, though the longest begins before', async () => {
    const store = (await place.fresh()).open(() => 8_000_000);
    await store.start();
    await store.writeRollups({ rollups: [aRollup(), aRollup({ step: 1_500_000 })], blame: [] });
    await until(
      'the longest steps are built',
      async () => (await store.kept()).tiers.at(-1)?.built ?? null,
      90_000,
    );
    expect(await store.firstRollupAt('main')).toBe(1_000_000);
  });
});

onBoth('classes', (place) => {
  it('are known by their rollups, and not those of single locks or of another target', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const rollups = [
      aRollup({ class: 'order:*' }),
      aRollup({ class: 'order:*', formatId: 'redlock' }),
      aRollup({ class: 'caf\u00e9:*' }),
      aRollup({ class: 'lock:*', lock: { db: 0, key: 'lock:1' } }),
      aRollup({ class: 'other:*', target: 'other' }),
    ];
    await store.writeRollups({ rollups, blame: [] });
    const classes = await store.classes('main');
    expect(classes).toEqual(expect.arrayContaining(['order:*', 'caf\u00e9:*']));
    expect(classes).not.toContain('other:*');
    expect(classes.filter((name) => name === 'order:*')).toHaveLength(1);
  });
});

onBoth('blame', (place) => {
  it('is added up over the range, by cause, owner, lock and class', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const nobody = aBlame({ cause: 'nobody', owner: null, waiterMs: 7.5 });
    const unnamed = aBlame({ cause: 'unnamed', owner: null, lock: null, class: 'b' });
    await store.writeRollups({
      rollups: [],
      blame: [aBlame(), nobody, aBlame({ owner: 'Zoë 🔒' }), aBlame({ step: 1_010_000 }), unnamed],
    });
    await store.writeRollups({ rollups: [], blame: [aBlame({ waiterMs: 100 })] });
    const range = { target: 'main', from: 1_000_000, to: 1_020_000 };
    const rows = await store.blame(range);
    const told = (row: (typeof rows)[number]) => [row.class, row.cause, row.owner, row.waiterMs];
    expect(rows.map(told).toSorted()).toEqual([
      ['b', 'unnamed', null, 300],
      ['order_sync:*', 'holder', 'Zoë 🔒', 300],
      ['order_sync:*', 'holder', 'aaaa:1', 700],
      ['order_sync:*', 'nobody', null, 7.5],
    ]);
    expect(await store.blame({ ...range, class: 'b' })).toEqual([{ ...unnamed, spanMs: 20_000 }]);
    const lock = { db: 0, key: 'order_sync:1' };
    expect(await store.blame({ ...range, lock })).toHaveLength(3);
    expect(await store.blame({ ...range, to: 1_000_000 })).toEqual([]);
    expect(await store.blame({ ...range, namespace: 'none' })).toEqual([]);
  });
});
