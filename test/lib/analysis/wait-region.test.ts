import { describe, expect, it } from 'vitest';
import { freedBy, waitsAmongStuck, type WaitRequest } from '@/lib/analysis/wait-graph';
import { findIncidents } from '@/lib/analysis/wait-incidents';
import { createRegions } from '@/lib/analysis/wait-region';

/** Random waits, the same at each run (mulberry32). */
function randomWaits(seed: number, count: number): WaitRequest[] {
  let state = seed;
  const random = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const owner = (): string => `o${Math.floor(random() * count * 0.8)}`;
  return Array.from({ length: count }, (_, i): WaitRequest => {
    const holders = [...new Set([owner(), ...(random() < 0.4 ? [owner(), owner()] : [])])];
    const needs = random() < 0.3 ? 1 : holders.length;
    return { owner: owner(), lock: `l${i}`, holders, needs, via: 'hold' };
  });
}

describe('the region of a deadlock', () => {
  it('tells of each of its holds what all the waits would tell', () => {
    let judged = 0;
    for (let seed = 1; seed <= 150; seed++) {
      const { incidents, stuck } = findIncidents(randomWaits(seed, 12 + (seed % 40)));
      const all = waitsAmongStuck(stuck);
      const regionOf = createRegions(stuck);
      for (const incident of incidents) {
        const { waits } = regionOf(incident);
        for (const { lock, holder } of incident.edges) {
          judged++;
          const expected = freedBy(all, [{ lock, holder }]);
          expect(freedBy(waits, [{ lock, holder }])).toBe(expected);
        }
      }
    }
    expect(judged).toBeGreaterThan(500);
  });

  it('has nothing of deadlocks beside it', () => {
    const pair = (i: number): WaitRequest[] => [
      { owner: `a${i}`, lock: `x${i}`, holders: [`b${i}`], needs: 1, via: 'hold' },
      { owner: `b${i}`, lock: `y${i}`, holders: [`a${i}`], needs: 1, via: 'hold' },
    ];
    const { incidents, stuck } = findIncidents(
      Array.from({ length: 50 }, (_, i) => pair(i)).flat(),
    );
    const regionOf = createRegions(stuck);
    expect(incidents).toHaveLength(50);
    for (const incident of incidents) {
      expect(regionOf(incident)).toMatchObject({ behind: 0, waits: { length: 2 } });
    }
  });
});
