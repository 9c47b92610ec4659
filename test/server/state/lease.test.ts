import { describe, expect, it } from 'vitest';
import { roundLease } from '@/server/state/lease';

describe('a lease as it is measured', () => {
  it.each([
    [29_993, 30_000],
    [30_080, 30_000],
    [30_160, 30_160],
    [3_600_090, 3_600_000],
    [1_004, 1_000],
    [1_006, 1_000],
    [1_012, 1_012],
    [250, 250],
    [303, 300],
  ])('is given in round figures: %s as %s', (measuredMs, leaseMs) => {
    expect(roundLease(measuredMs)).toBe(leaseMs);
  });

  it.each([4, 1, 0, -7, -1_000])(
    'is never nothing, though it was over at once: %s',
    (measuredMs) => {
      expect(roundLease(measuredMs)).toBe(Math.max(1, measuredMs));
    },
  );
});
