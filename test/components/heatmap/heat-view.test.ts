import { describe, expect, it } from 'vitest';
import { sampleHeatmap } from '@/components/gallery/heat';
import { cellFacts, moveCell, rowFacts } from '@/components/heatmap/heat-cell';
import { figure, metricFigure } from '@/components/heatmap/heat-format';
import { knownFrom } from '@/components/heatmap/heat-layout';
import { rowHref } from '@/components/heatmap/heat-links';
import { heatQuery, readHeatView } from '@/components/heatmap/heat-params';

const view = (text: string) => {
  const params = new URLSearchParams(text);
  return readHeatView((name) => params.get(name));
};

describe('the address of a heatmap', () => {
  it('has sensible defaults and ignores what makes no sense', () => {
    expect(view('metric=heat&group=x&range=1y&from=9&to=3&rows=7&brightness=99')).toEqual({
      metric: 'hold-share',
      group: 'class',
      range: '30m',
      fixed: null,
      rows: 200,
      brightness: 6,
    });
  });

  it('follows the present by a start that moves in steps', () => {
    const query = heatQuery(view('range=3h'), 1e12);
    expect(1e12 - (query.from ?? 0)).toBeGreaterThanOrEqual(3 * 3_600_000);
    expect(query).not.toHaveProperty('to');
    expect(heatQuery(view('range=3h'), 1e12 + 1000)).toEqual(query);
    expect(heatQuery(view(''), 1e12)).not.toHaveProperty('from');
  });

  it('stands still between two fixed times', () => {
    expect(heatQuery(view('from=1000&to=2000&metric=lost'), 1e12)).toMatchObject({
      metric: 'lost',
      from: 1000,
      to: 2000,
    });
  });

  it('leads from a row to its locks, whatever characters are in its name', () => {
    const row = { label: 'a&b=<c>', path: [] };
    expect(rowHref('class', row)).toBe('/locks?class=a%26b%3D%3Cc%3E');
    expect(rowHref('owner', row)).toContain('owner=');
    expect(rowHref('lock', row)).toContain('q=');
  });
});

describe('a cell of the heatmap', () => {
  const data = sampleHeatmap({ now: 1e12, gaps: true, unwatched: 20 });
  const known = knownFrom(data.values, data.columns);

  it('says why it is unknown: not watched, or in a gap', () => {
    expect(cellFacts(data, { row: 0, column: 3 }, known)).toMatchObject({
      value: null,
      why: { kind: 'notWatched' },
    });
    const gapColumn = data.columns.findIndex((at) => at === data.gaps[0]?.from);
    expect(cellFacts(data, { row: 0, column: gapColumn }, known)?.why).toEqual({
      kind: 'gap',
      reason: 'buffer-cut',
    });
  });

  it('says that a library leaves no trace of its waiters', () => {
    const waiters = sampleHeatmap({ now: 1e12, metric: 'waiters' });
    expect(cellFacts(waiters, { row: 1, column: 5 }, null)?.why).toEqual({ kind: 'waiters' });
  });

  it('has no facts outside the data', () => {
    expect(cellFacts(data, { row: 99, column: 0 }, known)).toBeNull();
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
  it('averages what is known and stays unknown where nothing is', () => {
    const data = sampleHeatmap({ now: 1e12, rows: 2, columns: 4 });
    data.values = [
      [null, 2, 4, null],
      [null, null, null, null],
    ];
    const [first, second] = rowFacts(data, 10);
    expect(first).toMatchObject({
      average: 3,
      highest: 4,
      highestAt: data.columns[2],
      latest: null,
    });
    expect(second).toMatchObject({ average: null, highest: null });
  });
});

describe('figures', () => {
  it('keep three digits at most, and shares below one are percentages', () => {
    expect([0, 0.0421, 1.55, 320.4, 12_400, 2_500_000].map(figure)).toEqual([
      '0',
      '0.042',
      '1.6',
      '320',
      '12.4k',
      '2.5M',
    ]);
    expect(metricFigure('hold-share', 0.424)).toBe('42.4%');
    expect(metricFigure('hold-share', 2)).toBe('200%');
    expect(metricFigure('hold-share', 0)).toBe('0%');
    expect(metricFigure('acquisitions', 0.5)).toBe('0.5');
  });
});
