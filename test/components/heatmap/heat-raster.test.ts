import { describe, expect, it } from 'vitest';
import { gridOfValues, hottestValue } from '@/components/heatmap/heat-data';
import { coarseFactor, coarsen, paintLevels, toLevels } from '@/components/heatmap/heat-raster';
import { SAME_LEVEL, UNKNOWN_LEVEL, ZERO_LEVEL } from '@/components/heatmap/heat-scale';
import { createMargins, marginKind } from '@/components/heatmap/heat-sums';

const HEAT = { kind: 'heat', top: 10 } as const;
const CHANGE = { kind: 'change', top: 10 } as const;

describe('the raster', () => {
  it('turns figures into one byte per cell, missing ones into unknown', () => {
    const grid = toLevels(gridOfValues([[0, 10, null], [5]], 3), HEAT);
    expect(grid.rows).toBe(2);
    expect([...grid.levels.slice(0, 3)]).toEqual([ZERO_LEVEL, 255, UNKNOWN_LEVEL]);
    expect([...grid.levels.slice(4)]).toEqual([UNKNOWN_LEVEL, UNKNOWN_LEVEL]);
  });

  it('turns changes into bytes either side of no change', () => {
    const { levels } = toLevels(gridOfValues([[-10, 0, 10, null, -0.01]], 5), CHANGE);
    expect([...levels.slice(0, 4)]).toEqual([1, SAME_LEVEL, 255, UNKNOWN_LEVEL]);
    expect(levels[4]).toBeLessThan(SAME_LEVEL);
  });

  it('keeps a lone hot cell when cells are merged, and unknown only where nothing is known', () => {
    const values = Array.from({ length: 5 }, () =>
      Array.from({ length: 5 }, () => null as null | number),
    );
    const row = values[3];
    if (row) row[4] = 10;
    const merged = coarsen(toLevels(gridOfValues(values, 5), HEAT), 2, 2);
    expect([merged.rows, merged.columns]).toEqual([3, 3]);
    expect([...merged.levels]).toEqual([0, 0, 0, 0, 0, 255, 0, 0, 0]);
  });

  it('keeps the greatest change of merged cells, be it less or more', () => {
    const merged = coarsen(toLevels(gridOfValues([[1, -10, null, 0]], 4), CHANGE), 1, 2);
    expect([...merged.levels]).toEqual([1, SAME_LEVEL]);
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
    paintLevels(toLevels(gridOfValues([[10, null]], 2), HEAT), palette, pixels);
    expect([...pixels]).toEqual([7, 0]);
  });

  it('finds the hottest figure, whatever its sign, among unknown ones', () => {
    expect(
      hottestValue(
        gridOfValues(
          [
            [null, 3],
            [null, -4],
          ],
          2,
        ),
      ),
    ).toBe(4);
    expect(hottestValue(gridOfValues([[null]], 1))).toBe(0);
  });
});

describe('the margins', () => {
  const values = [
    [1, 2, null],
    [10, null, null],
  ];

  it('sum what is visible and stay unknown where nothing is known', () => {
    const margins = createMargins(gridOfValues(values, 3), 'sum');
    expect(margins.visible({ rowFrom: 0, rowTo: 2, columnFrom: 0, columnTo: 3 })).toEqual({
      byColumn: [11, 2, null],
      byRow: [3, 10],
    });
    expect(margins.visible({ rowFrom: 1, rowTo: 2, columnFrom: 1, columnTo: 3 })).toEqual({
      byColumn: [null, null],
      byRow: [null],
    });
  });

  it('show the highest of a figure that cannot be added up', () => {
    const margins = createMargins(gridOfValues(values, 3), 'highest');
    expect(margins.visible({ rowFrom: 0, rowTo: 2, columnFrom: 0, columnTo: 3 })).toEqual({
      byColumn: [10, 2, null],
      byRow: [2, 10],
    });
    expect([marginKind('wait'), marginKind('handoff'), marginKind('waiters')]).toEqual([
      'highest',
      'highest',
      'sum',
    ]);
  });
});
