import { describe, expect, it } from 'vitest';
import { heatCsv } from '@/components/heatmap/export/heat-csv';
import { compareHeat } from '@/components/heatmap/heat-compare';
import { cellValue, heatData, type CellGrid, type HeatData } from '@/components/heatmap/heat-data';
import { heatMessages } from '@/components/heatmap/heat-messages';
import type { Heatmap, HeatRow } from '@/lib/protocol/measures';

const DAY = 86_400_000;
const START = 1_000 * DAY;

function map(rows: Record<string, (number | null)[]>, more: Partial<Heatmap> = {}): HeatData {
  const values = Object.values(rows);
  const stepMs = more.stepMs ?? 10_000;
  return heatData({
    metric: 'hold-share',
    rows: Object.keys(rows).map((name): HeatRow => {
      const path = name.split('/');
      return {
        label: path.at(-1) ?? '',
        path,
        kind: path.at(-1) === 'others' ? 'others' : 'class',
      };
    }),
    columns: (values[0] ?? []).map((_, column) => START + column * stepMs),
    stepMs,
    values,
    unit: 'share',
    evidence: 'observed',
    gaps: [],
    rowsLeftOut: 0,
    ...more,
  });
}

const dayBefore = (data: HeatData): HeatData => ({
  ...data,
  columns: data.columns.map((at) => at - DAY),
});
const lines = (grid: CellGrid): (number | null)[][] =>
  Array.from({ length: grid.rows }, (_, r) =>
    Array.from({ length: grid.columns }, (_cell, c) => cellValue(grid, r, c)),
  );

describe('a comparison with an earlier time', () => {
  it('tells more from less, and nothing where either side is not known', () => {
    const now = map({ 'a/x': [3, 1, null, 2] });
    const { change, before } = compareHeat(now, dayBefore(map({ 'a/x': [1, 1, 1, null] })), DAY);
    expect(lines(change)).toEqual([[2, 0, null, null]]);
    expect(lines(before)).toEqual([[1, 1, 1, null]]);
  });

  it('shows what is there at one time only, within its namespace, as begun or gone', () => {
    const now = map({ 'a/x': [1, 1], 'b/y': [2, 2] });
    const { now: both, change } = compareHeat(
      now,
      dayBefore(map({ 'a/gone': [4, null], 'a/x': [1, null] })),
      DAY,
    );
    expect(both.rows.map(({ path }) => path.join('/'))).toEqual(['a/x', 'a/gone', 'b/y']);
    expect(lines(change)).toEqual([
      [0, null],
      [-4, null],
      [2, null],
    ]);
  });

  it('does not take for zero what may have been left out, or cannot be seen', () => {
    const cut = { rowsLeftOut: 3 };
    const now = map({ 'a/x': [1], 'b/y': [2] });
    const left = compareHeat(now, dayBefore(map({ 'a/x': [1] }, cut)), DAY);
    expect(lines(left.change)).toEqual([[0], [null]]);
    const waiting = { metric: 'waiters' } as const;
    const unseen = compareHeat(
      map({ 'a/x': [1], 'b/y': [2] }, waiting),
      dayBefore(map({ 'a/x': [1] }, waiting)),
      DAY,
    );
    expect(lines(unseen.change)).toEqual([[0], [null]]);
  });

  it('tells no change of rows that are added up', () => {
    const now = map({ 'a/x': [1], 'a/others': [5] });
    const { now: both, change } = compareHeat(
      now,
      dayBefore(map({ 'a/x': [2], 'a/others': [9] })),
      DAY,
    );
    expect(both.rows).toHaveLength(2);
    expect(lines(change)).toEqual([[-1], [null]]);
  });

  it('spreads an earlier time that is kept in longer steps, and counts only their share', () => {
    const coarse = { stepMs: 20_000 };
    const shares = compareHeat(map({ 'a/x': [1, 1] }), dayBefore(map({ 'a/x': [4] }, coarse)), DAY);
    expect(lines(shares.before)).toEqual([[4, 4]]);
    const lost = { metric: 'lost' } as const;
    const counts = compareHeat(
      map({ 'a/x': [1, 1] }, lost),
      dayBefore(map({ 'a/x': [4] }, { ...coarse, ...lost })),
      DAY,
    );
    expect(lines(counts.before)).toEqual([[2, 2]]);
  });
});

describe('the messages above the map', () => {
  const say = (data: HeatData, more: Partial<Parameters<typeof heatMessages>[0]> = {}) =>
    heatMessages({
      data,
      time: { from: START, to: START + 60_000 },
      top: 10,
      brightness: 0,
      comparison: null,
      ...more,
    });

  it('are none for a map that can be read as it is', () => {
    expect(say(map({ 'a/x': [10, 1] }))).toEqual([]);
  });

  it('warn of colours that are not to scale', () => {
    expect(say(map({ 'a/x': [0.01] }))).toEqual([{ kind: 'quiet', hottest: 0.01 }]);
    expect(say(map({ 'a/x': [10] }), { brightness: 1 })).toEqual([
      { kind: 'brightness', saturatesAt: 5 },
    ]);
  });

  it('add up the gaps in sight', () => {
    const gaps: HeatData['gaps'] = [
      { from: START - 5000, to: START + 5000, reason: 'buffer-cut' },
      { from: START + 50_000, to: null, reason: 'connection-lost' },
      { from: START - 9000, to: START - 1000, reason: 'buffer-cut' },
    ];
    expect(say(map({ 'a/x': [10] }, { gaps }))).toEqual([
      { kind: 'gaps', count: 2, totalMs: 15_000 },
    ]);
  });

  it('name rows of which nothing can be observed, and say when nothing is known at all', () => {
    const unseen = { 'a/1': [null], 'a/2': [null], 'a/3': [null], 'a/4': [null] };
    expect(say(map({ 'a/x': [10], ...unseen }))).toEqual([
      { kind: 'notObservable', count: 4, names: ['1', '2', '3'] },
    ]);
    expect(say(map({ 'a/x': [null] }))).toEqual([{ kind: 'nothingYet' }]);
  });

  it('say of libraries that leave no trace that they do, and not that nothing was watched', () => {
    const unseen = { metric: 'waiters', evidence: 'unknown' } as const;
    expect(say(map({ 'a/x': [null], 'a/y': [null] }, unseen))).toEqual([
      { kind: 'notObservable', count: 2, names: ['x', 'y'] },
    ]);
    expect(say(map({ 'a/x': [null] }, { ...unseen, metric: 'acquisitions' }))).toEqual([
      { kind: 'nothingYet' },
    ]);
  });

  it('tell whether colder rows are added up or left out', () => {
    expect(say(map({ 'a/x': [10] }, { rowsLeftOut: 7 }))).toEqual([
      { kind: 'rowsLeftOut', count: 7, areAdded: false },
    ]);
    expect(say(map({ 'a/x': [10], 'a/others': [1] }, { rowsLeftOut: 7 }))).toEqual([
      { kind: 'rowsLeftOut', count: 7, areAdded: true },
    ]);
  });

  it('say when there is nothing, or nothing as fine, to compare with', () => {
    const now = map({ 'a/x': [10] });
    const compare = (before: HeatData) =>
      say(now, { comparison: { earlier: 'yesterday', before } });
    expect(compare(map({ 'a/x': [null] }))).toEqual([
      { kind: 'nothingEarlier', earlier: 'yesterday' },
    ]);
    expect(compare(map({ 'a/x': [1] }, { stepMs: 60_000 }))).toEqual([
      { kind: 'coarseEarlier', stepMs: 60_000 },
    ]);
  });
});

describe('the map as a table of its own', () => {
  it('has exact figures, empty cells for what is not known, and names that no spreadsheet runs', () => {
    const data = map({ 'a/=x': [0.1 + 0.2, null] });
    expect(heatCsv(data).split('\r\n').slice(0, 2)).toEqual([
      `namespace,class,name,database,kind,rows added up,${new Date(START).toISOString()},${new Date(START + 10_000).toISOString()}`,
      `a,'=x,,,class,,0.30000000000000004,`,
    ]);
  });

  it('names what an added-up row is the rest of', () => {
    const rows: HeatRow[] = [
      { label: 'others', path: ['a', 'x:*', 'others'], kind: 'others', merged: 12 },
    ];
    expect(heatCsv({ ...map({ 'a/others': [1] }), rows }).split('\r\n')[1]).toBe(
      'a,x:*,,,others,12,1',
    );
  });
});
