import { describe, expect, it } from 'vitest';
import { inEnglish } from '@/lib/messages/in-english';
import { A, account, anAnalysis, B, crossed, SECOND } from '@/test/support/crossed-waits';
import { aHold, aLock, anOwner, aWaiter, START } from '@/test/support/records';

const endingsOf = (analysis: ReturnType<typeof anAnalysis>) =>
  analysis.takeEndings().map(({ sentences, evidence }) => [inEnglish(sentences), evidence]);

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
      const how = { endEvidence: 'observed', endedBy: i === 0 ? null : 'ada' } as const;
      lock.ended = [{ ...hold, end, endReason: i === 0 ? 'released' : 'force-released', ...how }];
    }
    analysis.judge(locks, START + 13 * SECOND);
    expect(analysis.deadlocks()).toMatchObject([
      {
        brokenBy: {
          ...{ lock: { key: 'acct:2' }, owner: B, reason: 'force-released' },
          ...{ by: 'ada', at: START + 11 * SECOND, evidence: 'observed' },
        },
      },
    ]);
    const [ending] = analysis.takeEndings();
    expect(ending).toMatchObject({
      finding: expect.stringMatching(/^deadlock:/),
      ...{ at: START + 11 * SECOND, actor: 'ada', evidence: 'observed' },
    });
    expect(inEnglish(ending?.sentences ?? [])).toBe(
      `Broken by ada, who released acct:2 by force; ${B} held it.`,
    );
    expect(analysis.takeEndings()).toEqual([]);
  });

  it('is told by who gave up where no hold ended', () => {
    const { analysis, locks } = told();
    const [first] = locks;
    if (first) first.queue = [];
    analysis.judge(locks, START + 13 * SECOND);
    expect(analysis.deadlocks()).toMatchObject([
      { brokenBy: { lock: { key: 'acct:1' }, owner: B, reason: 'wait-ended' } },
    ]);
    expect(endingsOf(analysis)).toEqual([
      [`Broken when ${B} no longer waited for acct:1.`, 'observed'],
    ]);
  });

  it.each([
    ['released', `Broken by ${A}: it released acct:1.`],
    ['lease-ended', `Broken when the lease of ${A} on acct:1 ended.`],
    ['evicted', `Broken when Redis dropped acct:1, held by ${A}, for memory.`],
    ['unknown', `Broken when ${A} held acct:1 no more; how that came was not seen.`],
    [null, `Broken when ${A} held acct:1 no more; how that came was not seen.`],
  ] as const)('is told with the evidence of the end: %s', (endReason, text) => {
    const { analysis, locks } = told();
    const [first] = locks;
    const hold = first?.hold;
    if (!first || !hold) throw new Error('the lock is held');
    first.hold = null;
    first.ended = [{ ...hold, end: START + 12 * SECOND, endReason, endEvidence: 'inferred' }];
    analysis.judge(locks, START + 13 * SECOND);
    expect(endingsOf(analysis)).toEqual([[text, 'inferred']]);
  });

  it('is said not to be seen where nothing tells', () => {
    const { analysis, locks } = told();
    for (const lock of locks) lock.hold = null;
    analysis.judge(locks, START + 13 * SECOND);
    expect(endingsOf(analysis)).toEqual([['What broke it was not seen.', 'unknown']]);
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
