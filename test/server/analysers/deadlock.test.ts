import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import {
  aHold,
  aLock,
  aLostTarget,
  aTable,
  aTarget,
  anOwner,
  aWaiter,
  inWords,
  START,
} from '@/test/support/records';

const SECOND = 1000;
const A = '11111111-1111-4111-8111-111111111111:11';
const B = '22222222-2222-4222-8222-222222222222:22';

function anAnalysis() {
  const analysis = createAnalysis({ longHoldMs: 600_000, noExpiryMs: 600_000 });
  return {
    ...analysis,
    judge: (locks: readonly LockRecord[], now: number, target = aTarget()) =>
      inWords(analysis.findings(aTable(locks), target, now)).filter(
        (finding) => finding.code === 'deadlock',
      ),
  };
}

const account = (
  number: number,
  holder: string,
  waiter: string,
  hold: Partial<HoldRecord> = {},
  waitingSince: number | null = START + 5 * SECOND,
): LockRecord =>
  aLock(`acct:${number}`, {
    formatId: 'redisson-fair',
    hold: aHold(holder, { deadline: START + 30 * SECOND, leaseMs: 30 * SECOND, ...hold }),
    queue: [aWaiter(waiter, { since: waitingSince })],
  });

const crossed = () => [
  account(1, A, B),
  account(2, B, A, { since: START + 2 * SECOND, deadline: START + 45 * SECOND }),
];

describe('a deadlock in fair queues', () => {
  it('is told with its path, both locks and the oldest wait', () => {
    const analysis = anAnalysis();
    const [found, ...others] = analysis.judge(crossed(), START + 17 * SECOND);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      severity: 'critical',
      evidence: 'observed',
      moment: false,
      since: START + 5 * SECOND,
      subject: { kind: 'deadlock', label: 'acct:2, acct:1' },
    });
    expect(found?.summary).toBe(
      `${A} → acct:2 → ${B} → acct:1 → ${A}: each waits for the next, confirmed (every wait is in a queue); oldest wait 12 s`,
    );
    expect(analysis.deadlocks()).toMatchObject([
      {
        id: found?.subject.deadlockId,
        state: 'confirmed',
        target: 'main',
        since: START + 5 * SECOND,
        resolvedAt: null,
        cycle: [
          {
            owner: A,
            waitsFor: { db: 0, key: 'acct:2' },
            heldBy: B,
            waitingSince: START + 5 * SECOND,
            deadline: START + 45 * SECOND,
            renewed: false,
          },
          { owner: B, waitsFor: { key: 'acct:1' }, heldBy: A, deadline: START + 30 * SECOND },
        ],
      },
    ]);
  });

  it('is one incident however often and in whatever order it is checked', () => {
    const analysis = anAnalysis();
    const seen = new Set<string>();
    for (let i = 0; i < 20; i++) {
      const locks = i % 2 === 0 ? crossed() : crossed().toReversed();
      for (const { id, since } of analysis.judge(locks, START + (10 + i) * SECOND)) {
        seen.add(`${id} ${since}`);
      }
    }
    expect(seen.size).toBe(1);
    expect(analysis.deadlocks()).toHaveLength(1);
    expect(analysis.takeChangedDeadlocks()).toHaveLength(1);
    expect(analysis.takeChangedDeadlocks()).toEqual([]);
  });

  it('advises to release what the last to wait holds, and says which lease may end it', () => {
    const late = account(2, B, A, { since: START - 60 * SECOND, deadline: START + 45 * SECOND });
    const locks = [account(1, A, B, {}, START + 7 * SECOND), late];
    const [found] = anAnalysis().judge(locks, START + 10 * SECOND);
    expect(found?.remedy).toContain(`Release acct:2, held by ${B}, whose own wait began last`);
    const ends = 'ends at 14:00:30 UTC if the lease of acct:1 is not renewed before';
    expect(found?.remedy).toContain(ends);
  });

  it('is told by the services that wait, where they say who they are', () => {
    const by = (id: string, app: string) => ({ ...anOwner(id), app });
    const [one, two] = [by(A, 'planner'), by(B, 'docks')];
    const locks = [
      { ...account(1, A, B, { owner: one }), queue: [aWaiter(B, { by: two })] },
      { ...account(2, B, A, { owner: two }), queue: [aWaiter(A, { by: one })] },
    ];
    const [found] = anAnalysis().judge(locks, START + 10 * SECOND);
    const path = 'planner (…11111:11) → acct:2 → docks (…22222:22) → acct:1 → planner (…11111:11)';
    expect(found?.summary.startsWith(path)).toBe(true);
  });

  it('says that it does not end by itself while every hold is renewed or without expiry', () => {
    const renewed = { renewals: 3, renewalIntervalMs: 10_000, lastRenewalAt: START + 8 * SECOND };
    const analysis = anAnalysis();
    const locks = [account(1, A, B, renewed), account(2, B, A, { deadline: null })];
    const [found] = analysis.judge(locks, START + 10 * SECOND);
    expect(found?.remedy).toContain('does not end by itself');
    const steps = analysis.deadlocks()[0]?.cycle ?? [];
    expect(steps.map(({ deadline, renewed: is }) => [deadline, is])).toEqual([
      [null, false],
      [null, true],
    ]);
    analysis.judge(locks, START + 29 * SECOND);
    expect(analysis.deadlocks()[0]?.cycle[1]).toMatchObject({
      renewed: false,
      deadline: START + 30 * SECOND,
    });
  });

  it('ends as soon as one edge is gone, and is kept as it was', () => {
    const analysis = anAnalysis();
    const [found] = analysis.judge(crossed(), START + 10 * SECOND);
    analysis.takeChangedDeadlocks();
    const [first, second] = crossed();
    const released = [first, second && { ...second, hold: null }].filter((lock) => !!lock);
    expect(analysis.judge(released, START + 12 * SECOND)).toEqual([]);
    const [kept] = analysis.deadlocks();
    expect(kept).toMatchObject({
      id: found?.subject.deadlockId,
      state: 'resolved',
      resolvedAt: START + 12 * SECOND,
    });
    expect(kept?.cycle).toHaveLength(2);
    expect(analysis.takeChangedDeadlocks()).toMatchObject([{ id: kept?.id, state: 'resolved' }]);
  });

  it('of the same owners over new holds is a new incident', () => {
    const analysis = anAnalysis();
    const [first] = analysis.judge(crossed(), START + 10 * SECOND);
    analysis.judge([], START + 11 * SECOND);
    const again = [account(1, A, B, { generation: 2 }), account(2, B, A, { generation: 2 })];
    const [second] = analysis.judge(again, START + 20 * SECOND);
    expect(second?.id).not.toBe(first?.id);
    expect(analysis.deadlocks().map(({ state }) => state)).toEqual(['confirmed', 'resolved']);
  });

  it('is not claimed from waits that are over, from chains, or from one owner alone', () => {
    const analysis = anAnalysis();
    const expired = crossed().map((lock) => ({
      ...lock,
      queue: [aWaiter(lock.hold?.owner?.id === A ? B : A, { deadline: START + SECOND })],
    }));
    expect(analysis.judge(expired, START + 10 * SECOND)).toEqual([]);
    expect(analysis.judge([account(1, A, B), account(2, B, 'C:1')], START)).toEqual([]);
    expect(analysis.judge([account(1, A, A)], START)).toEqual([]);
    expect(analysis.deadlocks()).toEqual([]);
  });

  it('keeps locks of the same name in two databases apart', () => {
    const inDb1 = { ...account(1, B, A), db: 1 };
    const analysis = anAnalysis();
    expect(analysis.judge([account(1, A, B), inDb1], START + 10 * SECOND)).toHaveLength(1);
    expect(analysis.deadlocks()[0]?.cycle.map(({ waitsFor }) => waitsFor.db)).toEqual([1, 0]);
  });

  it('stays confirmed while the connection is lost, and dates an unseen wait from its first sight', () => {
    const analysis = anAnalysis();
    const locks = [account(1, A, B, {}, null), account(2, B, A, {}, null)];
    const [found] = analysis.judge(locks, START + 10 * SECOND);
    expect(found?.since).toBe(START + 10 * SECOND);
    expect(analysis.judge(locks, START + 20 * SECOND)[0]?.since).toBe(START + 10 * SECOND);
    const [kept] = analysis.judge(locks, START + 20 * SECOND);
    expect(analysis.judge([], START + 60 * SECOND, aLostTarget())).toEqual([kept]);
    expect(analysis.deadlocks()).toMatchObject([{ state: 'confirmed' }]);
  });

  it('is kept but not made by a queue that was not read again since the connection was lost', () => {
    const stale = crossed().map((lock) => ({ ...lock, waitersCurrent: false }));
    const [first, second] = crossed();
    const half = [first, second && { ...second, waitersCurrent: false }].filter((lock) => !!lock);
    const fresh = anAnalysis();
    expect(fresh.judge(half, START + 10 * SECOND)).toEqual([]);
    expect(fresh.deadlocks()).toEqual([]);
    const seasoned = anAnalysis();
    seasoned.judge(crossed(), START + 10 * SECOND);
    expect(seasoned.judge(stale, START + 11 * SECOND)).toHaveLength(1);
  });

  it('keeps the last hundred resolved ones, newest first', () => {
    const analysis = anAnalysis();
    for (let i = 0; i < 130; i++) {
      const generation = i + 1;
      const at = START + i * SECOND;
      analysis.judge([account(1, A, B, { generation }), account(2, B, A, { generation })], at);
      analysis.judge([], at + 500);
    }
    const kept = analysis.deadlocks();
    expect(kept).toHaveLength(100);
    expect(kept[0]?.resolvedAt).toBe(START + 129 * SECOND + 500);
  });
});
