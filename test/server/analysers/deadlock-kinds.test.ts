import { describe, expect, it } from 'vitest';
import { A, account, anAnalysis, B, crossed, SECOND } from '@/test/support/crossed-waits';
import { aHold, aLock, anOwner, aWaiter, START } from '@/test/support/records';

describe('how a deadlock ended', () => {
  const told = () => {
    const analysis = anAnalysis();
    const locks = crossed();
    analysis.judge(locks, START + 10 * SECOND);
    return { analysis, locks };
  };

  it('is told by the hold that ended first', () => {
    const { analysis, locks } = told();
    for (const [i, lock] of locks.entries()) {
      const { hold } = lock;
      if (!hold) continue;
      lock.hold = null;
      const end = START + (12 - i) * SECOND;
      lock.ended = [{ ...hold, end, endReason: i === 0 ? 'released' : 'force-released' }];
    }
    analysis.judge(locks, START + 13 * SECOND);
    expect(analysis.deadlocks()).toMatchObject([
      { brokenBy: { lock: { key: 'acct:2' }, owner: B, reason: 'force-released' } },
    ]);
  });

  it('is told by who gave up where no hold ended', () => {
    const { analysis, locks } = told();
    const [first] = locks;
    if (first) first.queue = [];
    analysis.judge(locks, START + 13 * SECOND);
    expect(analysis.deadlocks()).toMatchObject([
      { brokenBy: { lock: { key: 'acct:1' }, owner: B, reason: 'wait-ended' } },
    ]);
  });
});

describe('a deadlock of other kinds of lock', () => {
  const permits = (ids: string[], waiter: string) =>
    aLock('pool', {
      formatId: 'qoder-semaphore',
      hold: aHold(ids[0] ?? '', { deadline: START + 20 * SECOND, depth: ids.length }),
      members: ids.map((id) => ({
        id,
        refreshedAt: null,
        deadline: START + (id === A ? 40 : 20) * SECOND,
        stale: false,
      })),
      queue: [aWaiter(waiter)],
    });

  it('through permits is told with each holder of one, and ends when the first permit does', () => {
    const analysis = anAnalysis();
    const C = 'C:3';
    const locks = [permits([A, B], C), account(1, C, A), account(2, C, B)];
    const [found] = analysis.judge(locks, START + 10 * SECOND);
    expect(found?.summary).toContain('none of these 3 owners can go on before another does');
    const [deadlock] = analysis.deadlocks();
    expect(
      deadlock?.cycle.map(({ owner, heldBy, needs, source }) => [owner, heldBy, needs, source]),
    ).toEqual([
      [A, C, 'and', 'fair-queue'],
      [C, A, 'or', 'semaphore'],
      [C, B, 'or', 'semaphore'],
      [B, C, 'and', 'fair-queue'],
    ]);
    expect(deadlock?.resolvesAt).toBe(START + 20 * SECOND);
  });

  it('is none while one permit is held by somebody who works', () => {
    const locks = [permits([A, B, 'free:1'], 'C:3'), account(1, 'C:3', A), account(2, 'C:3', B)];
    expect(anAnalysis().judge(locks, START + 10 * SECOND)).toEqual([]);
  });

  it('is none while a permit has run out that nobody has taken yet', () => {
    const pool = permits([A, B], 'C:3');
    pool.members.push({ id: 'gone:1', refreshedAt: null, deadline: START, stale: true });
    const locks = [pool, account(1, 'C:3', A), account(2, 'C:3', B)];
    expect(anAnalysis().judge(locks, START + 10 * SECOND)).toEqual([]);
  });

  const page = (readers: string[], queue: string[]) =>
    aLock('page', {
      formatId: 'qoder-read-write',
      hold: aHold(readers[0] ?? ''),
      members:
        readers.length < 2
          ? []
          : readers.map((id) => ({ id, refreshedAt: null, deadline: null, stale: false })),
      queue: queue.map((owner) => aWaiter(owner)),
    });

  it('is a writer that needs all readers, one of which waits for it', () => {
    const analysis = anAnalysis();
    expect(analysis.judge([page([B, A], ['W:1:write']), account(1, 'W:1', A)], START)).toHaveLength(
      1,
    );
    expect(analysis.deadlocks()[0]?.cycle.map(({ owner, heldBy }) => [owner, heldBy])).toEqual([
      [A, 'W:1'],
      ['W:1', A],
    ]);
  });

  it('is a reader behind a writer in the queue, who waits for a reader that waits for it', () => {
    const analysis = anAnalysis();
    const locks = [page([A], ['W:1:write', B]), account(1, B, A)];
    expect(analysis.judge(locks, START + 6 * SECOND)).toHaveLength(1);
    expect(
      analysis.deadlocks()[0]?.cycle.map(({ owner, heldBy, via }) => [owner, heldBy, via]),
    ).toEqual([
      [A, B, 'hold'],
      [B, 'W:1', 'queue'],
      ['W:1', A, 'hold'],
    ]);
    // Without the writer the reader is let in at once.
    expect(anAnalysis().judge([page([A], [B]), account(1, B, A)], START + 6 * SECOND)).toEqual([]);
  });

  it('counts those that are stuck behind it', () => {
    const analysis = anAnalysis();
    const behind = [
      { ...account(3, 'late:1', 'later:1'), queue: [aWaiter('later:1'), aWaiter('last:1')] },
      account(4, B, 'late:1'),
    ];
    const [found] = analysis.judge([...crossed(), ...behind], START + 10 * SECOND);
    expect(found?.summary).toContain('(3 more owners are stuck behind it)');
    expect(analysis.deadlocks()).toMatchObject([{ behind: 3, victim: { frees: 5 } }]);
  });

  it('costs nothing to break at a holder that is gone', () => {
    const gone = { ...anOwner(B), liveness: 'not-seen' as const };
    const locks = [account(1, A, B), account(2, B, A, { owner: gone, since: START - 90 * SECOND })];
    const [found] = anAnalysis().judge(locks, START + 10 * SECOND);
    expect(found?.remedy).toContain(`Release acct:2: its holder ${B} is gone, so that no work`);
  });
});
