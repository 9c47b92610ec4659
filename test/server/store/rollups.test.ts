import { expect, it } from 'vitest';
import { createSketch, readSketch } from '@/lib/analysis/sketch';
import { aRollup } from './samples';
import { onBoth } from './store-under-test';

const sketchOf = (...values: number[]): Uint8Array => {
  const sketch = createSketch();
  for (const value of values) sketch.add(value);
  return sketch.serialise();
};

const countIn = (bytes: Uint8Array | null | undefined): number =>
  bytes ? readSketch(bytes).count : 0;

onBoth('rollups', (place) => {
  it('gives back every field', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const rollup = aRollup({
      waiterMs: 12.5,
      ends: { released: 3, evicted: 1, 'lost-in-failover': 2, 'force-released': 4, unknown: 5 },
      handoffMsSum: 31,
      handoffCount: 2,
    });
    await store.writeRollups([rollup]);
    expect(await store.rollups({ from: 1_000_000, to: 1_010_000 })).toEqual([rollup]);
  });

  it('adds to a step that is there, in one call and over calls', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const first = aRollup({ holdSketch: sketchOf(5), waitSketches: { 'fair-queue': sketchOf(1) } });
    const second = aRollup({
      waiterMs: 40,
      ends: { released: 2, evicted: 1 },
      handoffMsSum: 9,
      handoffCount: 1,
      holdSketch: sketchOf(6, 7),
      waitSketches: { 'token-time': sketchOf(3) },
    });
    await store.writeRollups([first, second]);
    await store.writeRollups([first]);
    const [sum] = await store.rollups({ from: 1_000_000, to: 1_010_000 });
    expect(sum).toMatchObject({
      acquisitions: 3,
      heldMs: 1500,
      waiterMs: 40,
      ends: { released: 4, evicted: 1 },
      handoffMsSum: 9,
      handoffCount: 1,
    });
    expect(countIn(sum?.holdSketch)).toBe(4);
    expect(countIn(sum?.waitSketches['fair-queue'])).toBe(2);
    expect(countIn(sum?.waitSketches['token-time'])).toBe(1);
  });

  it('keeps unknown waiters unknown, and classes, formats and targets apart', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    await store.writeRollups([
      aRollup(),
      aRollup({ formatId: 'redlock' }),
      aRollup({ class: 'b' }),
      aRollup({ target: 'other' }),
      aRollup({ step: 1_010_000 }),
    ]);
    await store.writeRollups([aRollup()]);
    const all = { from: 1_000_000, to: 1_020_000 };
    expect(await store.rollups(all)).toHaveLength(5);
    expect(await store.rollups({ ...all, class: 'b' })).toEqual([aRollup({ class: 'b' })]);
    expect(await store.rollups({ ...all, target: 'other' })).toHaveLength(1);
    expect(await store.rollups({ ...all, target: 'nowhere' })).toEqual([]);
    expect((await store.rollups(all)).every(({ waiterMs }) => waiterMs === null)).toBe(true);
    expect(await store.rollups({ from: 1_010_000, to: 1_020_000 })).toHaveLength(1);
  });

  it('leaves sketches out when they are not wanted', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    await store.writeRollups([aRollup({ holdSketch: sketchOf(5) })]);
    const [slim] = await store.rollups({ from: 0, to: 2_000_000, sketches: false });
    expect(slim?.holdSketch).toBeNull();
  });
});
