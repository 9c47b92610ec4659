import { describe, expect, it } from 'vitest';
import { atLeast, quantileRanks } from '@/lib/analysis/timeout-rank';

/** By the definition, with whole binomial coefficients. */
function byHand(k: number, n: number, p: number): number {
  let sum = 0;
  let choose = 1;
  for (let i = 0; i <= n; i++) {
    if (i >= k) sum += choose * p ** i * (1 - p) ** (n - i);
    choose = (choose * (n - i)) / (i + 1);
  }
  return sum;
}

describe('how many of n succeed', () => {
  it('is what the definition says', () => {
    expect(atLeast(1, 1, 0.01)).toBeCloseTo(0.01, 12);
    // 1 − 0.99^100 − 100 × 0.01 × 0.99^99
    expect(atLeast(2, 100, 0.01)).toBeCloseTo(0.264238, 6);
    expect(atLeast(3, 10, 0.01)).toBeCloseTo(1.138e-4, 7);
    for (const [k, n, p] of [
      [3, 20, 0.1],
      [5, 60, 0.01],
      [40, 60, 0.5],
      [0, 7, 0.3],
      [7, 7, 0.3],
    ] as const) {
      expect(atLeast(k, n, p)).toBeCloseTo(byHand(k, n, p), 10);
    }
  });

  it('is nothing beyond n, and adds up for many', () => {
    expect(atLeast(8, 7, 0.3)).toBe(0);
    expect(atLeast(1000, 100_000, 0.01)).toBeGreaterThan(0.5);
    expect(atLeast(1000, 100_000, 0.01)).toBeLessThan(0.52);
    expect(atLeast(1500, 100_000, 0.01)).toBeLessThan(1e-40);
  });
});

describe('the ranks between which a p99 lies', () => {
  it('has no upper bound below 368 samples', () => {
    expect(quantileRanks(0.99, 367).high).toBeNull();
    expect(quantileRanks(0.99, 368).high).toBe(368);
  });

  it('is what the tables say for a thousand', () => {
    // 4 or fewer of 1,000 exceed the p99 with 2.9 %, 3 or fewer with 1.0 %; 17 or more with 2.6 %, 18 or more with 1.4 %.
    expect(quantileRanks(0.99, 1000)).toEqual({ low: 983, high: 997 });
  });

  it.each([500, 1000, 5000, 40_000, 60_000, 1_000_000])(
    'covers nineteen in twenty of %i samples',
    (n) => {
      const { low, high } = quantileRanks(0.99, n);
      // The p99 is below the value of rank `low` when more than n − low samples exceed it.
      const isBelow = atLeast(n - low + 1, n, 0.01);
      const isAbove = 1 - atLeast(n - (high ?? n) + 1, n, 0.01);
      expect(isBelow).toBeLessThanOrEqual(0.0255);
      expect(isAbove).toBeLessThanOrEqual(0.0255);
      expect(isBelow + isAbove).toBeGreaterThan(0.01);
    },
  );

  it('is all there is of a few', () => {
    expect(quantileRanks(0.99, 1)).toEqual({ low: 1, high: null });
    expect(quantileRanks(0.99, 50).low).toBeLessThanOrEqual(49);
  });
});
