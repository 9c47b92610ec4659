import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import type { AlertCode } from '@/lib/protocol/alert';
import type { LockRecord } from '@/server/state/lock-record';
import { aHold, aLock, aTable, aTarget, aWaiter, inWords, START } from '@/test/support/records';

const SECOND = 1000;

function watching(code: AlertCode) {
  const analysis = createAnalysis({ longHoldMs: 60_000, noExpiryMs: 30_000 });
  return (lock: LockRecord, now: number) =>
    inWords(analysis.findings(aTable([lock]), aTarget(), now)).filter(
      (finding) => finding.code === code,
    );
}

const fair = (overrides: Parameters<typeof aLock>[1]) =>
  aLock('inv:9', { formatId: 'redisson-fair', ...overrides });

describe('an orphan queue', () => {
  it('is found when a queue is without a holder for more than two seconds', () => {
    const judge = watching('orphan-queue');
    const orphan = fair({ queue: [aWaiter('A'), aWaiter('B')] });
    expect(judge(orphan, START)).toEqual([]);
    expect(judge(orphan, START + 2 * SECOND)).toEqual([]);
    expect(judge(orphan, START + 3 * SECOND)).toMatchObject([
      {
        severity: 'warning',
        since: START,
        summary: '2 waiting for 3 s and nobody holds it; the first, A, has not taken it',
      },
    ]);
  });

  it('is critical when the first waiter is dead: its channel is empty or its deadline is over', () => {
    const silent = fair({ queue: [aWaiter('A', { alive: false }), aWaiter('B')] });
    const late = fair({ queue: [aWaiter('A', { deadline: START + SECOND }), aWaiter('B')] });
    for (const orphan of [silent, late]) {
      const judge = watching('orphan-queue');
      judge(orphan, START);
      const [found] = judge(orphan, START + 3 * SECOND);
      expect(found?.severity).toBe('critical');
      expect(found?.remedy).toContain('Drop the first waiter');
    }
  });

  it('does not come of hand-offs: each time somebody holds it the count begins anew', () => {
    const judge = watching('orphan-queue');
    const orphan = fair({ queue: [aWaiter('B')] });
    judge(orphan, START);
    judge(fair({ queue: [aWaiter('B')], hold: aHold('A') }), START + 2 * SECOND);
    expect(judge(orphan, START + 3 * SECOND)).toEqual([]);
    expect(judge(orphan, START + 5 * SECOND)).toEqual([]);
    expect(judge(orphan, START + 6 * SECOND)).toHaveLength(1);
  });
});

describe('a free lock that is waited for', () => {
  const free = (subscribers: number | null, generation = 1) =>
    aLock('inv:9', { formatId: 'redisson', subscribers, generation });

  it('is found after two seconds with subscribers and no holder', () => {
    const judge = watching('free-but-waited');
    expect(judge(free(2), START)).toEqual([]);
    expect(judge(free(2), START + 2 * SECOND)).toEqual([]);
    expect(judge(free(2), START + 2 * SECOND + 1)).toMatchObject([
      { severity: 'warning', evidence: 'observed' },
    ]);
    expect(judge(free(1), START + 3 * SECOND)[0]?.summary).toBe(
      'nobody has held it for 3 s, and 1 client instance still waits',
    );
    expect(judge(free(0), START + 4 * SECOND)).toEqual([]);
  });

  it('is not claimed of a lock that changes hands in between, or that was never probed', () => {
    const judge = watching('free-but-waited');
    for (let i = 0; i < 10; i++) expect(judge(free(2, i), START + i * SECOND)).toEqual([]);
    expect(judge(free(null, 99), START + 20 * SECOND)).toEqual([]);
    expect(judge(free(null, 99), START + 30 * SECOND)).toEqual([]);
  });
});

describe('a pile of waiters', () => {
  it('is found from twenty observed waiters on, whoever holds the lock', () => {
    const judge = watching('waiter-pileup');
    const queue = Array.from({ length: 20 }, (_, i) => aWaiter(`o${i}`));
    const lock = (generation: number) => fair({ queue, hold: aHold('A', { generation }) });
    judge(lock(1), START);
    const [first] = judge(lock(1), START + SECOND);
    expect(first?.summary).toBe('20 owners wait for it, held by A');
    expect(judge(lock(2), START + 2 * SECOND)[0]?.id).toBe(first?.id);
    expect(judge(fair({ queue: queue.slice(1), hold: aHold('A') }), START + 3 * SECOND)).toEqual(
      [],
    );
  });

  it('counts subscribed instances where there is no queue', () => {
    const judge = watching('waiter-pileup');
    const lock = aLock('inv:9', { formatId: 'redisson', subscribers: 31, hold: aHold('A') });
    judge(lock, START);
    expect(judge(lock, START + SECOND)[0]?.summary).toContain('31 client instances');
  });
});

describe('an owner that waits for itself', () => {
  it('is critical after a second, and says whether the lease ends it', () => {
    const judge = watching('self-wait');
    const lock = fair({ queue: [aWaiter('B'), aWaiter('A')], hold: aHold('A') });
    expect(judge(lock, START)).toEqual([]);
    const [found] = judge(lock, START + 2 * SECOND);
    expect(found).toMatchObject({
      severity: 'critical',
      summary: 'A holds it and asked for it again 2 s ago, which cannot be granted',
    });
    expect(found?.remedy).toContain('14:01:00 UTC');
  });

  it('is not found in entries that are past their deadline', () => {
    const judge = watching('self-wait');
    const stale = fair({ queue: [aWaiter('A', { deadline: START })], hold: aHold('A') });
    judge(stale, START + SECOND);
    expect(judge(stale, START + 9 * SECOND)).toEqual([]);
  });
});
