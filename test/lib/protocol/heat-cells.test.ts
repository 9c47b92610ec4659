import { describe, expect, it } from 'vitest';
import { createHeatPacker, unpackHeatCells } from '@/lib/protocol/heat-cells';

const UNKNOWN = Number.NaN;

function packed(values: readonly (readonly number[])[]): string[] {
  const columns = values[0]?.length ?? 0;
  const pack = createHeatPacker({
    ...{ cells: Float64Array.from(values.flat()), rows: values.length, columns },
  });
  return Array.from({ length: columns }, (_, column) => pack(column));
}

const roundTrip = (values: readonly (readonly number[])[]): number[] => [
  ...unpackHeatCells(packed(values), values.length),
];

/** Repeatable, and of all magnitudes that durations, shares and rates have. */
function someValues(count: number): number[] {
  let state = 7;
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: count }, () => {
    const kind = next();
    if (kind < 0.3) return 0;
    return kind < 0.4 ? UNKNOWN : 10 ** (next() * 18 - 8.9);
  });
}

describe('packed cells of a heatmap', () => {
  it('come back row after row, zeros and unknowns as they were', () => {
    const values = [
      [0, 3, UNKNOWN],
      [0, 0, UNKNOWN],
      [7, UNKNOWN, 0],
    ];
    expect(roundTrip(values)).toEqual(values.flat());
  });

  it('are off by 0.025 % at most, at every magnitude', () => {
    const values = someValues(20_000).map((value) => [value]);
    for (const [i, value] of roundTrip(values).entries()) {
      const truth = values[i]?.[0] ?? 0;
      if (Number.isNaN(truth) || truth === 0) expect(value).toBe(truth);
      else expect(Math.abs(value - truth) / truth).toBeLessThanOrEqual(2 ** -12);
    }
  });

  it('keep counts exact', () => {
    const values = Array.from({ length: 4097 }, (_, count) => [count]);
    expect(roundTrip(values)).toEqual(values.flat());
  });

  it('never make a value a zero or an unknown, however small or great', () => {
    const [tiny, great, endless] = roundTrip([[1e-300], [1e300], [Infinity]]);
    expect(tiny).toBeGreaterThan(0);
    expect(great).toBeGreaterThan(1e10);
    expect(endless).toBe(great);
  });

  it('tell a sum that fell below zero as zero', () => {
    expect(roundTrip([[-3], [-0]])).toEqual([0, 0]);
  });

  it('take three characters for a value and for a run of any length up to 65,536', () => {
    const column = (cells: readonly number[]): string =>
      packed(cells.map((cell) => [cell])).join('');
    expect(column(Array(65_536).fill(0))).toHaveLength(3);
    expect(column(Array(65_537).fill(UNKNOWN))).toHaveLength(6);
    expect(column([5, 0, 0, 0, 6, UNKNOWN, UNKNOWN])).toHaveLength(12);
    expect(roundTrip(Array(70_000).fill([UNKNOWN]))).toEqual(Array(70_000).fill(UNKNOWN));
  });

  it('are the same text again in a column that did not change', () => {
    const values = someValues(300);
    const before = packed(values.map((value, row) => [value, row]));
    const after = packed(values.map((value, row) => [value, row + 1]));
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  it.each([
    ['cut short', ['AA']],
    ['of other characters', ['A-A']],
    ['of characters that are no bytes', ['AA€']],
    ['of too few rows', ['AAA']],
    ['of too many rows', ['AAAAAAAAA']],
    ['of a run that is too long', ['gAf']],
    ['of an unknown run that is too long', ['wAf']],
  ])('are refused when they are %s', (_name, texts) => {
    expect(() => unpackHeatCells(texts, 2)).toThrow(/^Column 0 of the heatmap cannot be read/);
  });
});
