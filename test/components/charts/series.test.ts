import { describe, expect, it } from 'vitest';
import { activitySeries } from '@/components/charts/activity-series';
import { barOf, distributionSeries } from '@/components/charts/distribution-series';

describe('the activity series', () => {
  it('marks runs of unknown steps and leaves them out of the average', () => {
    const activity = activitySeries([
      { at: 0, value: 10 },
      { at: 10, value: null },
      { at: 20, value: null },
      { at: 30, value: 20 },
      { at: 40, value: null },
    ]);
    expect(activity.unknown).toEqual([{ from: 10, to: 30 }]);
    expect(activity).toMatchObject({ highest: 20, latest: 20, average: 15 });
  });

  it('has no average when nothing is known', () => {
    expect(activitySeries([{ at: 0, value: null }])).toMatchObject({ average: null, latest: null });
  });
});

describe('the distribution series', () => {
  it('puts waits and holds over the same buckets, each as a share of its own total', () => {
    const bars = distributionSeries(
      [
        { le: 1, count: 0 },
        { le: 2, count: 3 },
        { le: 4, count: 1 },
      ],
      [
        { le: 4, count: 10 },
        { le: 8, count: 0 },
        { le: 16, count: 0 },
      ],
    );
    expect(bars.map(({ over, le, waits, holds }) => [over, le, waits, holds])).toEqual([
      [0, 1, 0, 0],
      [1, 2, 3, 0],
      [2, 4, 1, 10],
      [4, 8, 0, 0],
    ]);
    expect(bars[1]?.waitShare).toBe(0.75);
    expect(bars[2]?.holdShare).toBe(1);
  });

  it('is empty without samples', () => {
    expect(distributionSeries([{ le: 1, count: 0 }], [])).toEqual([]);
  });

  it('finds the bar of a duration, whose upper bound belongs to it', () => {
    const bars = distributionSeries([{ le: 2, count: 1 }], [{ le: 4, count: 1 }]);
    expect(barOf(bars, 2)?.le).toBe(2);
    expect(barOf(bars, 2.1)?.le).toBe(4);
    expect(barOf(bars, 99)).toBeNull();
    expect(barOf(bars, null)).toBeNull();
  });
});
