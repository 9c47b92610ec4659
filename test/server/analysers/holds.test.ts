import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import type { AlertCode } from '@/lib/protocol/alert';
import type { Target } from '@/lib/protocol/target';
import type { LockRecord } from '@/server/state/lock-record';
import {
  aHold,
  aLock,
  aLostTarget,
  aNode,
  aTable,
  aTarget,
  inWords,
  START,
} from '@/test/support/records';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An analysis with the default thresholds, asked for one code. */
function watching(code: AlertCode) {
  const analysis = createAnalysis({ longHoldMs: MINUTE, noExpiryMs: 30 * SECOND });
  return (locks: readonly LockRecord[], now: number, target: Target = aTarget()) =>
    inWords(analysis.findings(aTable(locks), target, now)).filter(
      (finding) => finding.code === code,
    );
}

describe('a long hold', () => {
  const renewed = aHold('tok-A', {
    since: START,
    renewals: 282,
    renewalIntervalMs: 10 * SECOND,
    lastRenewalAt: START + 47 * MINUTE - 8 * SECOND,
    deadline: START + 48 * MINUTE,
  });

  it('tells of no release where the console offers none', () => {
    const job = { hold: aHold('A'), formatId: 'bullmq' };
    const [found] = watching('long-hold')([aLock('bull:mail:7:lock', job)], START + 2 * MINUTE);
    expect(found?.remedy).toContain('tools of its library');
    expect(found?.remedy).not.toContain('release');
  });

  it('says how long, by whom and how often it was renewed, however healthy its lease looks', () => {
    const [found, ...others] = watching('long-hold')(
      [aLock('lock:report', { hold: renewed })],
      START + 47 * MINUTE,
    );
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      summary: 'held 47 min by tok-A, renewed 282× (the last time 8 s ago)',
      severity: 'critical',
      since: START,
      evidence: 'observed',
      subject: { kind: 'lock', label: 'lock:report' },
    });
    expect(found?.remedy).toContain('does not free itself while it is renewed');
  });

  it('is said to end with its lease once a renewal was missed, and not to stay for ever', () => {
    const deadline = START + 48 * MINUTE;
    const lapsing = { ...renewed, lastRenewalAt: START + 47 * MINUTE - 25 * SECOND, deadline };
    const [found] = watching('long-hold')(
      [aLock('lock:report', { hold: lapsing })],
      START + 47 * MINUTE,
    );
    expect(found?.remedy).toContain('Unless renewed it frees itself at');
    expect(found?.remedy).not.toContain('does not free itself');
  });

  it('begins just beyond the threshold and becomes critical at ten times it', () => {
    const judge = watching('long-hold');
    const lock = aLock('lock:a', { hold: aHold('A', { deadline: START + 3600 * SECOND }) });
    expect(judge([lock], START + MINUTE)).toEqual([]);
    expect(judge([lock], START + MINUTE + 1)[0]?.severity).toBe('warning');
    expect(judge([lock], START + 10 * MINUTE - 1)[0]?.severity).toBe('warning');
    expect(judge([lock], START + 10 * MINUTE)[0]?.severity).toBe('critical');
  });

  it('is one incident as long as the hold lasts and another one for the next hold', () => {
    const judge = watching('long-hold');
    const idAt = (now: number, generation: number) =>
      judge([aLock('lock:a', { hold: aHold('A', { generation }) })], now)[0]?.id;
    expect(idAt(START + 2 * MINUTE, 4)).toBe(idAt(START + 9 * MINUTE, 4));
    expect(idAt(START + 9 * MINUTE, 5)).not.toBe(idAt(START + 9 * MINUTE, 4));
  });

  it('is not found for work that is finished and kept, but is for a job', () => {
    const judge = watching('long-hold');
    const kept = aHold('A', { finishedAt: START + SECOND });
    const cooling = aLock('job-lock:x', {
      formatId: 'shedlock',
      hold: kept,
      state: 'cooling-down',
    });
    expect(judge([cooling], START + HOUR)).toEqual([]);
    const job = aLock('bull:mail:7:lock', { formatId: 'bullmq', hold: aHold('w:1') });
    expect(judge([job], START + 2 * MINUTE)).toHaveLength(1);
  });

  it('claims no more than is known of a hold that began before the watch', () => {
    const hold = aHold('A', {
      sinceEvidence: 'inferred',
      notes: new Set(['started-before-watch']),
    });
    const [found] = watching('long-hold')([aLock('lock:a', { hold })], START + 2 * MINUTE);
    expect(found).toMatchObject({ summary: 'held at least 2 min by A', evidence: 'inferred' });
    const told = { ...hold, sinceEvidence: 'observed' as const };
    const [exact] = watching('long-hold')([aLock('lock:a', { hold: told })], START + 2 * MINUTE);
    expect(exact).toMatchObject({ summary: 'held 2 min by A', evidence: 'observed' });
  });

  it('shows a hostile key as printable text and carries its exact bytes', () => {
    const key = 'lock:\x00\xff\u0007<b>';
    const [found] = watching('long-hold')([aLock(key, { hold: aHold('A') })], START + 2 * MINUTE);
    expect(found?.subject.label).toBe('lock:\\x00\\xff\\x07<b>');
    expect(found?.subject.locks[0]?.keyB64).toBe(Buffer.from(key, 'latin1').toString('base64url'));
  });
});

describe('a hold without expiry', () => {
  const forever = (formatId: string, key = 'lock:import') =>
    aLock(key, { formatId, hold: aHold('1', { deadline: null, leaseMs: null }) });

  it('is a warning after 30 seconds and ends when a time to live appears', () => {
    const judge = watching('no-expiry');
    expect(judge([forever('pattern')], START + 30 * SECOND)).toEqual([]);
    const [found, ...others] = judge([forever('pattern')], START + 31 * SECOND);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ severity: 'warning', count: 1, since: START });
    expect(found?.summary).toBe('held by 1, without a time to live for 31 s');
    const leased = aHold('1', { deadline: START + 90 * SECOND, leaseMs: 60 * SECOND });
    expect(judge([aLock('lock:import', { hold: leased })], START + 32 * SECOND)).toEqual([]);
  });

  it('is as severe as it is unusual for the library', () => {
    const severity = (formatId: string) =>
      watching('no-expiry')([forever(formatId)], START + MINUTE)[0]?.severity;
    expect(severity('redlock')).toBe('critical');
    expect(severity('redisson')).toBe('critical');
    expect(severity('pattern')).toBe('warning');
    expect(severity('redis-py')).toBe('info');
  });

  it('counts from when the expiry was taken away, not from the start of the hold', () => {
    const judge = watching('no-expiry');
    const persisted = aLock('lock:a', { hold: aHold('A', { deadline: null, leaseMs: 60_000 }) });
    const seen = START + HOUR;
    expect(judge([persisted], seen)).toEqual([]);
    expect(judge([persisted], seen + 30 * SECOND)).toEqual([]);
    expect(judge([persisted], seen + 31 * SECOND)[0]?.since).toBe(seen);
    expect(judge([aLock('lock:a', { hold: aHold('A') })], seen + 32 * SECOND)).toEqual([]);
    expect(judge([persisted], seen + 40 * SECOND)).toEqual([]);
  });

  it('is not claimed before the first read told of the expiry', () => {
    const unread = aLock('lock:a', { hold: aHold('A', { deadline: undefined, leaseMs: null }) });
    expect(watching('no-expiry')([unread], START + HOUR)).toEqual([]);
  });

  it('is told one by one for 500 locks and as one finding for the rest', () => {
    const locks = Array.from({ length: 1200 }, (_, i) => forever('pattern', `lock:${i}`));
    locks.push(forever('redlock', 'lock:last'));
    const found = watching('no-expiry')(locks, START + MINUTE);
    expect(found).toHaveLength(501);
    const rest = found.at(-1);
    expect(rest).toMatchObject({ count: 701, severity: 'critical', since: START });
    expect(rest?.summary).toBe('701 more locks are held without a time to live');
    expect(rest?.subject.locks).toHaveLength(50);
  });
});

describe('a missed renewal', () => {
  const renewedUntil = START + 60 * SECOND;
  const hold = aHold('A', {
    renewals: 6,
    renewalIntervalMs: 10 * SECOND,
    lastRenewalAt: renewedUntil,
    deadline: renewedUntil + 30 * SECOND,
    leaseMs: 30 * SECOND,
  });
  const lock = aLock('lock:zombie', { hold });

  it('is said within 20 s of the last of renewals that came every 10 s, before the lease ends', () => {
    const judge = watching('renewal-missed');
    expect(judge([lock], renewedUntil + 15 * SECOND)).toEqual([]);
    const [found] = judge([lock], renewedUntil + 20 * SECOND);
    expect(found).toMatchObject({ severity: 'warning', since: renewedUntil + 10 * SECOND });
    expect(found?.summary).toBe(
      'A renewed every 10 s, the last time 20 s ago; the lease ends at 14:01:30 UTC',
    );
    expect(judge([lock], renewedUntil + 30 * SECOND)).toEqual([]);
  });

  it('is not said with fewer than two renewals, without a lease, or for jitter of fast renewals', () => {
    const judge = watching('renewal-missed');
    const late = renewedUntil + 25 * SECOND;
    const holdWith = (overrides: Parameters<typeof aHold>[1]) =>
      aLock('lock:a', { hold: aHold('A', { ...hold, ...overrides }) });
    expect(judge([holdWith({ renewals: 1 })], late)).toEqual([]);
    expect(judge([holdWith({ renewalIntervalMs: null })], late)).toEqual([]);
    expect(judge([holdWith({ deadline: null })], late)).toEqual([]);
    const fast = holdWith({ renewalIntervalMs: 300, deadline: renewedUntil + 1000 });
    expect(judge([fast], renewedUntil + 700)).toEqual([]);
    expect(judge([fast], renewedUntil + 900)).toHaveLength(1);
  });

  it('neither begins nor ends by silence while events cannot be seen', () => {
    const canSee = { acquire: false, release: false, lapse: false, eviction: null };
    const blind = aTarget({ nodes: [aNode({ canSee })] });
    const judge = watching('renewal-missed');
    const late = renewedUntil + 20 * SECOND;
    expect(judge([lock], late, blind)).toEqual([]);
    const [found] = judge([lock], late);
    expect(judge([lock], renewedUntil + 40 * SECOND, blind)).toEqual([found]);
    expect(judge([lock], renewedUntil + 40 * SECOND)).toEqual([]);
  });
});

describe('conditions of locks while the target is disconnected', () => {
  it('stay as they were: none begins and none ends', () => {
    const judge = watching('long-hold');
    const a = aLock('lock:a', { hold: aHold('A') });
    const b = aLock('lock:b', { hold: aHold('B', { since: START + MINUTE }) });
    const before = judge([a, b], START + 90 * SECOND);
    expect(before.map(({ subject }) => subject.label)).toEqual(['lock:a']);
    expect(judge([b], START + HOUR, aLostTarget())).toEqual(before);
    const after = judge([b], START + HOUR);
    expect(after.map(({ subject }) => subject.label)).toEqual(['lock:b']);
  });

  it('still follow what is read while only events are missing', () => {
    const canSee = { acquire: false, release: false, lapse: false, eviction: null };
    const blind = aTarget({ nodes: [aNode({ canSee })] });
    const judge = watching('long-hold');
    const lock = aLock('lock:a', { hold: aHold('A') });
    expect(judge([lock], START + 2 * MINUTE, blind)).toHaveLength(1);
    expect(judge([aLock('lock:a')], START + 3 * MINUTE, blind)).toEqual([]);
  });
});
