import { expect, it } from 'vitest';
import { dropOldest, leftOf } from '@/lib/analysis/drop-oldest';

const numbers = (count: number): Set<number> => new Set(Array.from({ length: count }, (_, i) => i));

it('lets nobody go while there is room, and beyond it the oldest twentieth', () => {
  const kept = numbers(100);
  expect(dropOldest(kept, 100)).toEqual([]);
  kept.add(100);
  expect(dropOldest(kept, 100)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(kept.size).toBe(leftOf(100));
  expect(kept.has(5)).toBe(false);
  expect(kept.has(6)).toBe(true);
});

it('lets one go of so few that a twentieth is none', () => {
  const kept = new Map([...numbers(3)].map((number) => [number, '']));
  expect(dropOldest(kept, 2)).toEqual([0]);
  expect([...kept.keys()]).toEqual([1, 2]);
});
