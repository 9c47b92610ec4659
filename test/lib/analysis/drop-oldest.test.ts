import { expect, it } from 'vitest';
import { oldestBeyond } from '@/lib/analysis/drop-oldest';

it('names nobody while there is room, and beyond it the oldest tenth', () => {
  const numbers = (count: number): Set<number> =>
    new Set(Array.from({ length: count }, (_, i) => i));
  expect(oldestBeyond(numbers(100), 100)).toEqual([]);
  expect(oldestBeyond(numbers(101), 100)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(oldestBeyond(numbers(3), 2)).toEqual([0]);
});
