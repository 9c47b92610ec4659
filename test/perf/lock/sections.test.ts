import { describe, expect, it } from 'vitest';
import {
  countFencesOutOfOrder,
  countOverlaps,
  maxMin,
  summarise,
  type Section,
} from '@/test/perf/lock/sections';

/** Worker, asked, entered, left. */
const section = (worker: number, askedAt: number, enteredAt: number, leftAt: number): Section => ({
  worker,
  askedAt,
  enteredAt,
  leftAt,
});

describe('overlaps of critical sections', () => {
  it('are none where each begins when the one before has ended', () => {
    expect(countOverlaps([section(1, 0, 2, 3), section(0, 0, 1, 2)])).toBe(0);
  });

  it('count each entry while somebody is inside', () => {
    const long = section(0, 0, 1, 10);
    expect(countOverlaps([long, section(1, 0, 2, 3), section(2, 0, 9, 11)])).toBe(2);
  });

  it('are seen in tokens that do not rise with the entries', () => {
    const withFence = (enteredAt: number, fence: number): Section => ({
      ...section(0, 0, enteredAt, enteredAt),
      fence,
    });
    expect(countFencesOutOfOrder([withFence(1, 5), withFence(2, 6)])).toBe(0);
    expect(countFencesOutOfOrder([withFence(1, 5), withFence(2, 5), withFence(3, 4)])).toBe(2);
  });
});

describe('the figures of one run', () => {
  const run = { unserved: [], commands: 6, workers: 2, startsAt: 10, endsAt: 20 };

  it('count entries in the window only', () => {
    const sections = [
      section(0, 8, 9, 10),
      section(0, 10, 11, 13),
      section(1, 10, 13, 15),
      section(0, 13, 15, 17),
      section(1, 19, 21, 22),
    ];
    const figures = summarise({ ...run, sections });
    expect(figures).toMatchObject({ perSecond: 300, holdMs: 2, commandsPerAcquire: 2, maxMin: 2 });
    expect(figures.maxMs).toBe(3);
    expect(figures.handOverMs).toBe(0);
    expect(figures.p99OverIdeal).toBe(3 / 4);
  });

  it('tell how long nobody was inside between two', () => {
    const sections = [section(0, 10, 11, 12), section(1, 10, 12.5, 13), section(0, 12, 13.5, 14)];
    expect(summarise({ ...run, sections }).handOverMs).toBe(0.5);
  });

  it('do not forget a wait that was not over at the end', () => {
    const sections = [section(0, 10, 11, 12)];
    const unserved = [{ worker: 1, askedAt: 5, givenUpAt: 105 }];
    expect(summarise({ ...run, sections, unserved }).maxMs).toBe(100);
  });

  it('take a worker that never entered for one that entered once', () => {
    expect(maxMin([section(0, 0, 1, 2), section(0, 2, 3, 4)], 3)).toBe(2);
  });
});
