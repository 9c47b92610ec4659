import { describe, expect, it } from 'vitest';
import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch } from '@/lib/analysis/sketch';
import { adviseLeaseOf, type LeaseAdviceOf, type LeaseEvidence } from '@/lib/analysis/timeout';
import { BURST_WINDOW_MS, burstOf, type RecentHolds } from '@/lib/analysis/timeout-burst';

const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 86_400_000;
const NOW = 1_700_000_000_000;
/** What a sketch may be off. */
const WITHIN = 0.005;

function sketchOf(...parts: readonly (readonly [count: number, ms: number])[]): Sketch {
  const sketch = createSketch();
  for (const [count, ms] of parts) for (let n = 0; n < count; n++) sketch.add(ms);
  return sketch;
}

/** 1, 2, … `most` × `unitMs`, each once. */
function ladder(most: number, unitMs: number): Sketch {
  const sketch = createSketch();
  for (let n = 1; n <= most; n++) sketch.add(n * unitMs);
  return sketch;
}

const evidenceOf = (over: Partial<LeaseEvidence> = {}): LeaseEvidence => ({
  holds: ladder(1000, 10),
  cut: 0,
  recent: [],
  coveredMs: WEEK_MS,
  jitterMs: 3,
  leaseMs: 30_000,
  renewal: null,
  renewsByThirds: false,
  ...over,
});

function advised(over: Partial<LeaseEvidence> = {}, now = NOW): LeaseAdviceOf {
  const advice = adviseLeaseOf(evidenceOf(over), now);
  if (typeof advice === 'string') throw new Error(advice);
  return advice;
}

const near = (value: number | null, wanted: number): void => {
  expect(value).not.toBeNull();
  expect(Math.abs((value ?? 0) / wanted - 1)).toBeLessThan(WITHIN);
};

describe('the lease that holds ask for', () => {
  it('is their p99 and twice the jitter', () => {
    const { recommendedMs, rule, p50Ms, p99Ms, lowMs, highMs, confidence } = advised();
    near(p50Ms, 5_000);
    near(p99Ms, 9_900);
    // Of 1,000 holds the p99 lies between the 983rd and the 997th.
    near(lowMs, 9_830);
    near(highMs, 9_970);
    expect(recommendedMs).toBe(Math.ceil(p99Ms + 6));
    expect({ rule, confidence }).toEqual({ rule: 'holds', confidence: 'good' });
  });

  it('is said of less with less confidence, and of next to nothing not at all', () => {
    expect(adviseLeaseOf(evidenceOf({ holds: ladder(29, 10) }), NOW)).toBe('too-few');
    expect(advised({ holds: ladder(367, 10) })).toMatchObject({ confidence: 'low', highMs: null });
    expect(advised({ coveredMs: 2 * 86_400_000 }).confidence).toBe('fair');
    expect(advised({ coveredMs: 3_600_000 }).confidence).toBe('low');
    expect(advised({ jitterMs: null }).confidence).toBe('fair');
  });

  it('is never below a second, whatever the holds', () => {
    expect(advised({ holds: sketchOf([1000, 2]) })).toMatchObject({
      ...{ recommendedMs: 1000, rule: 'least' },
    });
  });

  it('of a client that renews whatever it is told is no more than a minute', () => {
    const long = { holds: ladder(1000, 200), renewsByThirds: true, leaseMs: 60_000 };
    expect(advised(long)).toMatchObject({
      ...{ recommendedMs: 60_000, rule: 'renewed-anyway', verdict: 'fits' },
    });
    expect(advised({ renewsByThirds: true })).toMatchObject({ rule: 'holds' });
  });
});

describe('a class that renews', () => {
  const renewal = { intervalMs: 10_000, share: 0.8 };
  it('gets three of its intervals, because its lease does not limit the holds', () => {
    expect(advised({ renewal, holds: ladder(1000, 600) })).toMatchObject({
      ...{ recommendedMs: 30_000, rule: 'renewals', verdict: 'fits' },
    });
  });

  it('has too short a lease where one late renewal ends it, and too long a one beyond ten times', () => {
    const holds = ladder(1000, 600);
    expect(advised({ renewal, holds, leaseMs: 15_000 }).verdict).toBe('too-short');
    expect(advised({ renewal, holds, leaseMs: 310_000 }).verdict).toBe('too-long');
  });

  it('and whose holds are mostly shorter than the interval gets no more than three intervals either', () => {
    const seldom = { intervalMs: 10_000, share: 0.05 };
    expect(advised({ renewal: seldom, holds: ladder(1000, 50) }).rule).toBe('renewals');
    expect(advised({ renewal: seldom }).rule).toBe('holds');
  });
});

describe('holds that were cut by their lease', () => {
  it('make the p99 one that is known from below alone, and the lease twice as long', () => {
    // 970 end anywhere up to 9.7 s, and 30 still worked when their lease of 10 s ended.
    const holds = ladder(970, 10);
    holds.merge(sketchOf([30, 10_000]));
    const advice = advised({ holds, cut: 30, leaseMs: 10_000, jitterMs: 5 });
    expect(advice).toMatchObject({
      ...{ rule: 'cut', isAtLeast: true, confidence: 'low', verdict: 'too-short' },
    });
    near(advice.p99Ms, 10_000);
    near(advice.recommendedMs, 20_010);
  });

  it('say nothing of the work where none comes near the lease: who held them had died', () => {
    const holds = ladder(970, 2);
    holds.merge(sketchOf([30, 30_000]));
    const advice = advised({ holds, cut: 30 });
    expect(advice).toMatchObject({ rule: 'holds', isAtLeast: false, verdict: 'too-long' });
    // The 961st of 970.
    near(advice.p99Ms, 1_922);
  });

  it('change little where they are fewer than one in a hundred, and are the custom where they are most', () => {
    const holds = ladder(995, 10);
    holds.merge(sketchOf([5, 10_000]));
    expect(advised({ holds, cut: 5, leaseMs: 10_000 })).toMatchObject({ isAtLeast: false });
    expect(adviseLeaseOf(evidenceOf({ cut: 501 }), NOW)).toBe('left-to-lease');
  });
});

describe('a lease against its holds', () => {
  it('is too short below their p99, too long from ten times on, and costs what is left of it after a crash', () => {
    expect(advised({ leaseMs: 9_000 }).verdict).toBe('too-short');
    expect(advised({ leaseMs: 12_000 }).verdict).toBe('fits');
    expect(advised({ leaseMs: 98_000 }).verdict).toBe('fits');
    expect(advised({ leaseMs: 100_000 }).verdict).toBe('too-long');
    expect(advised({ leaseMs: null })).toMatchObject({
      verdict: 'unknown',
      crash: { nowMs: null },
    });
    const { crash, recommendedMs } = advised();
    near(crash.nowMs, 30_000 - 2_500);
    near(crash.thenMs, recommendedMs - 2_500);
  });
});

const calm = (to: number): RecentHolds => ({ to, holds: sketchOf([200, 80]), cut: 0 });

describe('a burst', () => {
  const usualMs = 100;
  const burst = (to: number): RecentHolds => ({
    ...{ to, holds: sketchOf([190, 80], [10, 900]), cut: 0 },
  });

  it('counts in full at once', () => {
    const found = burstOf([burst(NOW), calm(NOW - BURST_WINDOW_MS)], usualMs, NOW);
    expect(found).toMatchObject({ at: NOW, holds: 200, above: 10 });
    near(found?.raisedMs ?? null, 900);
  });

  it('is halved every ten minutes after it, and forgotten after an hour', () => {
    const at = (minutes: number): number | null =>
      burstOf([burst(NOW)], usualMs, NOW + minutes * MINUTE_MS)?.raisedMs ?? null;
    near(at(10), 500);
    near(at(20), 300);
    near(at(60), 112.5);
    expect(at(61)).toBeNull();
  });

  it('is none by chance: two long holds, one in a hundred, or hardly longer ones', () => {
    const none: RecentHolds['holds'][] = [
      sketchOf([8, 80], [2, 900]),
      sketchOf([990, 80], [10, 900]),
      sketchOf([190, 80], [10, 120]),
    ];
    for (const holds of none)
      expect(burstOf([{ to: NOW, holds, cut: 0 }], usualMs, NOW)).toBeNull();
  });

  it('of holds that were cut while at work asks for twice the length', () => {
    const holds = sketchOf([150, 80], [30, 95], [20, 100]);
    near(burstOf([{ to: NOW, holds, cut: 20 }], usualMs, NOW)?.raisedMs ?? null, 200);
  });

  it('is none where those that were cut had died', () => {
    const holds = sketchOf([180, 80], [20, 30_000]);
    expect(burstOf([{ to: NOW, holds, cut: 20 }], usualMs, NOW)).toBeNull();
  });

  it('raises the recommendation with it, and lets it down again', () => {
    const recent = [{ to: NOW, holds: sketchOf([190, 5_000], [10, 20_000]), cut: 0 }];
    const during = advised({ recent, jitterMs: 0 });
    expect(during).toMatchObject({ rule: 'burst', burst: { above: 10 } });
    near(during.recommendedMs, 20_000);
    near(advised({ recent, jitterMs: 0 }, NOW + 10 * MINUTE_MS).recommendedMs, 14_950);
    expect(advised({ recent, jitterMs: 0 }, NOW + 61 * MINUTE_MS).rule).toBe('holds');
  });
});
