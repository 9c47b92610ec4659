import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import {
  aHold,
  aLock,
  anEndedHold,
  anOwner,
  aTable,
  aTarget,
  aWaiter,
  inWords,
  START,
} from '@/test/support/records';

const SECOND = 1000;
const settings = { longHoldMs: 60_000, noExpiryMs: 30_000 };

function anAnalysis() {
  const analysis = createAnalysis(settings);
  return {
    ...analysis,
    at: (now: number, locks: readonly LockRecord[] = [], target = aTarget()) =>
      inWords(analysis.findings(aTable(locks), target, now)),
  };
}

const ended = (lock: LockRecord, hold: HoldRecord): Change => ({
  kind: 'hold-ended',
  at: hold.end ?? START,
  lock,
  hold,
});

describe('a release that may have been another’s', () => {
  const first = anEndedHold('A', {
    endReason: 'lease-ended',
    end: START + 10 * SECOND,
    leaseMs: 10 * SECOND,
  });
  const second = (overrides: Partial<HoldRecord> = {}) =>
    anEndedHold('B', {
      generation: 2,
      since: START + 11 * SECOND,
      end: START + 13 * SECOND,
      endReason: 'released',
      ...overrides,
    });
  const told = (hold: HoldRecord, before: HoldRecord = first, formatId = 'pattern') => {
    const analysis = anAnalysis();
    const lock = aLock('lock:report', { formatId, ended: [hold, before] });
    analysis.observe([ended(lock, hold)]);
    return analysis
      .at(START + 14 * SECOND)
      .filter(({ code }) => code === 'foreign-release-suspected');
  };

  it('is a suspicion that names both holders and the times', () => {
    expect(told(second())).toMatchObject([
      {
        severity: 'warning',
        evidence: 'inferred',
        moment: true,
        summary:
          'B held it for 2 s only; it may have been released by A, whose lease had ended 3 s before',
      },
    ]);
  });

  it('is none when the first holder released, or the second used its lease, or long after', () => {
    const released = anEndedHold('A', { endReason: 'released', end: START + 10 * SECOND });
    expect(told(second(), released)).toEqual([]);
    expect(told(second({ leaseMs: 3 * SECOND }))).toEqual([]);
    expect(told(second({ endReason: 'lease-ended' }))).toEqual([]);
    expect(told(second({ end: START + 25 * SECOND }))).toEqual([]);
  });

  it('is none for a library that compares the token', () => {
    expect(told(second(), first, 'redlock')).toEqual([]);
  });
});

describe('a renewal of nobody', () => {
  const told = (lock: LockRecord) =>
    anAnalysis()
      .at(START + 100 * SECOND, [lock])
      .filter(({ code }) => code === 'zombie-renewal');

  it('is known when the connection of the holder has gone and the lease is renewed', () => {
    const owner = { ...anOwner('A'), liveness: 'not-seen' as const };
    const renewed = { owner, renewals: 9, lastRenewalAt: START + 95 * SECOND };
    const analysis = anAnalysis();
    const lock = aLock('lock:x', { hold: aHold('A', renewed) });
    analysis.at(START + 99 * SECOND, [lock]);
    expect(
      analysis.at(START + 100 * SECOND, [lock]).filter(({ code }) => code === 'zombie-renewal'),
    ).toMatchObject([
      {
        evidence: 'inferred',
        summary: 'renewed 9× although no connection of A has been seen for a minute',
      },
    ]);
  });

  it('is none while the holder is connected, or nobody knows, or it does not renew', () => {
    const renewed = { renewals: 9, lastRenewalAt: START + 95 * SECOND };
    expect(told(aLock('lock:x', { hold: aHold('A', renewed) }))).toEqual([]);
    const owner = { ...anOwner('A'), liveness: 'not-seen' as const };
    expect(told(aLock('lock:x', { hold: aHold('A', { owner }) }))).toEqual([]);
  });
});

describe('a hold far longer than its class ever is', () => {
  const short = (n: number): Change =>
    ended(
      aLock(`lock:${n}`),
      anEndedHold(`t${n}`, { endReason: 'released', end: START + 1000 + (n % 10) }),
    );

  it('is long before the fixed threshold', () => {
    const analysis = anAnalysis();
    analysis.observe(Array.from({ length: 200 }, (_, n) => short(n)));
    const lock = aLock('lock:stuck', { hold: aHold('A') });
    expect(analysis.at(START + 9 * SECOND, [lock])).toEqual([]);
    expect(analysis.at(START + 12 * SECOND, [lock])).toMatchObject([
      {
        code: 'long-hold',
        summary: 'held 12 s by A (of its class 99 of 100 end within 1 s)',
      },
    ]);
  });

  it('is not judged by a few, nor by holds whose start nobody saw', () => {
    const analysis = anAnalysis();
    analysis.observe(Array.from({ length: 99 }, (_, n) => short(n)));
    const unseen = Array.from({ length: 200 }, (_, n) =>
      ended(
        aLock(`lock:${n}`),
        anEndedHold('t', { endReason: 'released', end: START + 1000, sinceEvidence: 'inferred' }),
      ),
    );
    analysis.observe(unseen);
    expect(analysis.at(START + 50 * SECOND, [aLock('lock:x', { hold: aHold('A') })])).toEqual([]);
  });
});

describe('a hand-over that takes as long as a lease', () => {
  const leaseMs = 10 * SECOND;
  const round = (n: number, gapMs: number, waiters = 1): Change[] => {
    const end = START + n * 60 * SECOND;
    const hold = anEndedHold(`t${n}`, { endReason: 'released', end, leaseMs });
    const queue = Array.from({ length: waiters }, (_, i) => aWaiter(`w${i}`));
    const lock = aLock('inv:9', { formatId: 'redisson-fair', queue, ended: [hold] });
    const next = aHold(`t${n + 1}`, { since: end + gapMs });
    return [
      ended(lock, hold),
      { kind: 'hold-started', at: end + gapMs, lock, hold: next, previousEnd: end },
    ];
  };
  const told = (rounds: Change[][]) => {
    const analysis = anAnalysis();
    for (const changes of rounds) analysis.observe(changes);
    return analysis.at(START + 600 * SECOND).filter(({ code }) => code === 'slow-handoff');
  };

  it('is told when it goes on', () => {
    expect(told([round(1, 9_500), round(2, 10_200), round(3, 9_900)])).toMatchObject([
      {
        count: 3,
        evidence: 'inferred',
        summary:
          'lay free for 9.9 s while clients waited, 3 times in a row, about as long as its lease (10 s): a release wakes nobody',
      },
    ]);
  });

  it('is none when once it was quick, when nobody waited, or when it took longer still', () => {
    expect(told([round(1, 9_500), round(2, 10), round(3, 9_900)])).toEqual([]);
    expect(told([round(1, 9_500, 0), round(2, 9_900, 0), round(3, 9_900, 0)])).toEqual([]);
    expect(told([round(1, 50_000), round(2, 50_000), round(3, 50_000)])).toEqual([]);
  });
});
