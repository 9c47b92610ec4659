import { describe, expect, it } from 'vitest';
import { replayLock, replaySegments } from '@/lib/analysis/replay';
import { createSeededRandom } from '@/lib/analysis/replay-random';
import { recordingOf, withWaits } from '@/lib/analysis/replay-record';
import { aRecordedHold, exponential, poisson } from './replay-samples';

const spanOf = (arrivals: readonly { at: number }[]): number => arrivals.at(-1)?.at ?? 0;

describe('the replay of one lock', () => {
  it('serves first come first served, as by hand', () => {
    const arrivals = [
      { at: 0, holdMs: 10 },
      { at: 4, holdMs: 10 },
      { at: 5, holdMs: 1 },
      { at: 40, holdMs: 5 },
    ];
    // 0–10, then 12–22 and 24–25 with 2 ms of hand-off each; the last finds it free.
    const { waits, waiterMs, left } = replayLock(arrivals, { handoffMs: 2 });
    expect([...waits]).toEqual([0, 8, 19, 0]);
    expect({ waiterMs, left }).toEqual({ waiterMs: 27, left: 0 });
  });

  it('lets those go who have waited long enough, and they hold nothing', () => {
    const arrivals = [
      { at: 0, holdMs: 10 },
      { at: 1, holdMs: 50, leavesAt: 6 },
      { at: 2, holdMs: 10 },
    ];
    expect(replayLock(arrivals, { handoffMs: 0 })).toEqual({
      waits: Float64Array.of(0, 5, 8),
      waiterMs: 13,
      left: 1,
    });
  });

  it('has the first wait for who held it before', () => {
    const { waits } = replayLock([{ at: 5, holdMs: 1 }], { handoffMs: 0, busyUntil: 9 });
    expect([...waits]).toEqual([4]);
  });

  it.each([0.5, 0.8, 0.9])('agrees with M/D/1 at a load of %d', (load) => {
    const arrivals = poisson(400_000, load / 10, { holdMs: () => 10 });
    const waiting = replayLock(arrivals, { handoffMs: 0 }).waiterMs / spanOf(arrivals);
    // Pollaczek and Khinchine: ρ² / 2(1 − ρ) wait.
    const theory = load ** 2 / (2 * (1 - load));
    expect(waiting / theory).toBeCloseTo(1, 1);
  });

  it.each([0.5, 0.8, 0.9])('agrees with M/M/1 at a load of %d', (load) => {
    const arrivals = poisson(400_000, load / 10, { holdMs: exponential(10) });
    const waiting = replayLock(arrivals, { handoffMs: 0 }).waiterMs / spanOf(arrivals);
    expect(waiting / (load ** 2 / (1 - load))).toBeCloseTo(1, 1);
  });
});

describe('the replay of segments', () => {
  const arrivals = poisson(100_000, 0.09, { holdMs: exponential(10) });
  const split = (segments: number): number => {
    const random = createSeededRandom(7);
    const segmentOf = (): number => Math.floor(random() * segments);
    return replaySegments(arrivals, { handoffMs: 0, segments, segmentOf }).waiterMs;
  };

  it('agrees with as many M/M/1 of a part of the load each', () => {
    const load = 0.9 / 4;
    const theory = (4 * load ** 2) / (1 - load);
    expect(split(4) / spanOf(arrivals) / theory).toBeCloseTo(1, 1);
  });

  it('has less waiting the more there are', () => {
    const waiting = [1, 2, 4, 8, 10, 16].map(split);
    expect(waiting).toEqual(waiting.toSorted((a, b) => b - a));
    expect(new Set(waiting).size).toBe(waiting.length);
  });

  it('has the same waiting as one lock where all go to one of them', () => {
    const all = replaySegments(arrivals, { handoffMs: 0, segments: 4, segmentOf: () => 2 });
    expect(all.waiterMs).toBe(replayLock(arrivals, { handoffMs: 0 }).waiterMs);
  });
});

describe('a recording', () => {
  it('puts arrivals where the wait began and takes hand-offs from those that waited', () => {
    const { arrivals, handoffMs, busyUntil, waiterMs } = recordingOf([
      aRecordedHold(30, 40, { waitedMs: 15 }),
      aRecordedHold(0, 10),
      aRecordedHold(13, 28, { waitedMs: 8, businessId: 'b' }),
      aRecordedHold(90, 91),
    ]);
    expect(arrivals.map(({ at, holdMs }) => [at, holdMs])).toEqual([
      [0, 10],
      [5, 15],
      [15, 10],
      [90, 1],
    ]);
    expect(arrivals[1]?.businessId).toBe('b');
    expect({ handoffMs, busyUntil, waiterMs }).toEqual({
      handoffMs: 2.5,
      busyUntil: Number.NEGATIVE_INFINITY,
      waiterMs: 23,
    });
  });

  it('knows of the hold before the first by the wait for it', () => {
    expect(recordingOf([aRecordedHold(50, 60, { waitedMs: 20 })]).busyUntil).toBe(50);
  });

  it('has those that gave up wait for so long, and hold as the others do if granted', () => {
    const { arrivals, waiterMs } = recordingOf(
      [aRecordedHold(0, 100), aRecordedHold(100, 120, { waitedMs: 60 })],
      [{ start: 10, end: 40, businessId: null }],
    );
    expect(arrivals[1]).toMatchObject({ at: 10, holdMs: 60, leavesAt: 40 });
    expect(waiterMs).toBe(90);
  });

  it.each([
    ['in order', (queue: number[]) => queue.shift()],
    ['newest first', (queue: number[]) => queue.pop()],
  ])('of a lock that serves %s has the contention that was recorded', (_, next) => {
    const truth = poisson(20_000, 0.085, { seed: 3, holdMs: exponential(10) });
    const holds = serve(truth, next).map(({ at, start, end }) =>
      aRecordedHold(Math.round(start), Math.round(end), {
        waitedMs: Math.round(start) - Math.round(at),
      }),
    );
    const recording = recordingOf(holds);
    const replayed = replayLock(recording.arrivals, recording);
    expect(replayed.waiterMs / recording.waiterMs).toBeGreaterThan(0.98);
    expect(replayed.waiterMs / recording.waiterMs).toBeLessThan(1.02);
  });
});

describe('a wait that nobody told', () => {
  it('is none where the lock was free before, and else as those of the neighbours', () => {
    const holds = [
      aRecordedHold(0, 10),
      { ...aRecordedHold(50, 60), waitedMs: null },
      aRecordedHold(60, 70, { waitedMs: 8 }),
      { ...aRecordedHold(70, 80), waitedMs: null },
      { ...aRecordedHold(80, 90), waitedMs: null },
      aRecordedHold(90, 95, { waitedMs: 32 }),
    ];
    expect(withWaits(holds).map(({ start, waitedMs }) => start - waitedMs)).toEqual([
      ...[0, 50, 52],
      ...[54, 56, 58],
    ]);
  });

  it('in every third of a crowd changes the contention little', () => {
    const truth = poisson(5000, 0.085, { seed: 3, holdMs: exponential(10) });
    const holds = serve(truth, (queue) => queue.shift()).map(({ at, start, end }) =>
      aRecordedHold(start, end, { waitedMs: start - at }),
    );
    const seen = holds.map((hold, n) => (n % 3 === 0 ? { ...hold, waitedMs: null } : hold));
    const replayed = recordingOf(withWaits(seen));
    const ratio = replayLock(replayed.arrivals, replayed).waiterMs / recordingOf(holds).waiterMs;
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.05);
  });
});

/** What a lock with a hand-off of half a millisecond records, event by event; `next` takes one from those who wait. */
function serve(
  arrivals: readonly { at: number; holdMs: number }[],
  next: (queue: number[]) => number | undefined,
): { at: number; start: number; end: number }[] {
  const served: { at: number; start: number; end: number }[] = [];
  const queue: number[] = [];
  let freeAt = 0;
  let coming = 0;
  while (served.length < arrivals.length) {
    while (coming < arrivals.length && (arrivals[coming]?.at ?? 0) <= freeAt) queue.push(coming++);
    const isIdle = queue.length === 0;
    const chosen = isIdle ? coming++ : next(queue);
    const { at, holdMs } = arrivals[chosen ?? 0] ?? { at: 0, holdMs: 0 };
    const start = isIdle ? at : freeAt + 0.5;
    served.push({ at, start, end: start + holdMs });
    freeAt = start + holdMs;
  }
  return served;
}
