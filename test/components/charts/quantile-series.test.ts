import { describe, expect, it } from 'vitest';
import {
  durationScale,
  isAlone,
  QUANTILES,
  quantilePoints,
  spanOfSteps,
  unknownSpans,
} from '@/components/charts/quantile-series';
import type { Quantiles } from '@/lib/protocol/measures';

const of = (p50: number | null, count = 1): Quantiles => ({
  p50,
  p90: p50 && p50 * 2,
  p95: p50 && p50 * 3,
  p99: p50 && p50 * 10,
  p999: p50 && p50 * 40,
  count,
});
const STEP = 10;
const points = (...quantiles: (Quantiles | null)[]) =>
  quantilePoints(
    quantiles.map((each, index) => ({ at: index * STEP, quantiles: each })),
    STEP,
  );

describe('percentiles over time', () => {
  it('are drawn in the middle of their step, those below a millisecond at it', () => {
    const [point] = points(of(0.2));
    expect(point).toMatchObject({ middle: 5, from: 0, to: 10, p50: 1, p99: 2 });
    expect(point?.known?.p50).toBe(0.2);
  });

  it('tell a step without samples from one of which nothing is known', () => {
    const [empty, unknown] = points(of(null, 0), null);
    expect(empty).toMatchObject({ p50: null, known: { count: 0 } });
    expect(unknown).toMatchObject({ p50: null, known: null });
  });

  it('have a dot where a line has no length', () => {
    const each = points(of(1), null, of(2), of(null, 0), of(3), of(4));
    expect(each.map((_, index) => isAlone(each, index, 'p50'))).toEqual([
      ...[true, false, true],
      ...[false, false, false],
    ]);
  });
});

it('the time that is drawn ends with the last step, not with its beginning', () => {
  expect(spanOfSteps([{ at: 20 }, { at: 30 }], STEP)).toEqual({ from: 20, to: 40 });
  expect(spanOfSteps([], STEP)).toBeNull();
});

describe('what is hatched', () => {
  const range = { from: 0, to: 60 };

  it('is every step of which nothing is known, runs as one', () => {
    const each = points(of(1), null, null, of(1), null, of(1));
    expect(unknownSpans(each, [], range)).toEqual([
      { from: 10, to: 30 },
      { from: 40, to: 50 },
    ]);
  });

  it('is every gap to its moment, joined with the steps it touches and cut to the range', () => {
    const each = points(of(1), null, of(1), of(1), of(1), of(1));
    const gaps = [
      { from: -50, to: 3 },
      { from: 14, to: 25 },
      { from: 55, to: null },
    ];
    expect(unknownSpans(each, gaps, range)).toEqual([
      { from: 0, to: 3 },
      { from: 10, to: 25 },
      { from: 55, to: 60 },
    ]);
  });
});

describe('the scale of durations', () => {
  it('holds what is drawn between two durations that read well', () => {
    const scale = durationScale(points(of(20), of(45)), ['p50']);
    expect(scale).toMatchObject({ from: 10, to: 100, ticks: [10, 30, 100] });
  });

  it('has few ticks however wide it is', () => {
    const scale = durationScale(points(of(1), of(200_000_000)), QUANTILES);
    expect(scale?.ticks.length).toBeLessThanOrEqual(7);
    expect(scale?.to).toBeGreaterThan(200_000_000 * 40);
  });

  it('is none when nothing is drawn', () => {
    expect(durationScale(points(null, of(null, 0)), QUANTILES)).toBeNull();
    expect(durationScale(points(of(1)), [])).toBeNull();
  });
});
