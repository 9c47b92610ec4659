import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import type { EndReason } from '@/lib/protocol/lock';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import {
  aFinding,
  aHold,
  aLock,
  aLostTarget,
  anEndedHold,
  aTable,
  aTarget,
  inWords,
  START,
} from '@/test/support/records';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const settings = { longHoldMs: 60_000, noExpiryMs: 30_000 };

function anAnalysis() {
  const analysis = createAnalysis(settings);
  return {
    ...analysis,
    at: (now: number, locks: readonly LockRecord[] = [], target = aTarget()) =>
      inWords(analysis.findings(aTable(locks), target, now)),
  };
}

const ended = (lock: LockRecord, hold: HoldRecord, at = hold.end ?? START): Change => ({
  kind: 'hold-ended',
  at,
  lock,
  hold,
});

const endedFor = (
  key: string,
  endReason: EndReason,
  at: number,
  overrides: Partial<HoldRecord> = {},
): Change =>
  ended(aLock(key), anEndedHold(`holder of ${key}`, { endReason, end: at, ...overrides }));

describe('a takeover', () => {
  const lock = aLock('lock:x', { hold: aHold('B', { generation: 2 }) });
  const overwritten = anEndedHold('A', {
    endReason: 'overwritten',
    end: START + SECOND,
    endedBy: 'B',
  });

  it('is critical and names whose hold was overwritten by whom', () => {
    const analysis = anAnalysis();
    analysis.observe([ended(lock, overwritten)]);
    expect(analysis.at(START + SECOND)).toMatchObject([
      {
        code: 'takeover',
        severity: 'critical',
        moment: true,
        count: 1,
        since: START + SECOND,
        evidence: 'observed',
        subject: { kind: 'lock', label: 'lock:x' },
        summary: "lock taken without release: A's hold was overwritten by B",
      },
    ]);
  });

  it('is told for an hour, once, also when its end is revised or the target is lost', () => {
    const analysis = anAnalysis();
    analysis.observe([ended(lock, overwritten)]);
    analysis.observe([{ kind: 'hold-revised', at: START + 2 * SECOND, lock, hold: overwritten }]);
    expect(analysis.at(START + 3 * SECOND)).toMatchObject([{ count: 1 }]);
    const lost = analysis.at(START + 1800 * SECOND, [], aLostTarget());
    expect(lost.map(({ code }) => code)).toEqual(['takeover']);
    expect(analysis.at(START + SECOND + HOUR + 1)).toEqual([]);
  });

  it('of the same lock in quick succession is one incident with a count, later another', () => {
    const analysis = anAnalysis();
    for (const generation of [1, 2, 3]) {
      const end = START + generation * SECOND;
      analysis.observe([
        endedFor('lock:x', 'overwritten', end, { generation, endedBy: `B${generation}` }),
        endedFor(`lock:other`, 'overwritten', end, { generation }),
      ]);
    }
    const later = START + 20 * 60 * SECOND;
    analysis.observe([endedFor('lock:x', 'overwritten', later, { generation: 4 })]);
    const found = analysis.at(later).filter(({ subject }) => subject.label === 'lock:x');
    expect(found.map(({ count }) => count)).toEqual([3, 1]);
    expect(found[0]?.summary).toContain('3 times in a row');
    expect(found[0]?.summary).toContain('overwritten by B3');
  });

  it('is not claimed when the key turned out to be used for something else, or ended otherwise', () => {
    const analysis = anAnalysis();
    analysis.observe([
      endedFor('lock:x', 'overwritten', START, { notes: new Set(['value-changed-shape']) }),
      endedFor('lock:y', 'released', START),
      endedFor('lock:z', 'lease-ended', START),
      endedFor('lock:u', 'unknown', START),
    ]);
    expect(analysis.at(START)).toEqual([]);
  });

  it('that is revised away is told once more as no moment, then not at all', () => {
    const analysis = anAnalysis();
    analysis.observe([ended(lock, overwritten)]);
    analysis.at(START + SECOND);
    const revised = { ...overwritten, endReason: 'force-released' as const };
    analysis.observe([{ kind: 'hold-revised', at: START + 2 * SECOND, lock, hold: revised }]);
    expect(analysis.at(START + 2 * SECOND)).toMatchObject([{ code: 'takeover', moment: false }]);
    expect(analysis.at(START + 3 * SECOND)).toEqual([]);
  });
});

describe('vanished locks', () => {
  it('are one incident after a flush: with the count and both locks', () => {
    const analysis = anAnalysis();
    analysis.observe([endedFor('lock:1', 'vanished', START)]);
    const [alone] = analysis.at(START);
    expect(alone).toMatchObject({ count: 1, subject: { kind: 'lock', label: 'lock:1' } });
    analysis.observe([endedFor('lock:2', 'vanished', START + 4 * SECOND)]);
    const [both, ...others] = analysis.at(START + 4 * SECOND);
    expect(others).toEqual([]);
    expect(both).toMatchObject({
      id: alone?.id,
      code: 'vanished',
      severity: 'critical',
      count: 2,
      since: START,
      summary: '2 held locks are gone without an event: others may enter',
    });
    expect(both?.subject.locks.map(({ key }) => key)).toEqual(['lock:1', 'lock:2']);
  });

  it('are counted whole and listed up to fifty', () => {
    const analysis = anAnalysis();
    const many = Array.from({ length: 12_000 }, (_, i) => endedFor(`lock:${i}`, 'vanished', START));
    analysis.observe(many);
    const [found] = analysis.at(START);
    expect(found?.count).toBe(12_000);
    expect(found?.subject.locks).toHaveLength(50);
    expect(found?.subject.label).toBe('lock:0 and 11999 more locks');
  });

  it('are another incident after a pause, or when one goes on for more than a minute', () => {
    const analysis = anAnalysis();
    analysis.observe([
      endedFor('lock:1', 'vanished', START),
      endedFor('lock:2', 'vanished', START + 6 * SECOND),
    ]);
    expect(analysis.at(START + 6 * SECOND)).toHaveLength(2);
    for (let i = 0; i < 30; i++) {
      const at = START + HOUR + i * 4 * SECOND;
      analysis.observe([endedFor(`lock:trickle:${i}`, 'vanished', at)]);
    }
    const counts = analysis.at(START + HOUR + 120 * SECOND).map(({ count }) => count);
    expect(counts).toEqual([16, 14]);
  });

  it('lose those that a revision takes back', () => {
    const analysis = anAnalysis();
    const first = anEndedHold('A', { endReason: 'vanished', end: START });
    analysis.observe([ended(aLock('lock:1'), first), endedFor('lock:2', 'vanished', START)]);
    const revised = { ...first, endReason: 'released' as const };
    analysis.observe([
      { kind: 'hold-revised', at: START + SECOND, lock: aLock('lock:1'), hold: revised },
    ]);
    expect(analysis.at(START + SECOND)).toMatchObject([
      { count: 1, moment: true, subject: { label: 'lock:2' } },
    ]);
  });
});

describe('an eviction', () => {
  it('is critical and says which setting prevents it', () => {
    const analysis = anAnalysis();
    analysis.observe([endedFor('lock:evict', 'evicted', START)]);
    const [found] = analysis.at(START);
    expect(found).toMatchObject({ code: 'evicted', severity: 'critical', moment: true });
    expect(found?.remedy).toContain('maxmemory-policy noeviction');
  });
});

describe('a lock lost in failover', () => {
  it('names the former owner, until when it believes to hold, and the next one once there is one', () => {
    const analysis = anAnalysis();
    const hold = anEndedHold('A', {
      endReason: 'lost-in-failover',
      end: START + 5 * SECOND,
      endEvidence: 'inferred',
      deadline: START + 190 * SECOND,
    });
    analysis.observe([ended(aLock('lock:pay:1'), hold)]);
    const [before] = analysis.at(START + 5 * SECOND, [aLock('lock:pay:1')]);
    expect(before?.summary).toBe('A until 14:03:10 UTC may overlap the next owner');
    const next = aLock('lock:pay:1', { hold: aHold('B', { generation: 2 }) });
    const [after] = analysis.at(START + 6 * SECOND, [next]);
    expect(after).toMatchObject({
      id: before?.id,
      summary: 'A until 14:03:10 UTC may overlap B',
      evidence: 'inferred',
    });
  });
});

describe('an overrun', () => {
  it('is known by a release that came after the lease had ended', () => {
    const analysis = anAnalysis();
    const hold = anEndedHold('A', { endReason: 'lease-ended', end: START, lateReleaseMs: 200 });
    analysis.observe([ended(aLock('rp2'), hold)]);
    expect(analysis.at(START)).toEqual([]);
    hold.notes = new Set(['late-release' as const]);
    analysis.observe([{ kind: 'hold-revised', at: START + 400, lock: aLock('rp2'), hold }]);
    expect(analysis.at(START + 400)).toMatchObject([
      {
        code: 'overrun',
        summary: 'A tried to release 200 ms after its lease had ended',
        evidence: 'inferred',
      },
    ]);
  });
});

describe('what a verb notes', () => {
  it('is told as it is, by its latest wording, for an hour', () => {
    const analysis = anAnalysis();
    const came = aFinding('came-back:1', { code: 'came-back', moment: true });
    analysis.note(came);
    analysis.note({ ...came, count: 2 });
    expect(analysis.at(START)).toEqual(inWords([{ ...came, count: 2 }]));
    expect(analysis.at(START + HOUR + 1)).toEqual([]);
  });
});
