import { describe, expect, it } from 'vitest';
import { sampleDetail } from '@/components/gallery/lock-details';
import { fairLock, sampleHold } from '@/components/gallery/locks';
import { layoutTimeline } from '@/components/locks/detail/timeline-layout';

const NOW = 1_800_000_000_000;
const { holds, hold } = sampleDetail(fairLock(NOW), NOW);

describe('the timeline of holds', () => {
  it('is nothing without a hold', () => {
    expect(layoutTimeline([], null, NOW)).toBeNull();
  });

  it('runs from the first hold to now, oldest first', () => {
    const timeline = layoutTimeline(holds, hold, NOW);
    expect(timeline?.from).toBe(Math.min(...holds.map(({ start }) => start)));
    expect(timeline?.to).toBe(NOW);
    const starts = timeline?.bars.map(({ start }) => start) ?? [];
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  });

  it('keeps every bar and tick inside', () => {
    const timeline = layoutTimeline(holds, hold, NOW);
    for (const { left, width } of timeline?.bars ?? []) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(width).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(1.0000001);
    }
    expect(timeline?.ticks.length).toBeGreaterThan(1);
    expect(timeline?.ticks.length).toBeLessThanOrEqual(6);
    for (const { left } of timeline?.ticks ?? []) expect(left).toBeLessThanOrEqual(1);
  });

  it('ends with the present hold, which has no end', () => {
    const bar = layoutTimeline(holds, hold, NOW)?.bars.at(-1);
    expect(bar).toMatchObject({ end: null, reason: null });
    expect((bar?.left ?? 0) + (bar?.width ?? 0)).toBeCloseTo(1);
  });

  it('marks the edges that nobody saw', () => {
    const bars = layoutTimeline(holds, null, NOW)?.bars ?? [];
    expect(bars.find(({ generation }) => generation === 5)?.isStartUncertain).toBe(true);
    expect(bars.find(({ generation }) => generation === 6)?.isEndUncertain).toBe(true);
    expect(bars.find(({ generation }) => generation === 8)).toMatchObject({
      isStartUncertain: false,
      isEndUncertain: false,
    });
  });

  it('draws a hold that has only just begun', () => {
    const timeline = layoutTimeline([], sampleHold(NOW, { since: NOW }), NOW);
    expect(timeline?.bars).toHaveLength(1);
    expect(timeline?.to).toBeGreaterThan(timeline?.from ?? 0);
  });

  it('shows no more than the newest forty', () => {
    const [one] = holds;
    if (!one) throw new Error('no sample');
    const many = Array.from({ length: 90 }, (_, n) => ({ ...one, generation: 90 - n }));
    const bars = layoutTimeline(many, null, NOW)?.bars ?? [];
    expect(bars).toHaveLength(40);
    expect(bars.at(-1)?.generation).toBe(90);
  });
});
