import { describe, expect, it } from 'vitest';
import {
  cellAt,
  gapSpans,
  knownFrom,
  LABEL_ROW_PX,
  layOut,
  rowBlocks,
  timeTicks,
} from '@/components/heatmap/heat-layout';
import { selectWindow, zoomWindow } from '@/components/heatmap/heat-window';

const MINUTE = 60_000;
const bounds = { from: 0, to: 100 * MINUTE, rowFrom: 0, rowTo: 40 };
const both = { time: true, rows: true };

describe('the visible window', () => {
  it('zooms towards the pointer', () => {
    const zoomed = zoomWindow(bounds, { x: 0.25, y: 0.5, factor: 0.5, axes: both }, bounds);
    expect(zoomed).toEqual({ from: 12.5 * MINUTE, to: 62.5 * MINUTE, rowFrom: 10, rowTo: 30 });
  });

  it('never leaves the bounds and never comes closer than a minute and four rows', () => {
    expect(zoomWindow(bounds, { x: 0.1, y: 0.1, factor: 4, axes: both }, bounds)).toEqual(bounds);
    const close = zoomWindow(bounds, { x: 0.5, y: 0.5, factor: 1e-6, axes: both }, bounds);
    expect(close.to - close.from).toBeCloseTo(MINUTE, 3);
    expect(close.rowTo - close.rowFrom).toBeCloseTo(4, 6);
  });

  it('selects what was dragged over in any direction', () => {
    const corners = { x1: 0.5, y1: 0.9, x2: 0.2, y2: 0.1 };
    expect(selectWindow(bounds, corners, false)).toEqual({
      ...bounds,
      from: 20 * MINUTE,
      to: 50 * MINUTE,
    });
    expect(selectWindow(bounds, corners, true)).toMatchObject({ rowFrom: 4, rowTo: 36 });
  });
});

describe('the layout', () => {
  it('keeps few rows low and fits many into the height', () => {
    expect(layOut(1200, 700, 2).plot.height).toBe(56);
    expect(layOut(1200, 400, 52).rowHeight).toBe(LABEL_ROW_PX);
    const many = layOut(1200, 700, 5000);
    expect(many.height).toBe(700);
    expect(many.rowHeight).toBeLessThan(1);
  });

  it('gives up namespaces and bars on a phone', () => {
    expect(layOut(360, 600, 10)).toMatchObject({ blockWidth: 0, marginWidth: 0 });
  });

  it('merges neighbours of one namespace into a block', () => {
    const rows = ['orders', 'orders', 'stock'].map((name) => ({ label: name, path: [name, 'x'] }));
    expect(rowBlocks(rows)).toEqual([
      { label: 'orders', from: 0, to: 2 },
      { label: 'stock', from: 2, to: 3 },
    ]);
  });

  it('places ticks at round local times', () => {
    const window = { ...bounds, from: 3 * MINUTE, to: 33 * MINUTE };
    expect(timeTicks(window, 600, 0)).toEqual([5, 10, 15, 20, 25, 30].map((m) => m * MINUTE));
    const halfHour = 30 * MINUTE;
    const ticks = timeTicks({ ...bounds, to: 240 * MINUTE }, 400, halfHour);
    expect(ticks.every((at) => (at + halfHour) % (60 * MINUTE) === 0)).toBe(true);
  });

  it('cuts gaps to the window and runs an open one to its end', () => {
    const window = { ...bounds, from: 10, to: 100 };
    const gaps = [
      { from: 0, to: 20, reason: 'buffer-cut' as const },
      { from: 90, to: null, reason: 'connection-lost' as const },
      { from: 0, to: 5, reason: 'canary-lost' as const },
    ];
    expect(gapSpans(gaps, window).map(({ from, to }) => [from, to])).toEqual([
      [10, 20],
      [90, 100],
    ]);
  });

  it('finds the cell under a point, and none outside the data', () => {
    const grid = { rows: 40, columns: [0, 10 * MINUTE, 20 * MINUTE], stepMs: 10 * MINUTE };
    expect(cellAt({ x: 0.15, y: 0.5 }, bounds, grid)).toEqual({ row: 20, column: 1 });
    expect(cellAt({ x: 0.5, y: 0.5 }, bounds, grid)).toBeNull();
    expect(cellAt({ x: -0.1, y: 0.5 }, bounds, grid)).toBeNull();
  });

  it('knows since when anything is known', () => {
    expect(knownFrom([[null, null, 3]], [0, 10, 20])).toBe(20);
    expect(knownFrom([[null, 1], [2]], [0, 10])).toBeNull();
    expect(knownFrom([[null, null]], [0, 10])).toBeNull();
  });
});
