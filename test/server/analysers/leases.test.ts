import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import type { HoldRecord } from '@/server/state/lock-record';
import { aLock, anEndedHold, aTable, aTarget, inWords, START } from '@/test/support/records';

const SECOND = 1000;
const HOUR = 3_600_000;

/** Holds of one class that ended one after another, and what is found of them. */
const classOf = (...holds: Partial<HoldRecord>[]) => classIn('pattern', ...holds);

function classIn(formatId: string, ...holds: Partial<HoldRecord>[]) {
  const analysis = createAnalysis({ longHoldMs: 60_000, noExpiryMs: 30_000 });
  for (const [n, hold] of holds.entries()) {
    const end = hold.end ?? START + 2 * SECOND;
    const ended = anEndedHold(`t${n}`, { endReason: 'released', generation: n + 1, ...hold, end });
    analysis.observe([
      { kind: 'hold-ended', at: end, lock: aLock(`lock:${n}`, { formatId }), hold: ended },
    ]);
  }
  return (code: string, now = START + 60 * SECOND) =>
    inWords(analysis.findings(aTable([]), aTarget(), now)).filter((one) => one.code === code);
}

const many = (count: number, hold: Partial<HoldRecord> = {}): Partial<HoldRecord>[] =>
  Array.from({ length: count }, () => hold);

const ranOut = (leaseMs: number, more: Partial<HoldRecord> = {}): Partial<HoldRecord> => ({
  endReason: 'lease-ended',
  leaseMs,
  end: START + leaseMs,
  ...more,
});

describe('a lease that is all but over when the lock is taken', () => {
  it('is told beside what is usual for the class', () => {
    const told = classOf(...many(200), ranOut(2 * SECOND));
    expect(told('born-short')).toMatchObject([
      {
        severity: 'warning',
        moment: true,
        evidence: 'inferred',
        summary: 't200 took it with a lease of 2 s only; 60 s is usual for its class',
      },
    ]);
  });

  it('is none where the class is not known yet, or such leases are usual in it', () => {
    expect(classOf(...many(50), ranOut(2 * SECOND))('born-short')).toEqual([]);
    const mixed = Array.from({ length: 200 }, (_, n) => ({ leaseMs: n % 8 === 0 ? 2000 : 60_000 }));
    expect(classOf(...mixed, ranOut(2 * SECOND))('born-short')).toEqual([]);
  });

  it('is none that was a tenth of it, was renewed, or was made shorter on purpose', () => {
    const told = classOf(
      ...many(200),
      ranOut(7 * SECOND),
      ranOut(2 * SECOND, { renewals: 1 }),
      ranOut(2 * SECOND, { notes: new Set(['lease-shortened'] as const) }),
    );
    expect(told('born-short')).toEqual([]);
  });
});

describe('a lock that is handed to the next in line for as long as it takes to answer', () => {
  it('tells nothing of leases', () => {
    const work = many(300, { leaseMs: 60 * SECOND });
    const told = classIn('qoder', ...work, ...many(6, ranOut(1500)));
    expect([...told('born-short'), ...told('lease-too-short')]).toEqual([]);
  });
});

describe('a lease that is shorter than the work it guards', () => {
  const work = many(300, { leaseMs: 5 * SECOND });

  it('is listed by class, with the locks whose lease ended and how long others took', () => {
    const told = classOf(...work, ...many(6, ranOut(5 * SECOND)));
    expect(told('lease-too-short')).toMatchObject([
      {
        count: 6,
        moment: false,
        subject: { kind: 'locks', label: 'lock:*' },
        summary:
          '6 of the last 306 holds outlasted the 5 s that they were taken for, and nobody renewed them (99 of 100 that were released took 2 s at most)',
      },
    ]);
    expect(told('lease-too-short')[0]?.subject.locks).toHaveLength(6);
  });

  it('is over an hour after the last one, or when enough holds were long enough since', () => {
    const told = classOf(...work, ...many(6, ranOut(5 * SECOND)));
    expect(told('lease-too-short', START + 5 * SECOND + HOUR + 1)).toEqual([]);
    const better = classOf(...work, ...many(6, ranOut(5 * SECOND)), ...many(1000));
    expect(better('lease-too-short')).toEqual([]);
  });

  it('is none by fewer than one in a hundred, or where locks are left to run out', () => {
    expect(classOf(...work, ...many(3, ranOut(5 * SECOND)))('lease-too-short')).toEqual([]);
    expect(classOf(...work, ...many(400, ranOut(5 * SECOND)))('lease-too-short')).toEqual([]);
  });

  it('is not judged by holds that were renewed, kept on purpose or touched by a gap', () => {
    const told = classOf(
      ...work,
      ...many(6, ranOut(5 * SECOND, { renewals: 2 })),
      ...many(6, ranOut(5 * SECOND, { notes: new Set(['finished-kept'] as const) })),
      ...many(6, ranOut(5 * SECOND, { notes: new Set(['touches-gap'] as const) })),
    );
    expect(told('lease-too-short')).toEqual([]);
  });
});
