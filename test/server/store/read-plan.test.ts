import { describe, expect, it } from 'vitest';
import { planRuns } from '@/server/store/read-plan';
import type { TierState } from '@/server/store/tier-states';

const state = (spanMs: number, from: number, until: number): TierState => ({ spanMs, from, until });

describe('which steps tell a range', () => {
  const states = [state(10, 7200, Infinity), state(60, 3600, 10_800), state(3600, 0, 7200)];

  it('the longest that fit, shorter ones at the ends and where nothing longer is built', () => {
    expect(planRuns(states, { from: 3600, to: 11_000, stepMs: null })).toEqual([
      { spanMs: 3600, from: 3600, to: 7200 },
      { spanMs: 60, from: 7200, to: 10_800 },
      { spanMs: 10, from: 10_800, to: 11_000 },
    ]);
    expect(planRuns(states, { from: 7190, to: 7330, stepMs: null })).toEqual([
      { spanMs: 60, from: 7140, to: 7320 },
      { spanMs: 10, from: 7320, to: 7330 },
    ]);
  });

  it('never a step that reaches over two of the answer', () => {
    expect(planRuns(states, { from: 3600, to: 7200, stepMs: 600 })).toEqual([
      { spanMs: 60, from: 3600, to: 7200 },
    ]);
    expect(planRuns(states, { from: 7200, to: 7300, stepMs: 10 })).toEqual([
      { spanMs: 10, from: 7200, to: 7300 },
    ]);
  });

  it('a longer one, whole, where nothing shorter is kept', () => {
    expect(planRuns(states, { from: 3000, to: 3720, stepMs: 10 })).toEqual([
      { spanMs: 3600, from: 0, to: 3600 },
      { spanMs: 60, from: 3600, to: 3720 },
    ]);
  });

  it('nothing where nothing is kept', () => {
    expect(planRuns([state(10, 500, Infinity)], { from: 0, to: 400, stepMs: null })).toEqual([]);
    expect(planRuns([state(10, 500, Infinity)], { from: 0, to: 520, stepMs: null })).toEqual([
      { spanMs: 10, from: 500, to: 520 },
    ]);
    expect(planRuns([], { from: 0, to: 520, stepMs: null })).toEqual([]);
  });

  it('every moment once, whatever is built and kept', () => {
    let seed = 5;
    const random = (below: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 500; round++) {
      const hours = random(5) * 3600;
      const minutes = hours + random(3) * 3600 + random(60) * 60;
      const some = [
        state(10, random(minutes / 60 + 1) * 60, Infinity),
        state(60, random(hours / 3600 + 1) * 3600, minutes),
        state(3600, 0, hours),
      ];
      const from = random(4000) * 10;
      const to = from + (random(3000) + 1) * 10;
      const stepMs = [null, 10, 60, 600, 3600][random(5)] ?? null;
      const runs = planRuns(some, { from, to, stepMs });
      let at = from;
      for (const run of runs) {
        expect(run.from).toBeLessThanOrEqual(at);
        expect(run.from).toBeGreaterThan(at - run.spanMs);
        expect(run.from % run.spanMs).toBe(0);
        expect(run.to).toBeGreaterThan(at);
        at = run.to;
      }
      expect(at).toBeGreaterThanOrEqual(to);
    }
  });
});
