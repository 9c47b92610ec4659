import { describe, expect, it } from 'vitest';
import { gridOf, niceStepMs } from '@/server/queries/heat-grid';
import { DEFAULT_RETENTION, finestSpanAt } from '@/server/store/tiers';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const STEP_MS = 10_000;

describe('the length of a column', () => {
  it('is that of the shortest nice step under which there are at most 360', () => {
    for (const minutes of [1, 30, 61, 180, 24 * 60, 7 * 24 * 60, 400 * 24 * 60]) {
      const stepMs = niceStepMs(minutes * MINUTE_MS, STEP_MS);
      expect((minutes * MINUTE_MS) / stepMs).toBeLessThanOrEqual(360);
      expect(stepMs % STEP_MS).toBe(0);
    }
    expect(niceStepMs(30 * MINUTE_MS, STEP_MS)).toBe(STEP_MS);
    expect(niceStepMs(30 * MINUTE_MS, STEP_MS, 60)).toBe(30_000);
  });

  it.each([
    [30 * MINUTE_MS, STEP_MS],
    [3 * HOUR_MS, MINUTE_MS],
    [6 * HOUR_MS, MINUTE_MS],
    [24 * HOUR_MS, 5 * MINUTE_MS],
    [7 * DAY_MS, HOUR_MS],
    [30 * DAY_MS, 2 * HOUR_MS],
    [90 * DAY_MS, 6 * HOUR_MS],
  ])('of a range of %d ms up to now is %d ms', (rangeMs, expected) => {
    const now = 1000 * DAY_MS;
    const finest = finestSpanAt(DEFAULT_RETENTION.tiers, now - rangeMs, now);
    expect(niceStepMs(rangeMs, finest)).toBe(expected);
  });

  it('is never shorter than what is kept, and always whole steps of it', () => {
    expect(niceStepMs(30 * MINUTE_MS, 5 * MINUTE_MS)).toBe(5 * MINUTE_MS);
    expect(niceStepMs(30 * MINUTE_MS, 7 * MINUTE_MS)).toBe(7 * MINUTE_MS);
    expect(niceStepMs(6 * HOUR_MS, 40_000)).toBe(2 * MINUTE_MS);
    expect(niceStepMs(1000 * DAY_MS, HOUR_MS) % HOUR_MS).toBe(0);
    expect(niceStepMs(1000 * DAY_MS, 7 * HOUR_MS) % (7 * HOUR_MS)).toBe(0);
  });
});

describe('the columns', () => {
  const range = { from: 25_000, to: 64_000, watchedFrom: 0 };

  it('begin at the border of a step and count what has passed of the last one', () => {
    expect(gridOf(range, 20_000, [])).toEqual({
      ...{ columns: [20_000, 40_000, 60_000], stepMs: 20_000 },
      spans: [20_000, 20_000, 4000],
    });
    expect(gridOf({ ...range, to: 60_100 }, 20_000, []).spans).toEqual([20_000, 20_000, 1000]);
  });

  it('are not known before the first watch, and from there count what was watched', () => {
    expect(gridOf({ ...range, watchedFrom: 45_000 }, 20_000, []).spans).toEqual([
      null,
      15_000,
      4000,
    ]);
  });

  it('are not known when half of them or more lies in gaps', () => {
    const gap = (from: number, to: number | null) => ({
      from,
      to,
      reason: 'connection-lost' as const,
    });
    expect(gridOf(range, 20_000, [gap(0, 30_000)]).spans[0]).toBeNull();
    expect(gridOf(range, 20_000, [gap(0, 29_999)]).spans[0]).toBe(20_000);
    expect(gridOf(range, 20_000, [gap(20_000, 25_000), gap(35_000, 45_000)]).spans).toEqual([
      ...[null, 20_000, 4000],
    ]);
    expect(gridOf(range, 20_000, [gap(45_000, null)]).spans).toEqual([20_000, null, null]);
  });
});
