import { describe, expect, it } from 'vitest';
import { createFollower, fateOf, replayLeases } from '@/test/perf/advice/lease-replay';
import { DAY_MS, LEASE_WORKLOADS, MINUTE_MS, type Work } from '@/test/perf/advice/lease-workloads';

const work = (workMs: number, fate: Partial<Work['fate']> = {}): Work => ({
  ...{ at: 0, workMs },
  fate: { crash: 1, when: 0, stall: 1, stallAt: 0, stallMs: 0, ...fate },
});

describe('what becomes of a hold', () => {
  it('is its work where nobody dies or stands still', () => {
    expect(fateOf(work(900), 1000)).toEqual({
      ...{ afterCrashMs: null, isLost: false, heldMs: 900, isCut: false },
    });
    expect(fateOf(work(5_000), 1000)).toMatchObject({ isLost: false, heldMs: 5_000 });
    expect(fateOf(work(5_000), 1000, false)).toMatchObject({ isLost: true, heldMs: 1000 });
  });

  it('is the rest of its lease after its holder died, from the last renewal on', () => {
    // Dies after 2,500 ms; renewed at 1,000 and 2,000 ms of a lease of 3,000.
    const died = fateOf(work(5_000, { crash: 0, when: 0.5 }), 3_000);
    expect(died).toEqual({ afterCrashMs: 2_500, isLost: false, heldMs: 5_000, isCut: true });
    expect(fateOf(work(5_000, { crash: 0, when: 0.1 }), 3_000).afterCrashMs).toBe(2_500);
  });

  it('is lost when its holder stands still until the lease is over', () => {
    const stalls = { stall: 0, stallAt: 0.5 };
    expect(fateOf(work(2_000, { ...stalls, stallMs: 2_100 }), 3_000).isLost).toBe(false);
    expect(fateOf(work(2_000, { ...stalls, stallMs: 3_100 }), 3_000).isLost).toBe(true);
  });
});

describe('following the recommendation', () => {
  it('knows no hold that is not over', () => {
    const follower = createFollower();
    const record = (at: number, heldMs: number): void =>
      follower.record(at, { ...fateOf(work(heldMs), 60_000), heldMs });
    for (let n = 0; n < 5_000; n++) record(n * 100_000, 2_000);
    const now = 7 * DAY_MS;
    for (let n = 0; n < 100; n++) record(now, 40_000);
    expect(follower.leaseAt(now + 30_000, 30_000)).toBeLessThan(2_100);
    // All of them are over a minute later, and half a minute after that clients have read of it.
    expect(follower.leaseAt(now + 3 * MINUTE_MS, 30_000)).toBeGreaterThan(30_000);
  });

  it('is the same whenever it is replayed', () => {
    const [workload] = LEASE_WORKLOADS;
    if (!workload) throw new Error('there is no workload');
    const options = { perSecond: 0.02, seed: 3, days: 1 };
    expect(replayLeases(workload, options)).toEqual(replayLeases(workload, options));
  });
});
