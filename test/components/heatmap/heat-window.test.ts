import { describe, expect, it } from 'vitest';
import {
  cellAt,
  gapSpans,
  LABEL_ROW_PX,
  layOut,
  timeTicks,
} from '@/components/heatmap/heat-layout';
import { besideCell } from '@/components/heatmap/heat-place';
import {
  closeTo,
  isOutside,
  panWindow,
  selectWindow,
  windowAround,
  zoomWindow,
} from '@/components/heatmap/heat-window';

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
  const room = { width: 1200, maxHeight: 700, depth: 2 };

  it('keeps few rows low and fits many into the height', () => {
    expect(layOut({ ...room, rows: 2 }).plot.height).toBe(56);
    expect(layOut({ ...room, maxHeight: 400, rows: 52 }).rowHeight).toBe(LABEL_ROW_PX);
    const many = layOut({ ...room, rows: 5000 });
    expect(many.height).toBe(700);
    expect(many.rowHeight).toBeLessThan(1);
  });

  it('has a column of labels for each level, narrow ones and no bars on a phone', () => {
    expect(layOut({ ...room, rows: 10, depth: 3 }).labelWidths).toHaveLength(3);
    const phone = layOut({ width: 360, maxHeight: 600, rows: 10, depth: 3 });
    expect(phone).toMatchObject({ marginWidth: 0, isNarrow: true });
    expect(phone.plot.left).toBeLessThan(360 / 2);
    expect(phone.labelWidths.reduce((sum, each) => sum + each, 0)).toBe(phone.plot.left);
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
});

describe('moving the window', () => {
  const window = { from: 20, to: 40, rowFrom: 10, rowTo: 20 };
  const most = { from: 0, to: 100, rowFrom: 0, rowTo: 40 };

  it('pans by shares of itself, as far as there is something', () => {
    expect(panWindow(window, { time: 0.5, rows: -0.5 }, most)).toEqual({
      from: 30,
      to: 50,
      rowFrom: 5,
      rowTo: 15,
    });
    expect(panWindow(window, { time: 9, rows: -9 }, most)).toEqual({
      from: 80,
      to: 100,
      rowFrom: 0,
      rowTo: 10,
    });
  });

  it('follows the cursor no further than needed', () => {
    const cell = { from: 45, to: 50, row: 5 };
    expect(isOutside(cell, window)).toBe(true);
    const moved = windowAround(window, cell);
    expect(moved).toEqual({ from: 30, to: 50, rowFrom: 5, rowTo: 15 });
    expect(isOutside(cell, moved)).toBe(false);
  });

  it('looks closer at a cell among many, and keeps all of few rows', () => {
    const cell = { from: 100 * MINUTE, to: 101 * MINUTE, row: 4990 };
    expect(closeTo(cell, { stepMs: MINUTE, rows: 5000 })).toEqual({
      time: { from: 97.5 * MINUTE, to: 103.5 * MINUTE },
      rows: { from: 4976, to: 5000 },
    });
    expect(closeTo(cell, { stepMs: 1000, rows: 20 })).toEqual({
      time: { from: 100 * MINUTE, to: 101 * MINUTE },
      rows: null,
    });
  });
});

describe('a box beside a cell', () => {
  const frame = layOut({ width: 1000, maxHeight: 600, rows: 100, depth: 2 });
  const window = { from: 0, to: 100, rowFrom: 0, rowTo: 100 };
  const grid = { columns: Array.from({ length: 10 }, (_, i) => i * 10), stepMs: 10 };
  const place = (row: number, column: number, height = 100) =>
    besideCell({ row, column }, grid, { window, frame, size: { width: 260, height } });

  it('stands right of the cell, left of it near the edge, and within the frame', () => {
    const cellRight = frame.plot.left + frame.plot.width / 10;
    expect(place(0, 0)?.left).toBeCloseTo(cellRight + 8, 6);
    expect(place(0, 9)?.left).toBeLessThan(frame.plot.left + frame.plot.width * 0.9);
    const low = place(99, 0, 200);
    expect((low?.top ?? 0) + 200).toBeLessThanOrEqual(frame.height);
  });

  it('is not drawn for a cell out of sight', () => {
    const zoomed = { from: 50, to: 60, rowFrom: 0, rowTo: 10 };
    const size = { width: 260, height: 100 };
    expect(besideCell({ row: 0, column: 1 }, grid, { window: zoomed, frame, size })).toBeNull();
    expect(besideCell({ row: 50, column: 5 }, grid, { window: zoomed, frame, size })).toBeNull();
  });
});
