import { describe, expect, it } from 'vitest';
import type { ContendedFigures } from '@/test/perf/lock/sections';
import { whereBehind } from '@/test/perf/lock/standing';

const contended = (figures: Partial<ContendedFigures>): ContendedFigures => ({
  perSecond: 500,
  p50Ms: 20,
  p99Ms: 30,
  maxMs: 40,
  holdMs: 1,
  handOverMs: 0.2,
  p99OverIdeal: 2,
  maxMin: 1,
  commandsPerAcquire: 2,
  overlaps: 0,
  fencesOutOfOrder: 0,
  ...figures,
});

describe('where we are behind', () => {
  it('names every line on which a peer did better, and never the limit', () => {
    const measured = {
      uncontended: new Map([
        [
          16,
          new Map([
            ['plain', { perSecond: 100, ratio: 1 }],
            ['ours', { perSecond: 90, ratio: 0.9 }],
            ['verrou', { perSecond: 95, ratio: 0.95 }],
            ['redlock4', { perSecond: 70, ratio: 0.7 }],
          ]),
        ],
      ]),
      contended: new Map([
        ['plain', contended({ commandsPerAcquire: 1 })],
        ['ours', contended({})],
        ['verrou', contended({ commandsPerAcquire: 1.5, overlaps: 3, perSecond: 400 })],
      ]),
    };
    expect(whereBehind(measured)).toEqual([
      { line: 'uncontended.16.ratio', client: 'verrou', ours: 0.9, theirs: 0.95 },
      { line: 'contended.commandsPerAcquire', client: 'verrou', ours: 2, theirs: 1.5 },
    ]);
  });

  it('says nothing where nothing was measured', () => {
    expect(whereBehind({ uncontended: new Map(), contended: new Map() })).toEqual([]);
  });
});
