import { describe, expect, it } from 'vitest';
import { formatTable } from '@/lib/formats';
import { createAnalysis } from '@/server/analysers';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { aHold, aLock, anEndedHold, aTable, aTarget, inWords, START } from '@/test/support/records';

const SECOND = 1000;
const KEY = 'bull:mail:7:lock';
const JOB = { db: 0, key: KEY, list: 'bull:mail:active', id: '7' };

/** A lock of a job that ran out at START, and an analysis that was told so. */
function lapsed(overrides: Partial<HoldRecord> = {}, key = KEY) {
  const hold = anEndedHold('worker:1', { endReason: 'lease-ended', end: START, ...overrides });
  const lock = aLock(key, { formatId: 'bullmq', ended: [hold] });
  const analysis = createAnalysis({ longHoldMs: 3_600_000, noExpiryMs: 30_000 });
  analysis.observe([{ kind: 'hold-ended', at: START, lock, hold }]);
  const told = (now: number) =>
    inWords(analysis.findings(aTable([]), aTarget(), now)).filter(
      ({ code }) => code === 'stalled-risk',
    );
  const answer = (isActive: boolean | null, at = START) =>
    analysis.observe([{ kind: 'job-looked', at, lock, isActive }]);
  return { analysis, lock, hold, told, answer };
}

const taken = (lock: LockRecord) => {
  const hold = aHold('worker:2', { generation: 2 });
  return { kind: 'hold-started' as const, at: START, lock, hold, previousEnd: START };
};

describe('a job whose lock ran out', () => {
  it('is looked for at once and then every second, and nothing is told before an answer', () => {
    const { analysis, told } = lapsed();
    expect(analysis.jobsToLookFor(START)).toEqual([JOB]);
    expect(analysis.jobsToLookFor(START + SECOND - 1)).toEqual([]);
    expect(analysis.jobsToLookFor(START + SECOND)).toEqual([JOB]);
    expect(told(START + 5 * SECOND)).toEqual([]);
  });

  it('and that is active may stall, until it has left the list', () => {
    const { analysis, told, answer } = lapsed();
    answer(true);
    expect(told(START + 5 * SECOND)).toMatchObject([
      {
        severity: 'warning',
        evidence: 'observed',
        since: START,
        subject: { label: KEY },
        labels: { owner: 'worker:1', node: null },
        summary:
          'the lock of worker:1 ran out 5 s ago, and bull:mail:active still lists its work: the worker hangs, is gone, or goes on without it, so that all can be done twice',
      },
    ]);
    answer(false);
    expect(told(START + 6 * SECOND)).toEqual([]);
    expect(analysis.jobsToLookFor(START + 60 * SECOND)).toEqual([]);
  });

  it('goes on being told when thousands of others run out', () => {
    const { analysis, told, answer } = lapsed();
    answer(true);
    for (let i = 0; i < 3000; i++) {
      const hold = anEndedHold(`worker:${i}`, { endReason: 'lease-ended', end: START });
      const lock = aLock(`bull:mail:x${i}:lock`, { formatId: 'bullmq', ended: [hold] });
      analysis.observe([{ kind: 'hold-ended', at: START, lock, hold }]);
    }
    expect(told(START + 5 * SECOND)).toMatchObject([{ subject: { label: KEY } }]);
    answer(false);
    expect(told(START + 6 * SECOND)).toEqual([]);
  });

  it('is no risk once its lock is taken again, whatever an answer says that comes later', () => {
    const { analysis, lock, told, answer } = lapsed();
    answer(true);
    analysis.observe([taken(lock)]);
    answer(true);
    expect(told(START + 5 * SECOND)).toEqual([]);
  });

  it('is told as unknown where nobody can tell whether it is active, for ten minutes', () => {
    const { told, answer } = lapsed();
    answer(null);
    expect(told(START + 5 * SECOND)).toMatchObject([{ evidence: 'unknown' }]);
    expect(told(START + 601 * SECOND)).toEqual([]);
  });

  it('is none where it was released, where its end was corrected, or where there is no job', () => {
    expect(lapsed({ endReason: 'released' }).analysis.jobsToLookFor(START)).toEqual([]);
    expect(lapsed({}, 'lock:orders:7').analysis.jobsToLookFor(START)).toEqual([]);
    const { analysis, lock, hold, told, answer } = lapsed();
    answer(true);
    hold.endReason = 'released';
    analysis.observe([{ kind: 'hold-revised', at: START, lock, hold }]);
    expect(told(START + 5 * SECOND)).toEqual([]);
  });
});

describe('the list of a job', () => {
  const listOf = (key: string, formatId = 'bullmq') => formatTable.byId(formatId).activeJob?.(key);

  it('is that of its queue, in BullMQ and in Bull, with its own prefix too', () => {
    expect(listOf('bull:mail:7:lock')).toEqual({ list: 'bull:mail:active', id: '7' });
    expect(listOf('bull:mail:7:lock', 'bull')).toEqual({ list: 'bull:mail:active', id: '7' });
    expect(listOf('{app:jobs}:mail:a-1:lock')).toEqual({
      list: '{app:jobs}:mail:active',
      id: 'a-1',
    });
  });

  it('has a job that comes again and again by its whole id', () => {
    expect(listOf('bull:mail:repeat:5e9ce5be:1796057160000:lock')).toEqual({
      list: 'bull:mail:active',
      id: 'repeat:5e9ce5be:1796057160000',
    });
  });
});
