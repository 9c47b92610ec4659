import { describe, expect, it } from 'vitest';
import { sampleWaits } from '@/components/gallery/waits';
import { changeOf } from '@/components/waits/marker-change';
import { waitHolders } from '@/components/waits/wait-holders';
import { classesCsv, distributionCsv, seriesCsv, slowestCsv } from '@/components/waits/waits-csv';
import { readWaitsView, waitsQuery } from '@/components/waits/waits-view';
import type { PastHold } from '@/lib/protocol/lock';
import type { PastWait } from '@/lib/protocol/measures';

const NOW = Date.UTC(2026, 0, 15, 12);
const view = (search: string) => readWaitsView((name) => new URLSearchParams(search).get(name));

describe('the address of the waits', () => {
  it('asks for the last hour of everything by default', () => {
    expect(waitsQuery(view(''), NOW)).toEqual({});
  });

  it('asks for the marker while it lies within what is shown', () => {
    const marker = NOW - 30 * 60_000;
    expect(waitsQuery(view(`marker=${marker}`), NOW)).toEqual({ marker });
    expect(waitsQuery(view(`marker=${marker}&range=15m`), NOW)).not.toHaveProperty('marker');
    expect(waitsQuery(view('marker=soon'), NOW)).toEqual({});
  });

  it('names the bars that are drawn', () => {
    expect(view('bars=cumulative').bars).toBe('cumulative');
    expect(view('bars=pie').bars).toBe('share');
  });
});

const hold = (owner: string | null, start: number, end: number | null): PastHold => ({
  generation: 1,
  owner,
  start,
  end,
  endReason: end === null ? null : 'released',
  evidence: 'observed',
  renewals: 0,
  maxDepth: 1,
  endedBy: null,
  lateReleaseMs: null,
  notes: [],
});

const wait = (heldBy: PastHold[], heldByMore = 0): PastWait => ({
  db: 0,
  key: 'k',
  keyB64: 'aw',
  class: 'k',
  namespace: '',
  owner: 'w',
  start: 1000,
  end: 2000,
  source: 'report',
  evidence: 'observed',
  outcome: 'granted',
  heldBy,
  heldByMore,
});

describe('who held the lock during a wait', () => {
  it('is told by the part of each hold within it, the longest holder first', () => {
    const { holders, freeMs, parts } = waitHolders(
      wait([hold('a', 500, 1200), hold('b', 1300, 1900), hold('a', 1900, 2500)]),
    );
    expect(holders).toEqual([
      { owner: 'b', heldMs: 600, share: 0.6, at: 1300 },
      { owner: 'a', heldMs: 300, share: 0.3, at: 1000 },
    ]);
    expect(freeMs).toBe(100);
    expect(parts.map(({ left, width }) => [left, width])).toEqual([
      [0, 0.2],
      [0.3, 0.6],
      [0.9, 0.1],
    ]);
  });

  it('counts no time twice as free under holds that overlap', () => {
    expect(waitHolders(wait([hold('a', 900, 1800), hold('b', 1000, 1500)])).freeMs).toBe(200);
  });

  it('lets a hold that goes on cover the rest', () => {
    expect(waitHolders(wait([hold(null, 1500, null)]))).toMatchObject({
      holders: [{ owner: null, heldMs: 500 }],
      freeMs: 500,
    });
  });

  it('says nothing of free time where holds are left out', () => {
    expect(waitHolders(wait([hold('a', 1000, 1100)], 3)).freeMs).toBeNull();
  });
});

describe('the change from before to after', () => {
  it('is a share of what was before', () => {
    expect(changeOf(100, 258)).toEqual({ kind: 'more', share: 1.58 });
    expect(changeOf(200, 100)).toEqual({ kind: 'less', share: 0.5 });
  });

  it('is none within the error of a percentile', () => {
    expect(changeOf(100, 101)).toEqual({ kind: 'same' });
    expect(changeOf(0, 0)).toEqual({ kind: 'same' });
  });

  it('is not told where a side is not known, nor from nothing', () => {
    expect(changeOf(null, 5)).toEqual({ kind: 'unknown' });
    expect(changeOf(0, 5)).toEqual({ kind: 'unknown' });
  });
});

describe('the tables for spreadsheets', () => {
  const data = sampleWaits(NOW);
  const lines = (text: string) => text.trimEnd().split('\r\n');

  it('have a line for each step, empty where nothing is known', () => {
    const [head, ...rows] = lines(seriesCsv(data));
    expect(head?.split(',')).toHaveLength(14);
    expect(rows).toHaveLength(data.series.length);
    const unknown = data.series.findIndex(({ waits }) => waits === null);
    expect(rows[unknown]?.endsWith(','.repeat(12))).toBe(true);
  });

  it('have waits apart by how they are known, which add up', () => {
    const [head, ...rows] = lines(distributionCsv(data));
    expect(head).toBe('up_to_ms,waits,waits_observed,waits_inferred,holds');
    for (const row of rows) {
      const [, waits = 0, observed = 0, inferred = 0] = row.split(',').map(Number);
      expect(observed + inferred).toBe(waits);
    }
  });

  it('have no number of waits where none can be seen', () => {
    const row = lines(classesCsv(data)).find((line) => line.includes(',unknown,'));
    expect(row).toContain(',unknown,,,,,');
  });

  it('have a line for each of the slowest waits', () => {
    expect(lines(slowestCsv(data))).toHaveLength(data.slowest.length + 1);
  });
});
