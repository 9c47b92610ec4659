import { expect, it } from 'vitest';
import { byHeat, heatOf, type HeatLine } from '@/server/queries/heat-lines';

function aLine(name: string, sums: readonly number[]): HeatLine {
  const columns = Float64Array.from(sums);
  return {
    ...{ namespace: 'n', class: name, lock: null, owner: null, isOthers: false, merged: null },
    ...{ sums: columns, heat: heatOf(columns), isPartial: false },
  };
}

it('the hottest come first, then those known to be calm, and last those of which nobody can tell', () => {
  const lines = [
    aLine('a', [Number.NaN, Number.NaN]),
    aLine('b', [0, Number.NaN]),
    aLine('c', [0, 0.001]),
    aLine('d', [0, 0]),
  ];
  expect(lines.toSorted(byHeat).map((line) => line.class)).toEqual(['c', 'b', 'd', 'a']);
});
