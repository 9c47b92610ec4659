import { describe, expect, it } from 'vitest';
import { heldTogether, nestedPairs, replayGrouped } from '@/lib/analysis/replay-group';
import type { RecordedHold } from '@/lib/analysis/replay-record';
import { withOwners } from '@/lib/analysis/replay-unseen';
import { aRecordedHold, ordersAndReconciliations, simulateLocks } from './replay-samples';

const held = (
  lock: string,
  owner: string | null,
  [start, end]: [number, number],
  waitedMs = 0,
): RecordedHold => aRecordedHold(start, end, { lock, owner, waitedMs });

describe('what an owner holds together', () => {
  it('is what it held at the same time, nested or overlapping', () => {
    const runs = heldTogether([
      held('b', 'o1', [5, 8]),
      held('a', 'o1', [0, 10]),
      held('c', 'o1', [9, 14]),
      held('a', 'o1', [20, 30]),
      held('b', 'o2', [21, 22]),
    ]);
    expect(
      runs.map(({ holds, start, end }) => [holds.map(({ lock }) => lock), start, end]),
    ).toEqual([
      [['a', 'b', 'c'], 0, 14],
      [['a'], 20, 30],
      [['b'], 21, 22],
    ]);
  });

  it('is nothing else where nobody saw the owner', () => {
    expect(heldTogether([held('a', null, [0, 10]), held('b', null, [2, 8])])).toHaveLength(2);
  });

  it('makes pairs, named in the order in which they are mostly taken', () => {
    const holds = [
      held('pay:1', 'o3', [0, 9]),
      held('order:1', 'o3', [1, 5]),
      held('order:1', 'o1', [10, 20]),
      held('pay:1', 'o1', [13, 19], 2),
      held('order:2', 'o2', [15, 20]),
      held('pay:2', 'o2', [16, 19]),
    ];
    const classOf = ({ lock }: RecordedHold): string => lock.replace(/\d/, '*');
    expect(nestedPairs(holds, classOf)).toEqual([
      { outer: 'order:*', inner: 'pay:*', times: 3, heldMs: 24, insideMs: 2 },
    ]);
  });
});

describe('an owner whom nobody saw', () => {
  const isOuter = ({ lock }: RecordedHold): boolean => lock === 'a';
  const ownersOf = (holds: readonly RecordedHold[]): (string | null)[] =>
    withOwners(holds, isOuter).map(({ owner }) => owner);

  it('is that of the outer hold that has no inner one, of those within it the last', () => {
    const holds = [held('a', 'o1', [0, 50]), held('b', null, [5, 20]), held('b', null, [40, 49])];
    expect(ownersOf(holds)).toEqual(['o1', null, 'o1']);
  });

  it('is that of the inner hold, where the outer one is not known', () => {
    expect(ownersOf([held('a', null, [0, 50]), held('b', 'o1', [40, 50])])).toEqual(['o1', 'o1']);
  });

  it('is one of both where neither is known, and no other than before where both are', () => {
    const [a, b] = ownersOf([held('a', null, [0, 50]), held('b', null, [40, 50])]);
    expect(a).toBe(b);
    expect(a).not.toBeNull();
    expect(ownersOf([held('a', 'o1', [0, 50]), held('b', 'o2', [40, 50])])).toEqual(['o1', 'o2']);
  });

  it('is not that of a hold that reaches beyond the outer one', () => {
    expect(ownersOf([held('a', 'o1', [0, 50]), held('b', null, [40, 51])])).toEqual(['o1', null]);
  });

  it('in every fifth hold changes what a grouping is foretold little', () => {
    const holds = simulateLocks(ordersAndReconciliations(120));
    const seen = holds.map((hold, n) => (n % 5 === 0 ? { ...hold, owner: null } : hold));
    const isAccount = ({ lock }: RecordedHold): boolean => lock === 'account';
    const truth = replayGrouped(holds).grouped.waiterMs;
    const known = replayGrouped(withOwners(seen, isAccount)).grouped.waiterMs;
    expect(known / truth).toBeGreaterThan(0.95);
    expect(known / truth).toBeLessThan(1.05);
    expect(replayGrouped(seen).grouped.waiterMs / truth).toBeGreaterThan(1.5);
  });
});

describe('the replay of locks taken as one', () => {
  it('spares the owner the second wait, as by hand', () => {
    const holds = [
      // Alone at b for 40.
      held('b', 'q', [0, 40]),
      // Takes a, then waits 30 for b behind q; two more wait for a meanwhile.
      held('a', 'p1', [10, 50]),
      held('b', 'p1', [40, 50], 30),
      held('a', 'p2', [50, 60], 38),
      held('b', 'p2', [50, 60]),
    ];
    const { now, grouped, together, groups } = replayGrouped(holds);
    expect(now.waiterMs).toBe(30 + 38);
    // One lock: q 0–40, p1 40–50 (asked at 10), p2 50–60 (asked at 12).
    expect([...grouped.waits]).toEqual([0, 30, 38]);
    expect({ together, groups }).toEqual({ together: 2, groups: 1 });
  });

  it('foretells what one lock records of the same visits', () => {
    const visits = ordersAndReconciliations(120);
    const waitedMs = (holds: readonly RecordedHold[]): number =>
      holds.reduce((sum, hold) => sum + hold.waitedMs, 0);
    const holds = simulateLocks(visits);
    const asOne = simulateLocks(visits.map((visit) => ({ ...visit, locks: ['both'] })));
    const { now, grouped } = replayGrouped(holds);
    expect(now.waiterMs / waitedMs(holds)).toBeCloseTo(1, 2);
    expect(grouped.waiterMs / waitedMs(asOne)).toBeCloseTo(1, 2);
    expect(grouped.waiterMs / now.waiterMs).toBeLessThan(0.58);
  });

  it('shows that it makes things worse where others need only one of the two', () => {
    const holds = [
      ...Array.from({ length: 20 }, (_, i) => held('a', `a${i}`, [i * 100, i * 100 + 60])),
      ...Array.from({ length: 20 }, (_, i) => held('b', `b${i}`, [i * 100 + 10, i * 100 + 70])),
      held('a', 'both', [2000, 2010]),
      held('b', 'both', [2001, 2009]),
    ];
    const { now, grouped } = replayGrouped(holds);
    expect(now.waiterMs).toBe(0);
    expect(grouped.waiterMs).toBeGreaterThan(1000);
  });

  it('keeps groups apart that nobody holds together', () => {
    const holds = [1, 2, 3].flatMap((n) => [
      held(`order:${n}`, `o${n}`, [0, 10]),
      held(`pay:${n}`, `o${n}`, [1, 9]),
    ]);
    expect(replayGrouped(holds)).toMatchObject({
      groups: 3,
      together: 3,
      now: { waiterMs: 0 },
      grouped: { waiterMs: 0 },
    });
  });
});
