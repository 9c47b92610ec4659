import { describe, expect, it } from 'vitest';
import { holdAt, layoutMoment } from '@/components/past/moment-timeline-layout';
import type { PastHold } from '@/lib/protocol/lock';

const hold = (start: number, end: number | null, more: Partial<PastHold> = {}): PastHold => ({
  generation: start,
  owner: 'a',
  start,
  end,
  endReason: end === null ? null : 'released',
  evidence: 'observed',
  renewals: 0,
  maxDepth: 1,
  endedBy: null,
  lateReleaseMs: null,
  notes: [],
  ...more,
});

const NOW = 100_000;

describe('the hold of a moment', () => {
  it('covers its start and not its end', () => {
    const holds = [hold(1000, 2000), hold(2000, 3000)];
    expect(holdAt(holds, 1000)).toBe(holds[0]);
    expect(holdAt(holds, 1999)).toBe(holds[0]);
    expect(holdAt(holds, 2000)).toBe(holds[1]);
    expect(holdAt(holds, 3000)).toBeUndefined();
  });

  it('lasts until now where it has not ended', () => {
    const [open] = [hold(1000, null)];
    expect(holdAt([open], NOW)).toBe(open);
  });
});

describe('the line around a moment', () => {
  it('shows the hold of the moment large, with what was beside it', () => {
    const line = layoutMoment(
      [hold(0, 9000), hold(10_000, 20_000), hold(21_000, 22_000)],
      15_000,
      NOW,
    );
    const [before, held, after] = line?.bars ?? [];
    expect(held).toMatchObject({ isAtMoment: true, reason: 'released' });
    expect(held?.width).toBeGreaterThan(0.25);
    expect([before?.isAtMoment, after?.isAtMoment]).toEqual([false, false]);
    expect(line?.moment).toBeCloseTo((held?.left ?? 0) + (held?.width ?? 0) / 2);
  });

  it('shows the free time between two holds where nobody held it', () => {
    const line = layoutMoment([hold(0, 9000), hold(19_000, 20_000)], 14_000, NOW);
    expect(line?.bars.map(({ isAtMoment }) => isAtMoment)).toEqual([false, false]);
    expect(line?.moment).toBeCloseTo(0.5);
  });

  it('leaves out what is too far away to be drawn, and ends with the present', () => {
    const line = layoutMoment([hold(0, 10), hold(90_000, null)], 95_000, NOW);
    expect(line?.bars).toHaveLength(1);
    expect(line?.to).toBe(NOW);
    expect(line?.bars[0]?.reason).toBeNull();
  });

  it('is nothing without a hold', () => {
    expect(layoutMoment([], 5, NOW)).toBeNull();
  });
});
