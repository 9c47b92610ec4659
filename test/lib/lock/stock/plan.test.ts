import { describe, expect, it } from 'vitest';
import { planMoves, type Move } from '@/lib/lock/stock/plan';
import { createRandom } from '@/test/support/lock-fleet/random';

function after(left: readonly number[], moves: readonly Move[]): number[] {
  const units = [...left];
  for (const { from, to, quantity } of moves) {
    units[from] = (units[from] ?? 0) - quantity;
    units[to] = (units[to] ?? 0) + quantity;
  }
  return units;
}

describe('the plan of moves', () => {
  it('brings the last unit to where it is wanted and moves nothing else', () => {
    const moves = planMoves([0, 0, 1, 0], [{ segment: 3, quantity: 1 }]);
    expect(moves).toEqual([{ from: 2, to: 3, quantity: 1 }]);
  });

  it('evens out what nobody waits for', () => {
    expect(after([40, 0, 0, 1], planMoves([40, 0, 0, 1], []))).toEqual([11, 10, 10, 10]);
  });

  it('lets a few units lie where they are', () => {
    expect(planMoves([0, 1, 0, 1], [])).toEqual([]);
  });

  it('serves demands in their order and passes over one that is too large', () => {
    const demands = [
      { segment: 0, quantity: 4 },
      { segment: 1, quantity: 9 },
      { segment: 2, quantity: 2 },
    ];
    expect(after([0, 0, 0, 6], planMoves([0, 0, 0, 6], demands))).toEqual([4, 0, 2, 0]);
  });

  it('never takes more than a segment has, and moves no unit twice', () => {
    const random = createRandom(7);
    for (let i = 0; i < 2000; i++) {
      const left = Array.from({ length: random.between(1, 12) }, () => random.between(0, 20));
      const demands = Array.from({ length: random.between(0, 6) }, () => ({
        segment: random.between(0, left.length - 1),
        quantity: random.between(1, 30),
      }));
      const moves = planMoves(left, demands);
      left.forEach((units, index) => {
        const out = moves.filter(({ from }) => from === index);
        const taken = out.reduce((sum, { quantity }) => sum + quantity, 0);
        expect(taken).toBeLessThanOrEqual(units);
        if (out.length > 0) expect(moves.some(({ to }) => to === index)).toBe(false);
      });
      expect(after(left, moves).every((units) => units >= 0)).toBe(true);
    }
  });
});
