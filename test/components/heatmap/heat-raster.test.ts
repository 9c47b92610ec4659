import { describe, expect, it } from 'vitest';
import {
  coarseFactor,
  coarsen,
  hottestValue,
  paintLevels,
  toLevels,
} from '@/components/heatmap/heat-raster';
import { UNKNOWN_LEVEL, ZERO_LEVEL } from '@/components/heatmap/heat-scale';
import { createMargins } from '@/components/heatmap/heat-sums';

describe('the raster', () => {
  it('turns values into one byte per cell, missing ones into unknown', () => {
    const grid = toLevels([[0, 10, null], [5]], 3, 10);
    expect(grid.rows).toBe(2);
    expect([...grid.levels.slice(0, 3)]).toEqual([ZERO_LEVEL, 255, UNKNOWN_LEVEL]);
    expect([...grid.levels.slice(4)]).toEqual([UNKNOWN_LEVEL, UNKNOWN_LEVEL]);
  });

  it('keeps a lone hot cell when cells are merged, and unknown only where nothing is known', () => {
    const values = Array.from({ length: 5 }, () =>
      Array.from({ length: 5 }, () => null as null | number),
    );
    const row = values[3];
    if (row) row[4] = 10;
    const merged = coarsen(toLevels(values, 5, 10), 2, 2);
    expect([merged.rows, merged.columns]).toEqual([3, 3]);
    expect([...merged.levels]).toEqual([0, 0, 0, 0, 0, 255, 0, 0, 0]);
  });

  it('merges by the smallest power of two that fits', () => {
    expect(coarseFactor(100, 200)).toBe(1);
    expect(coarseFactor(5000, 600)).toBe(16);
    expect(coarseFactor(10, 0)).toBe(16);
  });

  it('paints through the palette', () => {
    const palette = new Uint32Array(256);
    palette[255] = 7;
    const pixels = new Uint32Array(2);
    paintLevels(toLevels([[10, null]], 2, 10), palette, pixels);
    expect([...pixels]).toEqual([7, 0]);
  });

  it('finds the hottest value among unknown ones', () => {
    expect(hottestValue([[null, 3], [null]])).toBe(3);
    expect(hottestValue([[null]])).toBe(0);
  });
});

describe('the margins', () => {
  const values = [
    [1, 2, null],
    [10, null, null],
  ];

  it('sum what is visible and stay unknown where nothing is known', () => {
    const margins = createMargins(values, 3, 'sum');
    expect(margins.visible({ rowFrom: 0, rowTo: 2, columnFrom: 0, columnTo: 3 })).toEqual({
      byColumn: [11, 2, null],
      byRow: [3, 10],
    });
    expect(margins.visible({ rowFrom: 1, rowTo: 2, columnFrom: 1, columnTo: 3 })).toEqual({
      byColumn: [null, null],
      byRow: [null],
    });
  });

  it('average a figure that cannot be added up', () => {
    const margins = createMargins(values, 3, 'mean');
    expect(margins.visible({ rowFrom: 0, rowTo: 2, columnFrom: 0, columnTo: 2 }).byColumn).toEqual([
      5.5, 2,
    ]);
  });
});
