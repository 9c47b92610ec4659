import { describe, expect, it } from 'vitest';
import { describeMs, describeTime } from '@/lib/analysis/duration';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe('a duration for people', () => {
  it.each([
    [0, '0 ms'],
    [-5, '0 ms'],
    [340.7, '340 ms'],
    [1500, '1.5 s'],
    [1999, '1.9 s'],
    [2000, '2 s'],
    [60 * SECOND, '60 s'],
    [119_999, '119 s'],
    [2 * MINUTE, '2 min'],
    [9 * MINUTE + 12 * SECOND, '9 m 12 s'],
    [47 * MINUTE + 59 * SECOND, '47 min'],
    [3 * HOUR + 20 * MINUTE, '3 h 20 m'],
    [24 * HOUR, '1 d'],
    [52 * HOUR, '2 d 4 h'],
  ])('writes %d ms as %s', (ms, text) => {
    expect(describeMs(ms)).toBe(text);
  });

  it('writes a time of day in UTC', () => {
    expect(describeTime(Date.UTC(2026, 0, 1, 14, 3, 10, 999))).toBe('14:03:10 UTC');
  });
});
