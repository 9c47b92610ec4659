import { describe, expect, it } from 'vitest';
import { dropOf, replayAsIs, replaySplit, segmentOfId, splitBy } from '@/lib/analysis/advice-split';
import { createSeededRandom } from '@/lib/analysis/replay-random';
import { recordingOf } from '@/lib/analysis/replay-record';
import { aRecordedHold } from './replay-samples';

/** Twenty that ask at once and hold for 10 ms each. */
const crowd = (idOf: (n: number) => string | null) =>
  recordingOf(
    Array.from({ length: 20 }, (_, n) =>
      aRecordedHold(n * 10, n * 10 + 10, { waitedMs: n * 10, businessId: idOf(n) }),
    ),
  );

describe('a split', () => {
  it('goes by what the holders say they lock for, where nearly all say', () => {
    expect(splitBy(crowd((n) => `order-${n}`))).toBe('business-id');
    expect(splitBy(crowd((n) => (n === 0 ? null : `order-${n}`)))).toBe('business-id');
    expect(splitBy(crowd((n) => (n < 5 ? null : `order-${n}`)))).toBe('any-segment');
    expect(splitBy(crowd(() => 'always the same'))).toBe('any-segment');
  });

  it('by business id keeps together what belongs together', () => {
    const recording = crowd((n) => (n < 18 ? 'busy' : `order-${n}`));
    const random = createSeededRandom(1);
    const then = replaySplit(recording, 8, { by: 'business-id', random });
    // Eighteen of the same id still wait for each other.
    expect(then.waiterMs).toBeGreaterThanOrEqual((17 * 18 * 10) / 2);
    const byChance = replaySplit(recording, 8, { by: 'any-segment', random });
    expect(byChance.waiterMs).toBeLessThan(then.waiterMs / 2);
  });

  it('is the same for the same seed', () => {
    const recording = crowd(() => null);
    const split = (seed: number): number =>
      replaySplit(recording, 4, { by: 'any-segment', random: createSeededRandom(seed) }).waiterMs;
    expect(split(5)).toBe(split(5));
    expect(split(5)).toBeLessThan(replayAsIs(recording).waiterMs);
  });

  it('finds the segment of an id as FNV-1a does', () => {
    // Of "a", by the authors' own table: 0xe40c292c.
    expect(segmentOfId('a', 2 ** 32)).toBe(0xe40c292c);
    expect(segmentOfId('', 2 ** 32)).toBe(0x811c9dc5);
  });

  it('drops by what is no longer waited', () => {
    expect(dropOf(4, 1)).toBe(0.75);
    expect(dropOf(4, 6)).toBe(-0.5);
    expect(dropOf(0, 0)).toBe(0);
  });
});
