import { describe, expect, it } from 'vitest';
import { sampleHeatmap } from '@/components/gallery/heat';
import { cellFacts, moveCell, rowFacts } from '@/components/heatmap/heat-cell';
import { gridOfValues, heatData, knownFrom } from '@/components/heatmap/heat-data';
import { rowHref, waitsHref } from '@/components/heatmap/heat-links';
import {
  RANGES,
  earlierQuery,
  heatQuery,
  readHeatView,
  writeRowSpan,
} from '@/components/heatmap/heat-params';
import { exactAddress } from '@/components/heatmap/use-heat-address';
import { createHeatPacker } from '@/lib/protocol/heat-cells';
import type { HeatRow } from '@/lib/protocol/measures';

const view = (text: string) => {
  const params = new URLSearchParams(text);
  return readHeatView((name) => params.get(name));
};

describe('the address of a heatmap', () => {
  it('has sensible defaults and ignores what makes no sense', () => {
    const nonsense =
      'metric=heat&group=x&range=1y&from=9&to=3&rows=7&brightness=99&ramp=grey&vs=never&rowSpan=9-2&at=-1';
    expect(view(nonsense)).toEqual({
      metric: 'hold-share',
      group: 'class',
      range: '30m',
      fixed: null,
      rowSpan: null,
      at: null,
      rows: 200,
      namespace: null,
      class: null,
      brightness: 6,
      ramp: 'viridis',
      earlier: null,
    });
  });

  it('follows the present by a start that moves in steps', () => {
    for (const range of ['3h', '6h', '24h', '7d', '30d', '90d'] as const) {
      const query = heatQuery(view(`range=${range}`), 1e12);
      const shownMs = 1e12 - (query.from ?? 0);
      expect(shownMs).toBeLessThanOrEqual(RANGES[range]);
      expect(shownMs).toBeGreaterThan(RANGES[range] * 0.97);
      expect(query).not.toHaveProperty('to');
      expect(heatQuery(view(`range=${range}`), 1e12 + 1000)).toEqual(query);
    }
    expect(heatQuery(view(''), 1e12)).not.toHaveProperty('from');
  });

  it('stands still between two fixed times', () => {
    expect(heatQuery(view('from=1000&to=2000&metric=lost'), 1e12)).toMatchObject({
      metric: 'lost',
      from: 1000,
      to: 2000,
    });
  });

  it('ends at the moment of the past that the page is about', () => {
    const { fixed, at } = view('at=90000000000&range=3h');
    expect(at).toBe(90_000_000_000);
    expect(fixed).toEqual({ from: 90_000_000_000 - RANGES['3h'], to: 90_000_000_000 });
  });

  it('asks for a part, and for packed figures where there are many', () => {
    const query = heatQuery(view('namespace=stock&class=sku:*&rows=5000'), 1e12);
    expect(query).toMatchObject({ namespace: 'stock', class: 'sku:*', rows: 5000, packed: true });
    expect(heatQuery(view(''), 1e12)).not.toHaveProperty('packed');
    const earlier = earlierQuery(query, { from: 5000, to: 9000 }, 1000);
    expect(earlier).toMatchObject({ class: 'sku:*', from: 4000, to: 8000 });
  });

  it('leads back to exactly what was seen', () => {
    const seen = view(
      'metric=wait&group=lock&namespace=&class=a%26b&rowSpan=2.5-40&vs=yesterday&ramp=inferno&brightness=-1.5&rows=1000',
    );
    const address = exactAddress(seen, { from: 1000, to: 2000 });
    expect(view(address.slice(address.indexOf('?')))).toEqual({
      ...seen,
      fixed: { from: 1000, to: 2000 },
    });
    expect(writeRowSpan({ from: 1 / 3, to: 40 })).toBe('0.333-40');
  });

  it('tells the locks of no namespace from those of all', () => {
    const none = view('namespace=~');
    expect(heatQuery(none, 1e12)).toMatchObject({ namespace: '' });
    expect(exactAddress(none, { from: 1000, to: 2000 })).toContain('namespace=%7E');
    expect(heatQuery(view(''), 1e12)).not.toHaveProperty('namespace');
  });
});

describe('the links of a row', () => {
  const row: HeatRow = { label: 'a&b=<c>', path: ['x', 'a&b=<c>'], kind: 'class' };
  const rest: HeatRow = { label: 'others', path: ['x', 'x:*', 'others'], kind: 'others' };

  it('lead to its locks, whatever characters are in its name', () => {
    expect(rowHref('class', row)).toBe('/locks?class=a%26b%3D%3Cc%3E');
    expect(rowHref('owner', row)).toContain('owner=');
    expect(rowHref('lock', row)).toContain('q=');
  });

  it('lead from what is added up to what it is the rest of', () => {
    expect(rowHref('lock', rest)).toBe('/locks?class=x%3A*');
    expect(rowHref('class', { ...rest, path: ['x', 'others'] })).toBe('/locks?namespace=x');
  });

  it('lead to the waits of its class in the same time, where it is of one class', () => {
    expect(waitsHref(rest, { from: 1, to: 2 })).toBe('/waits?namespace=x&class=x%3A*&from=1&to=2');
    expect(waitsHref({ ...rest, path: ['x', 'others'] }, { from: 1, to: 2 })).toBeNull();
  });
});

describe('the figures of an answer', () => {
  it('are the same packed and not, as far as a figure is shown', () => {
    const answer = sampleHeatmap({ now: 1e12, rows: 30, group: 'lock', others: true, gaps: true });
    const plain = heatData(answer);
    const { rows, columns, cells } = plain.grid;
    const pack = createHeatPacker({ cells: Float64Array.from(cells), rows, columns });
    const packed = heatData({
      ...answer,
      values: [],
      cells: answer.columns.map((_, column) => pack(column)),
    });
    expect([plain.isExact, packed.isExact]).toEqual([true, false]);
    for (let i = 0; i < cells.length; i++) {
      const [exact, read] = [cells[i] ?? 0, packed.grid.cells[i] ?? 0];
      if (Number.isNaN(exact)) expect(read).toBeNaN();
      else expect(Math.abs(read - exact)).toBeLessThanOrEqual(exact * 0.0005);
    }
  });

  it('tell since when anything is known', () => {
    const since = (values: (number | null)[][], columns: number[]) =>
      knownFrom({ grid: gridOfValues(values, columns.length), columns });
    expect(since([[null, null, 3]], [0, 10, 20])).toBe(20);
    expect(since([[null, 1], [2]], [0, 10])).toBeNull();
    expect(since([[null, null]], [0, 10])).toBeNull();
  });
});

describe('a cell of the heatmap', () => {
  const data = heatData(sampleHeatmap({ now: 1e12, gaps: true, unwatched: 20 }));
  const source = { data, known: knownFrom(data), before: null };

  it('says why it is unknown: not watched, or in a gap', () => {
    expect(cellFacts(source, { row: 0, column: 3 })).toMatchObject({
      value: null,
      why: { kind: 'notWatched' },
    });
    const gapColumn = data.columns.findIndex((at) => at === data.gaps[0]?.from);
    expect(cellFacts(source, { row: 0, column: gapColumn })?.why).toEqual({
      kind: 'gap',
      reason: 'buffer-cut',
    });
  });

  it('says that a library leaves no trace of its waiters, and that percentiles do not add up', () => {
    const waiters = heatData(sampleHeatmap({ now: 1e12, metric: 'waiters' }));
    const why = (of: typeof data, row: number) =>
      cellFacts({ data: of, known: null, before: null }, { row, column: 5 })?.why;
    expect(why(waiters, 1)).toEqual({ kind: 'waiters' });
    const waits = heatData(
      sampleHeatmap({ now: 1e12, metric: 'wait', group: 'lock', others: true }),
    );
    expect(
      why(
        waits,
        waits.rows.findIndex((row) => row.kind === 'others'),
      ),
    ).toEqual({
      kind: 'others',
    });
  });

  it('tells the earlier figure where there is a comparison', () => {
    const before = gridOfValues([[7]], 1);
    expect(cellFacts({ ...source, before }, { row: 0, column: 0 })?.earlier).toBe(7);
    expect(cellFacts({ ...source, before }, { row: 0, column: 1 })?.earlier).toBeNull();
    expect(cellFacts(source, { row: 0, column: 0 })).not.toHaveProperty('earlier');
  });

  it('has no facts outside the data', () => {
    expect(cellFacts(source, { row: 99, column: 0 })).toBeNull();
  });

  it('is walked to by arrow keys without leaving the data', () => {
    const size = { rows: 3, columns: 5 };
    expect(moveCell({ row: 0, column: 4 }, 'ArrowRight', size)).toEqual({ row: 0, column: 4 });
    expect(moveCell({ row: 0, column: 4 }, 'Home', size)).toEqual({ row: 0, column: 0 });
    expect(moveCell({ row: 0, column: 4 }, 'PageDown', size)).toEqual({ row: 2, column: 4 });
    expect(moveCell({ row: 0, column: 0 }, 'x', size)).toBeNull();
  });
});

describe('the table beside the heatmap', () => {
  const data = heatData({
    ...sampleHeatmap({ now: 1e12, rows: 2, columns: 4 }),
    values: [
      [null, 2, 4, null],
      [null, null, null, null],
    ],
  });

  it('averages what is known and stays unknown where nothing is', () => {
    const [first, second] = rowFacts(data, 0, 10);
    expect(first).toMatchObject({
      average: 3,
      highest: 4,
      highestAt: data.columns[2],
      latest: null,
    });
    expect(second).toMatchObject({ average: null, highest: null });
  });

  it('is read a page at a time', () => {
    expect(rowFacts(data, 1, 10).map(({ row }) => row)).toEqual([1]);
    expect(rowFacts(data, 2, 10)).toEqual([]);
  });
});
