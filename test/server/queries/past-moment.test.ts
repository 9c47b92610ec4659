import { describe, expect, it } from 'vitest';
import { firstAfter } from '@/server/queries/holds-around';
import { holdsKeptFrom } from '@/server/queries/past-moment';
import type { PastNameAndHold } from '@/server/queries/past-picture';
import { aHold } from './history-samples';

const DAY_MS = 86_400_000;
const NOW = 1000 * DAY_MS;

describe('from when on it is known who held what', () => {
  /** `recorded`: the first step of the target that history has. */
  const from = (
    oldest: number | null,
    startedAt: number,
    { cutAt = null, recorded = 0 }: { cutAt?: number | null; recorded?: number | null } = {},
  ) =>
    holdsKeptFrom(
      { history: { knownFrom: async () => recorded }, startedAt, now: () => NOW },
      { holds: { keepMs: 7 * DAY_MS, from: oldest }, cutAt },
    );

  it('is since the watch began, also while nothing has been held yet', async () => {
    expect(await from(null, NOW - 1000)).toBe(NOW - 1000);
    expect(await from(NOW - 500, NOW - 1000)).toBe(NOW - 1000);
  });

  it('is not since a hold of another target, or one that was there when the watch began', async () => {
    expect(await from(NOW - 500, NOW - 400, { recorded: null })).toBe(NOW - 400);
    expect(await from(NOW - 500, NOW - 100, { recorded: NOW - 300 })).toBe(NOW - 300);
  });

  it('is since the oldest hold where an earlier start of the console wrote it', async () => {
    expect(await from(NOW - 3 * DAY_MS, NOW - 1000)).toBe(NOW - 3 * DAY_MS);
  });

  it('is never longer ago than holds are kept', async () => {
    expect(await from(NOW - 9 * DAY_MS, NOW - 1000)).toBe(NOW - 7 * DAY_MS);
    expect(await from(NOW - DAY_MS, NOW - 9 * DAY_MS)).toBe(NOW - 7 * DAY_MS);
  });

  it('is since the oldest hold where older ones were cut off', async () => {
    expect(await from(NOW - DAY_MS, NOW - 9 * DAY_MS, { cutAt: NOW - 500 })).toBe(NOW - DAY_MS);
    expect(await from(null, NOW - 9 * DAY_MS, { cutAt: NOW - 500 })).toBe(NOW - 500);
  });
});

describe('the search for the first holds after a moment', () => {
  /** Reads holds that begin at these times after the moment, as history does: the newest first. */
  function over(starts: readonly number[]) {
    const asked: number[] = [];
    const read = (spanMs: number, limit: number): Promise<PastNameAndHold[]> => {
      asked.push(spanMs);
      const within = starts.filter((start) => start <= spanMs).toSorted((a, b) => b - a);
      return Promise.resolve(
        within.slice(0, limit).map((start) => aHold({ db: 0, key: 'k', start, end: start + 1 })),
      );
    };
    return { asked, read };
  }

  const first = async (starts: readonly number[], longestMs = 30 * DAY_MS) => {
    const { read } = over(starts);
    const { found, spanMs } = await firstAfter(read, longestMs);
    const told = found.map(({ past }) => past.start).toSorted((a, b) => a - b);
    // All of the span is told: nothing is left out in between.
    expect(told).toEqual(starts.filter((start) => start <= spanMs).toSorted((a, b) => a - b));
    return told[0];
  };

  it('finds it next to the moment, and far from it', async () => {
    expect(await first([3, 50_000])).toBe(3);
    expect(await first([20 * DAY_MS])).toBe(20 * DAY_MS);
    expect(await first([])).toBeUndefined();
  });

  it('finds it in a crowd, and before one', async () => {
    const crowd = Array.from({ length: 5000 }, (_, i) => 700_000 + i);
    expect(await first(crowd)).toBe(700_000);
    expect(await first([650_000, ...crowd])).toBe(650_000);
    expect(await first(Array.from({ length: 3000 }, (_, i) => i + 1))).toBe(1);
  });

  it('asks a few dozen times at most', async () => {
    const { asked, read } = over(Array.from({ length: 5000 }, (_, i) => 20 * DAY_MS + i));
    await firstAfter(read, 30 * DAY_MS);
    expect(asked.length).toBeLessThan(45);
  });
});
