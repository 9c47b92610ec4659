import { describe, expect, it } from 'vitest';
import { lagging } from '@/test/perf/deadlock/lagging';
import { walk } from '@/test/perf/deadlock/walk';

describe('deadlocks in random histories of locks', () => {
  it('are those that a plain play of them leaves waiting, no more and no fewer', () => {
    const { checks, stuck, phantom, missed } = walk(20_000, 11);
    expect(checks).toBeGreaterThan(100);
    expect(stuck).toBeGreaterThan(100);
    expect([phantom, missed]).toEqual([0, 0]);
  });

  it('are told only if they stood, though each lock is seen at another time', () => {
    const { told, phantom } = lagging(10_000, 11);
    expect(told).toBeGreaterThan(50);
    expect(phantom).toBe(0);
  });
});
