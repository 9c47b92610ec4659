import { expect, it } from 'vitest';
import type { WaitRow, WaitsQuery } from '@/server/store/history-contract';
import type { HoldRow } from '@/server/store/store-contract';
import { aHold, aLeftWait } from './samples';
import { onBoth } from './store-under-test';

const query = (over: Partial<WaitsQuery> = {}): WaitsQuery => ({
  target: 'main',
  from: 0,
  to: 10_000_000,
  order: 'longest',
  limit: 10,
  ...over,
});

const waited = (ms: number): HoldRow['waited'] => ({
  ms,
  source: 'fair-queue',
  evidence: 'observed',
});

const ends = (rows: readonly WaitRow[]) => rows.map(({ start, end }) => [end, end - start]);

onBoth('waits one by one', (place) => {
  it('are told by the holds that they ended with, and of those that left', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    await store.writeHolds([
      aHold({ waited: { ms: 300, source: 'report', evidence: 'inferred' } }),
      aHold({ key: 'at once', waited: waited(0.5) }),
      aHold({ key: 'not told' }),
      aHold({ key: 'x', target: 'other', waited: waited(9) }),
    ]);
    const left = aLeftWait();
    await store.writeLeftWaits([left, aLeftWait({ start: 1, end: 1 })]);
    await store.writeLeftWaits([left, aLeftWait({ owner: null, end: 1_000_900 })]);
    expect(await store.waits(query())).toEqual([
      aLeftWait({ owner: null, end: 1_000_900 }),
      left,
      {
        ...aLeftWait({ start: 999_700, end: 1_000_000, source: 'report', evidence: 'inferred' }),
        owner: 'aaaa:1',
        outcome: 'granted',
      },
    ]);
  });

  it('come longest first or newest first, as many as asked for', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    const lengths = [3, 70_000, 2, 900, 1100, 1025, 5, 60_000, 1, 8];
    await store.writeHolds(
      lengths.map((ms, i) =>
        aHold({ key: `k${i}`, waited: waited(ms), past: { start: 1_000_000 + i, end: 1_100_000 } }),
      ),
    );
    await store.writeLeftWaits([aLeftWait({ start: 940_006, end: 1_000_006 })]);
    expect(ends(await store.waits(query({ limit: 4 })))).toEqual([
      [1_000_001, 70_000],
      [1_000_007, 60_000],
      [1_000_006, 60_000],
      [1_000_004, 1100],
    ]);
    expect(ends(await store.waits(query({ order: 'newest', limit: 3 })))).toEqual([
      [1_000_009, 8],
      [1_000_008, 1],
      [1_000_007, 60_000],
    ]);
    const within = query({ from: 1_000_003, to: 1_000_006 });
    expect(ends(await store.waits(within)).map(([, ms]) => ms)).toEqual([1100, 1025, 900]);
  });

  it('are those who waited at a moment', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    await store.writeHolds([
      aHold({ key: 'a', waited: waited(1000) }),
      aHold({ key: 'b', waited: waited(100), past: { start: 999_600, end: 999_700 } }),
    ]);
    await store.writeLeftWaits([aLeftWait({ key: 'c', start: 999_000, end: 1_500_000 })]);
    const keysAt = async (at: number) =>
      (await store.waits(query({ at }))).map(({ key }) => key).toSorted();
    expect(await keysAt(998_999)).toEqual([]);
    expect(await keysAt(999_000)).toEqual(['a', 'c']);
    expect(await keysAt(999_500)).toEqual(['a', 'b', 'c']);
    expect(await keysAt(999_600)).toEqual(['a', 'c']);
    expect(await keysAt(1_000_000)).toEqual(['c']);
    expect(await keysAt(1_500_000)).toEqual([]);
  });

  it('are of one lock, class or namespace', async () => {
    const store = (await place.fresh()).open();
    await store.start();
    await store.writeHolds([
      aHold({ key: 'a', waited: waited(10) }),
      aHold({ key: 'a', db: 1, waited: waited(20) }),
      aHold({ key: 'b', class: 'b', namespace: 'n', waited: waited(30) }),
    ]);
    await store.writeLeftWaits([aLeftWait({ key: 'a', class: 'b' })]);
    const lengths = async (over: Partial<WaitsQuery>) =>
      ends(await store.waits(query(over))).map(([, ms]) => ms);
    expect(await lengths({ lock: { db: 0, key: 'a' } })).toEqual([400, 10]);
    expect(await lengths({ class: 'b' })).toEqual([400, 30]);
    expect(await lengths({ class: 'b', namespace: 'n' })).toEqual([30]);
    expect(await lengths({ namespace: 'none' })).toEqual([]);
  });
});
