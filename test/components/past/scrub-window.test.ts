import { describe, expect, it } from 'vitest';
import {
  gapShares,
  keyStepMs,
  localTextMs,
  offeredSpans,
  rangeEndingAt,
  scrubWindow,
  spanFor,
} from '@/components/past/scrub-window';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 30, 14, 15);
const KEPT = NOW - 7 * 24 * HOUR;

const windowOf = (at: number | null, more: Partial<Parameters<typeof scrubWindow>[0]> = {}) =>
  scrubWindow({ spanMs: HOUR, at, now: NOW, keptFrom: KEPT, ...more });

describe('what the scrubber spans', () => {
  it('reaches up to the present while the moment lies in that', () => {
    expect(windowOf(null)).toEqual({ from: NOW - HOUR, to: NOW });
    expect(windowOf(NOW - 59 * MINUTE)).toEqual({ from: NOW - HOUR, to: NOW });
  });

  it('lies around an older moment, and stands still while one scrubs nearby', () => {
    const at = NOW - 30 * HOUR;
    const { from, to } = windowOf(at);
    expect(to - from).toBe(HOUR);
    expect(at).toBeGreaterThanOrEqual(from + HOUR / 4);
    expect(at).toBeLessThanOrEqual(to - HOUR / 4);
    const inSameHalf = Math.floor(at / (HOUR / 2)) * (HOUR / 2);
    expect(windowOf(inSameHalf)).toEqual({ from, to });
  });

  it('begins where history begins, and never beyond the moment', () => {
    expect(windowOf(null, { keptFrom: NOW - 10 * MINUTE }).from).toBe(NOW - 10 * MINUTE);
    const before = windowOf(KEPT - 24 * HOUR);
    expect(before.from).toBeLessThanOrEqual(KEPT - 24 * HOUR);
    expect(before.to).toBeGreaterThan(before.from);
  });

  it('is never shorter than a minute, nor longer than what has been', () => {
    expect(windowOf(null, { keptFrom: NOW - 5 })).toEqual({ from: NOW - MINUTE, to: NOW });
    expect(windowOf(null, { keptFrom: null })).toEqual({ from: NOW - MINUTE, to: NOW });
    expect(windowOf(NOW - HOUR - 1).to).toBeLessThanOrEqual(NOW);
  });
});

describe('the spans to choose from', () => {
  it('end with the first that covers all that is kept', () => {
    expect(offeredSpans(5 * MINUTE)).toEqual(['10m']);
    expect(offeredSpans(3 * HOUR)).toEqual(['10m', '1h', '6h']);
    expect(offeredSpans(90 * 24 * HOUR)).toEqual(['10m', '1h', '6h', '24h', '7d']);
  });

  it('begin with one that reaches back to the moment', () => {
    expect(spanFor(null, NOW)).toBe('10m');
    expect(spanFor(NOW - 12 * MINUTE, NOW)).toBe('1h');
    expect(spanFor(NOW - 90 * 24 * HOUR, NOW)).toBe('7d');
  });
});

describe('the keys of the scrubber', () => {
  it.each([
    ['ArrowLeft', false, -1000],
    ['ArrowRight', false, 1000],
    ['ArrowLeft', true, -MINUTE],
    ['ArrowUp', true, MINUTE],
    ['PageDown', false, -10 * MINUTE],
    ['PageUp', false, 10 * MINUTE],
    ['Home', false, null],
    ['a', false, null],
  ])('%s (shift: %s) moves by %s ms', (key, shiftKey, step) => {
    expect(keyStepMs({ key, shiftKey })).toBe(step);
  });
});

describe('gaps on the line', () => {
  const gap = (from: number, to: number | null) => ({ from, to, reason: 'buffer-cut' as const });
  const window = { from: 1000, to: 2000 };

  it('lie where they were, cut at the ends', () => {
    const shares = gapShares([gap(0, 1250), gap(1500, 1600), gap(1900, null)], window);
    expect(shares.map(({ left, width }) => [left, width])).toEqual([
      [0, 0.25],
      [0.5, 0.1],
      [0.9, 0.1],
    ]);
  });

  it('are left out where they are outside', () => {
    expect(gapShares([gap(0, 1000), gap(2000, 3000)], window)).toEqual([]);
  });
});

describe('an exact time', () => {
  it('comes back to the millisecond', () => {
    const at = new Date(2026, 10, 3, 4, 5, 6, 7).getTime();
    expect(localTextMs(at)).toBe('2026-11-03T04:05:06.007');
    expect(new Date(localTextMs(at)).getTime()).toBe(at);
  });
});

describe('a range that ends at the moment', () => {
  const of = (query: string) => {
    const params = new URLSearchParams(query);
    return rangeEndingAt((name) => params.get(name), NOW);
  };

  it('is as long as the one in the address', () => {
    expect(of(`range=3h&from=${NOW - HOUR}&to=${NOW - 5 * MINUTE}`)).toEqual({
      from: NOW - 55 * MINUTE,
      to: NOW,
    });
  });

  it('is left to the page where the address names none', () => {
    expect(of('range=3h')).toEqual({});
    expect(of('from=x&to=5')).toEqual({});
    expect(of('from=9&to=5')).toEqual({});
  });
});
