import { describe, expect, it } from 'vitest';
import { A, account, anAnalysis, B, check, crossed, SECOND } from '@/test/support/crossed-waits';
import { aLostTarget, anOwner, aWaiter, START } from '@/test/support/records';

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

  it('advises to release what cost its holder the least, and says which lease may end it', () => {
    const late = account(2, B, A, { since: START - 60 * SECOND, deadline: START + 45 * SECOND });
    const locks = [account(1, A, B, {}, START + 7 * SECOND), late];
    const analysis = anAnalysis();
    // Until then its library may yet renew the lease, as it does by default.
    const [found] = analysis.judge(locks, START + 20 * SECOND + 1);
    expect(found?.remedy).toContain(
      `Release acct:1, held by ${A}: that lets 2 owners go on and costs 5 s of its holder’s work`,
    );
    const ends = 'ends at 14:00:30 UTC if the lease of acct:1 is not renewed before';
    expect(found?.remedy).toContain(ends);
    expect(analysis.deadlocks()).toMatchObject([
      {
        resolvesAt: START + 30 * SECOND,
        victim: { lock: { key: 'acct:1' }, owner: A, frees: 2, lostMs: 5 * SECOND },
        behind: 0,
      },
    ]);
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

  it('is unlikely to end by itself where the library renews by default, until a renewal is missed', () => {
    const locks = [account(1, A, B), account(2, B, A)];
    const analysis = anAnalysis();
    const [found] = analysis.judge(locks, START + 10 * SECOND);
    expect(found?.remedy).toContain('It is unlikely to end by itself: Redisson fair lock');
    expect(found?.remedy).not.toContain('ends at');
    expect(analysis.deadlocks()).toMatchObject([{ resolvesAt: null }]);
    const renewals = () =>
      analysis.deadlocks()[0]?.cycle.map(({ renewed, likelyRenewed }) => [renewed, likelyRenewed]);
    expect(renewals()).toEqual(Array(2).fill([false, true]));
    const [later] = analysis.judge(locks, START + 20 * SECOND + 1);
    expect(later?.remedy).toContain('ends at 14:00:30 UTC');
    expect(analysis.deadlocks()).toMatchObject([{ resolvesAt: START + 30 * SECOND }]);
    expect(renewals()).toEqual(Array(2).fill([false, undefined]));
  });

  it.each([
    ['a lease that somebody named', { leaseMs: 15_000, deadline: START + 15 * SECOND }],
    ['a holder that wrote that it has finished', { finishedAt: START + SECOND }],
  ])('ends with %s, though the library renews by default', (_, over) => {
    const analysis = anAnalysis();
    const locks = [account(1, A, B, over), account(2, B, A, { deadline: null, leaseMs: null })];
    const [found] = analysis.judge(locks, START + 2 * SECOND);
    expect(found?.remedy).toContain('Otherwise it ends at');
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

  it('of the same owners over new holds is another one', () => {
    const analysis = anAnalysis();
    const [first] = analysis.judge(crossed(), START + 10 * SECOND);
    const of = { generation: 2, since: START + 20 * SECOND };
    const again = [
      account(1, A, B, of, START + 21 * SECOND),
      account(2, B, A, of, START + 21 * SECOND),
    ];
    const [second] = analysis.judge(again, START + 22 * SECOND);
    expect([first?.since, second?.since]).toEqual([START + 5 * SECOND, START + 21 * SECOND]);
    expect(analysis.deadlocks().map(({ state }) => state)).toEqual(['confirmed', 'resolved']);
    expect(analysis.takeChangedDeadlocks().map(({ state, since }) => [state, since])).toEqual([
      ['resolved', START + 5 * SECOND],
      ['confirmed', START + 21 * SECOND],
    ]);
  });

  it('that is out of sight for a moment and back unchanged is the same', () => {
    const analysis = anAnalysis();
    const locks = crossed();
    const [first] = analysis.judge(locks, START + 10 * SECOND);
    expect(analysis.judge([], START + 11 * SECOND)).toEqual([]);
    const [second] = analysis.judge(locks, START + 12 * SECOND);
    expect(second?.id).toBe(first?.id);
    expect(second?.since).toBe(first?.since);
    expect(analysis.deadlocks().map(({ state }) => state)).toEqual(['confirmed']);
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
      const hold = { generation, since: at };
      analysis.judge([account(1, A, B, hold, at), account(2, B, A, hold, at)], at);
      analysis.judge([], at + 500);
    }
    const kept = analysis.deadlocks();
    expect(kept).toHaveLength(100);
    expect(kept[0]?.resolvedAt).toBe(START + 129 * SECOND + 500);
  });
});

describe('a deadlock before it is told', () => {
  it('has each of its locks read again, and waits for all of them', () => {
    const analysis = anAnalysis();
    const locks = crossed();
    const [one, two] = locks;
    expect(analysis.meet(locks, START + 6 * SECOND)).toEqual([]);
    expect(analysis.toCheck()).toEqual([
      { db: 0, key: 'acct:2' },
      { db: 0, key: 'acct:1' },
    ]);
    expect(analysis.toCheck()).toEqual([]);
    if (one) check(one, START + 6100);
    expect(analysis.meet(locks, START + 6250)).toEqual([]);
    expect(analysis.deadlocks()).toEqual([]);
    if (two) check(two, START + 6300);
    expect(analysis.meet(locks, START + 6500)).toHaveLength(1);
    expect(analysis.deadlocks()[0]?.cycle.map(({ checkedAt }) => checkedAt)).toEqual([
      START + 6300,
      START + 6100,
    ]);
  });

  it('is not told when it is broken meanwhile', () => {
    const analysis = anAnalysis();
    const locks = crossed();
    analysis.meet(locks, START + 6 * SECOND);
    for (const lock of locks) check(lock, START + 6100);
    const [first] = locks;
    expect(analysis.meet(first ? [first] : [], START + 6250)).toEqual([]);
    expect(analysis.deadlocks()).toEqual([]);
    expect(analysis.takeChangedDeadlocks()).toEqual([]);
    // Met anew, it is checked anew.
    expect(analysis.meet(locks, START + 7 * SECOND)).toEqual([]);
    expect(analysis.toCheck()).toHaveLength(2);
  });

  it('is met anew when a wait was left and begun again in between', () => {
    const analysis = anAnalysis();
    const locks = crossed();
    analysis.meet(locks, START + 6 * SECOND);
    for (const lock of locks) check(lock, START + 6100);
    const [first] = locks;
    const [waiter] = first?.queue ?? [];
    if (first && waiter) first.queue = [{ ...waiter, deadline: START + 400 * SECOND }];
    analysis.toCheck();
    expect(analysis.meet(locks, START + 6250)).toEqual([]);
    expect(analysis.toCheck()).toHaveLength(2);
    for (const lock of locks) check(lock, START + 6300);
    expect(analysis.meet(locks, START + 6500)).toHaveLength(1);
  });

  it('is asked for again when no answer comes', () => {
    const analysis = anAnalysis();
    const locks = crossed();
    analysis.meet(locks, START + 6 * SECOND);
    analysis.toCheck();
    analysis.meet(locks, START + 6250);
    expect(analysis.toCheck()).toEqual([]);
    analysis.meet(locks, START + 6500);
    expect(analysis.toCheck()).toHaveLength(2);
  });

  it('is known by reports before any queue was read, and told once the queues say the same', () => {
    const analysis = anAnalysis();
    const [one, two] = crossed();
    if (!one || !two) throw new Error('two locks are made');
    const queue = two.queue;
    two.queue = [];
    two.reported = new Map([[A, { since: START + 5 * SECOND, businessId: null }]]);
    expect(analysis.judge([one, two], START + 6 * SECOND)).toEqual([]);
    two.queue = queue;
    expect(analysis.judge([one, two], START + 7 * SECOND)).toHaveLength(1);
    expect(analysis.deadlocks()[0]?.cycle.map(({ source }) => source)).toEqual([
      'report',
      'fair-queue',
    ]);
  });
});

describe('a deadlock over a restart of the console', () => {
  it('is the same incident when it is found again', () => {
    const before = anAnalysis();
    const [first] = before.judge(crossed(), START + 10 * SECOND);
    const after = anAnalysis();
    after.restoreDeadlocks(before.deadlocks());
    expect(after.deadlocks()).toMatchObject([{ state: 'confirmed' }]);
    // Since when they wait is not known any more, nor which hold of theirs it was.
    const locks = [
      account(1, A, B, { generation: 9 }, null),
      account(2, B, A, { generation: 7 }, null),
    ];
    const [second] = after.judge(locks, START + 60 * SECOND);
    expect([second?.id, second?.since]).toEqual([first?.id, first?.since]);
    expect(after.deadlocks()).toHaveLength(1);
  });

  it('that is not found again within half a minute ended while nobody watched', () => {
    const before = anAnalysis();
    before.judge(crossed(), START + 10 * SECOND);
    const after = anAnalysis();
    after.restoreDeadlocks(before.deadlocks());
    after.judge([], START + 60 * SECOND);
    expect(after.takeChangedDeadlocks()).toEqual([]);
    after.judge([], START + 91 * SECOND);
    expect(after.takeChangedDeadlocks()).toMatchObject([
      { state: 'resolved', resolvedAt: START + 91 * SECOND },
    ]);
    expect(after.deadlocks()).toEqual([]);
  });
});
