import { describe, expect, it } from 'vitest';
import { heatOf, rowOf, type HeatLine } from '@/server/queries/heat-lines';
import { foldClasses, foldLocks, type ShownLines } from '@/server/queries/heat-rows';

const UNKNOWN = Number.NaN;

function line(namespace: string, lockClass: string, sums: number[], key?: string): HeatLine {
  const values = Float64Array.from(sums);
  return {
    ...{ namespace, class: lockClass, owner: null, isOthers: false, merged: null },
    lock: key === undefined ? null : { db: 0, key },
    ...{ sums: values, heat: heatOf(values), isPartial: false },
  };
}

const shape = ({ lines }: ShownLines) =>
  lines.map((one) => [rowOf(one).path.join(' › '), ...one.sums] as const);

/** The columns of all lines added up. */
const totals = (lines: readonly HeatLine[]): number[] =>
  lines.reduce<number[]>(
    (sums, one) => [...one.sums].map((value, i) => (sums[i] ?? 0) + (value || 0)),
    [],
  );

describe('classes that are more than the rows', () => {
  const classes = [
    line('pay', 'card', [9, 9]),
    line('pay', 'bank', [1, 0]),
    line('pay', 'cash', [0, 2]),
    line('ship', 'box', [8, 8]),
    line('ship', 'van', [0, 1]),
    line('ship', 'air', [3, UNKNOWN]),
  ];

  it('keep their rows while there is room', async () => {
    const shown = await foldClasses(classes, 6);
    expect(shape(shown).map(([path]) => path)).toEqual([
      ...['pay › bank', 'pay › card', 'pay › cash', 'ship › air', 'ship › box', 'ship › van'],
    ]);
    expect(shown.leftOut).toBe(0);
  });

  it('are merged from the coldest, each with those of its own namespace and below them', async () => {
    const shown = await foldClasses(classes, 4);
    expect(shape(shown)).toEqual([
      ['pay › card', 9, 9],
      ['pay › others', 1, 2],
      ['ship › box', 8, 8],
      ['ship › others', 3, 1],
    ]);
    expect(shown.leftOut).toBe(4);
    expect(shown.lines.map(({ merged }) => merged)).toEqual([null, 2, null, 2]);
    expect(totals(shown.lines)).toEqual(totals(classes));
  });

  it('are not merged where one alone would be', async () => {
    const shown = await foldClasses(classes, 5);
    expect(shape(shown).map(([path]) => path)).toEqual([
      ...['pay › card', 'pay › others', 'ship › air', 'ship › box', 'ship › van'],
    ]);
    expect(shown.leftOut).toBe(2);
  });

  it('give at least half of the rows to the hot ones, however many namespaces there are', async () => {
    const many = Array.from({ length: 20 }, (_, i) => [
      line(`n${i}`, 'a', [i, 0]),
      line(`n${i}`, 'b', [0, i]),
    ]).flat();
    const shown = await foldClasses(many, 6);
    expect(shown.lines).toHaveLength(6);
    expect(shown.lines.filter(({ isOthers }) => !isOthers).length).toBeGreaterThanOrEqual(3);
    expect((await foldClasses(many, 1)).lines).toHaveLength(1);
    expect((await foldClasses(many, 1)).leftOut).toBe(39);
  });

  it('say that a sum may be too small when not all of them tell', async () => {
    const shown = await foldClasses(
      [line('a', 'x', [9]), line('a', 'y', [1]), line('a', 'z', [UNKNOWN])],
      2,
    );
    expect(shape(shown)[1]).toEqual(['a › others', 1]);
    expect(shown.lines[1]?.isPartial).toBe(true);
    const blind = [line('a', 'x', [9]), line('a', 'y', [UNKNOWN]), line('a', 'z', [UNKNOWN])];
    expect((await foldClasses(blind, 2)).lines[1]).toMatchObject({ isPartial: false });
    expect((await foldClasses(blind, 2)).lines[1]?.sums).toEqual(Float64Array.of(UNKNOWN));
  });
});

describe('locks', () => {
  const classes = [line('pay', 'card:*', [10, 10]), line('ship', 'box:*', [5, 0])];
  const locks = [
    line('pay', 'card:*', [6, 0], 'card:1'),
    line('pay', 'card:*', [0, 7], 'card:2'),
    line('pay', 'card:*', [1, 1], 'card:3'),
    line('ship', 'box:*', [5, 0], 'box:1'),
  ];

  it('are followed by what is left of their class', async () => {
    const shown = await foldLocks(locks, classes, 5);
    expect(shape(shown)).toEqual([
      ['pay › card:* › card:1', 6, 0],
      ['pay › card:* › card:2', 0, 7],
      ['pay › card:* › card:3', 1, 1],
      ['pay › card:* › others', 3, 2],
      ['ship › box:* › box:1', 5, 0],
    ]);
    expect(shown.leftOut).toBe(0);
  });

  it('sum to the classes where each namespace has a row for what is left of it', async () => {
    for (const limit of [4, 5, 6, 7]) {
      const shown = await foldLocks(locks, classes, limit);
      expect(shown.lines.length).toBeLessThanOrEqual(limit);
      expect(totals(shown.lines)).toEqual([15, 10]);
    }
  });

  it('give the coldest rows to what is left when there are too many', async () => {
    const shown = await foldLocks(locks, classes, 4);
    expect(shape(shown)).toEqual([
      ['pay › card:* › card:1', 6, 0],
      ['pay › card:* › card:2', 0, 7],
      ['pay › card:* › others', 4, 3],
      ['ship › box:* › others', 5, 0],
    ]);
    expect(shown.leftOut).toBe(2);
  });

  it('leave one row for each namespace when the classes are too many as well', async () => {
    const many = Array.from({ length: 30 }, (_, i) => line(i < 20 ? 'a' : 'b', `c${i}:*`, [i + 1]));
    const hot = [line('a', 'c5:*', [3], 'c5:1'), line('a', 'c6:*', [4], 'c6:1')];
    const shown = await foldLocks(hot, many, 8);
    expect(shown.lines.length).toBeLessThanOrEqual(8);
    const paths = shape(shown).map(([path]) => path);
    expect(paths).toEqual(expect.arrayContaining(['a › c5:* › c5:1', 'a › c6:* › c6:1']));
    expect(paths).toEqual(expect.arrayContaining(['a › others', 'b › others']));
    expect(totals(shown.lines)).toEqual([465]);
  });

  it('leave nothing, and nothing below zero, of a class that they are the whole of', async () => {
    const shown = await foldLocks(
      [line('a', 'x', [0.1, 5], 'k1'), line('a', 'x', [0.2, 0], 'k2')],
      [line('a', 'x', [0.1 + 0.2, 4])],
      10,
    );
    expect(shape(shown).map(([path]) => path)).toEqual(['a › x › k1', 'a › x › k2']);
  });

  it('show a class that does not tell as unknown, once', async () => {
    const shown = await foldLocks(
      [line('a', 'x', [UNKNOWN], 'k1')],
      [line('a', 'x', [UNKNOWN]), line('a', 'y', [UNKNOWN])],
      10,
    );
    expect(shape(shown)).toEqual([
      ['a › x › k1', UNKNOWN],
      ['a › y › others', UNKNOWN],
    ]);
  });
});

describe('a row', () => {
  it('is named by its place, with its bytes where it is a lock', () => {
    expect(rowOf(line('pay', 'card:*', [1]))).toEqual({
      ...{ label: 'card:*', path: ['pay', 'card:*'], kind: 'class' },
    });
    expect(rowOf(line('pay', 'card:*', [1], 'card:\xff'))).toEqual({
      ...{ label: 'card:\\xff', path: ['pay', 'card:*', 'card:\\xff'], kind: 'lock' },
      lock: { db: 0, key: 'card:\\xff', keyB64: 'Y2FyZDr_' },
    });
    const others = { ...line('pay', 'card:*', [1]), isOthers: true };
    expect(rowOf(others)).toEqual({
      ...{ label: 'others', path: ['pay', 'card:*', 'others'], kind: 'others' },
    });
    expect(rowOf({ ...others, class: null, merged: 3 })).toEqual({
      ...{ label: 'others', path: ['pay', 'others'], kind: 'others', merged: 3 },
    });
  });
});
