import { createNoise } from './noise';

/** What a map can look like, and what that says of the locks. */
export const PATTERNS = ['even', 'spikes', 'line', 'staircase'] as const;
export type PatternName = (typeof PATTERNS)[number];

export const PATTERN_SIZE = { rows: 8, columns: 24 } as const;

type Heat = (row: number, column: number) => number;

const SHAPES: Record<PatternName, Heat> = {
  even: () => 0.42,
  spikes: (_, column) => (column % 8 === 5 ? 0.95 : column % 8 === 4 ? 0.5 : 0.12),
  line: (row) => (row === 3 ? 0.95 : 0.12),
  staircase: (row, column) => (Math.floor(column / 3) === row ? 0.9 : 0.12),
};

/** Heat 0…1 of each cell of a small drawing, row after row; the same at every call. */
export function patternCells(name: PatternName): number[][] {
  const noise = createNoise(PATTERNS.indexOf(name) + 1);
  const { rows, columns } = PATTERN_SIZE;
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_cell, column) =>
      Math.min(1, Math.max(0, SHAPES[name](row, column) * (0.75 + noise() * 0.5))),
    ),
  );
}
