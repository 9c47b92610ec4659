import { describe, expect, it } from 'vitest';
import { PATTERNS, PATTERN_SIZE, patternCells } from '@/components/heatmap/help/heat-patterns';

const hottest = (line: readonly number[]): number => line.indexOf(Math.max(...line));
const average = (line: readonly number[]): number =>
  line.reduce((sum, heat) => sum + heat, 0) / line.length;
const columnsOf = (cells: readonly (readonly number[])[]): number[][] =>
  Array.from({ length: PATTERN_SIZE.columns }, (_, column) => cells.map((row) => row[column] ?? 0));

describe('the drawings of the patterns', () => {
  it('are the same at every call, and heat between none and most', () => {
    for (const name of PATTERNS) {
      const cells = patternCells(name);
      expect(patternCells(name)).toEqual(cells);
      expect(cells.flat().every((heat) => heat >= 0 && heat <= 1)).toBe(true);
    }
  });

  it('show what their names say', () => {
    const even = patternCells('even').map(average);
    expect(Math.max(...even) - Math.min(...even)).toBeLessThan(0.15);
    const spikes = columnsOf(patternCells('spikes')).map(average);
    expect(spikes.flatMap((heat, column) => (heat > 0.7 ? [column] : []))).toEqual([5, 13, 21]);
    const line = patternCells('line').map(average);
    expect(line.flatMap((heat, row) => (heat > 0.7 ? [row] : []))).toEqual([3]);
    const steps = patternCells('staircase').map(hottest);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(new Set(steps).size).toBe(PATTERN_SIZE.rows);
  });
});
