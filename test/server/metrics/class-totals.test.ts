import { describe, expect, it } from 'vitest';
import { classify } from '@/lib/analysis/lock-class';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { classFamilies } from '@/server/metrics/class-families';
import { ClassTotals } from '@/server/metrics/class-totals';
import { expositionOf } from '@/server/metrics/exposition';
import { aHold, aLock as aLockRecord, START } from '@/test/support/records';
import { parseExposition, valueOf, type ParsedFamily } from './parse-exposition';

const fresh = (): ClassTotals => new ClassTotals({ startedAt: START, classify });

/** What a scrape reads `ms` after the start. */
function scrape(totals: ClassTotals, ms: number): ParsedFamily[] {
  const families = classFamilies('main', totals.tell(START + ms));
  return parseExposition([...expositionOf(families, 'text')].join(''), 'text');
}

const aLock = (key: string, over: Partial<LockRecord> & { formatId?: string } = {}): LockRecord =>
  aLockRecord(key, { formatId: 'redisson-fair', ...classify(key), ...over });

const heldFrom = (ms: number, over: Partial<HoldRecord> = {}): HoldRecord =>
  aHold('owner:1', { since: START + ms, ...over });

const starts = (lock: LockRecord, hold: HoldRecord, previousEnd: number | null = null): Change => ({
  kind: 'hold-started',
  at: hold.since,
  lock,
  hold,
  previousEnd: previousEnd === null ? null : START + previousEnd,
});

function ends(lock: LockRecord, hold: HoldRecord, ms: number, over: Partial<HoldRecord> = {}) {
  const at = START + ms;
  Object.assign(hold, { end: at, endReason: 'released', endEvidence: 'observed', ...over });
  return { kind: 'hold-ended', at, lock, hold } satisfies Change;
}

const waiting = (lock: LockRecord, ms: number, after: number | null): Change => ({
  kind: 'waiting-changed',
  at: START + ms,
  lock,
  before: null,
  after,
});

const waited = (lock: LockRecord, over: Partial<Extract<Change, { kind: 'wait-ended' }>>) =>
  ({
    ...{ kind: 'wait-ended', at: START, lock, owner: 'owner:2', waitedMs: 40 },
    ...{ source: 'fair-queue', evidence: 'observed', outcome: 'granted', touchesGap: false },
    ...over,
  }) satisfies Change;

describe('the totals of a class', () => {
  it('count holds, how they end, how long they were, and the time between', () => {
    const totals = fresh();
    const lock = aLock('order:1');
    const [first, second] = [heldFrom(100), heldFrom(700)];
    totals.observe([starts(lock, first), ends(lock, first, 600)]);
    totals.observe([starts(lock, second, 600)]);
    const before = scrape(totals, 1000);
    const of = { target: 'main', namespace: 'order', class: 'order:*' };
    expect(valueOf(before, 'lockscope_class_acquisitions_total', of)).toBe(2);
    expect(valueOf(before, 'lockscope_class_held_locks', of)).toBe(1);
    expect(valueOf(before, 'lockscope_class_held_seconds_total', of)).toBeCloseTo(0.8);
    expect(valueOf(before, 'lockscope_class_handoffs_total', of)).toBe(1);
    expect(valueOf(before, 'lockscope_class_handoff_seconds_total', of)).toBe(0.1);
    totals.observe([ends(lock, second, 1700, { endReason: 'lease-ended' })]);
    const after = scrape(totals, 2000);
    expect(valueOf(after, 'lockscope_class_ends_total', { reason: 'released' })).toBe(1);
    expect(valueOf(after, 'lockscope_class_ends_total', { reason: 'lease-ended' })).toBe(1);
    expect(valueOf(after, 'lockscope_class_held_seconds_total')).toBeCloseTo(1.5);
    const longer = 'lockscope_class_hold_duration_seconds';
    expect(valueOf(after, `${longer}_bucket`, { evidence: 'observed', le: '0.5' })).toBe(1);
    expect(valueOf(after, `${longer}_bucket`, { evidence: 'observed', le: '1.0' })).toBe(2);
    expect(valueOf(after, `${longer}_sum`)).toBe(1.5);
  });

  it('count waiters and their time, and what became of each wait', () => {
    const totals = fresh();
    const lock = aLock('order:1');
    totals.observe([starts(lock, heldFrom(0)), waiting(lock, 1000, 2), waiting(lock, 3000, 1)]);
    const now = scrape(totals, 4000);
    expect(valueOf(now, 'lockscope_class_waiters')).toBe(1);
    expect(valueOf(now, 'lockscope_class_waiters_observable')).toBe(1);
    expect(valueOf(now, 'lockscope_class_waiter_seconds_total')).toBeCloseTo(5);
    expect(valueOf(now, 'lockscope_class_failed_attempts_total')).toBe(0);
    totals.observe([
      waited(lock, {}),
      waited(lock, { outcome: 'left', waitedMs: 9000, evidence: 'inferred' }),
      waited(lock, { touchesGap: true }),
      waited(lock, { source: 'token-time', evidence: 'inferred', waitedMs: 1000 }),
    ]);
    const later = scrape(totals, 4000);
    expect(valueOf(later, 'lockscope_class_waits_total', { outcome: 'granted' })).toBe(3);
    expect(valueOf(later, 'lockscope_class_waits_total', { outcome: 'left' })).toBe(1);
    expect(valueOf(later, 'lockscope_class_failed_attempts_total')).toBe(3);
    const lengths = 'lockscope_class_wait_duration_seconds';
    expect(valueOf(later, `${lengths}_count`, { evidence: 'observed' })).toBe(1);
    expect(valueOf(later, `${lengths}_sum`, { evidence: 'inferred' })).toBe(10);
  });

  it('never claim that nobody waits where nobody could be seen', () => {
    const totals = fresh();
    const lock = aLock('order:1', { formatId: 'redlock' });
    const hold = heldFrom(0);
    totals.observe([starts(lock, hold), ends(lock, hold, 100)]);
    const now = scrape(totals, 1000);
    expect(valueOf(now, 'lockscope_class_waiters')).toBeUndefined();
    expect(valueOf(now, 'lockscope_class_waiter_seconds_total')).toBeUndefined();
    expect(valueOf(now, 'lockscope_class_failed_attempts_total')).toBeUndefined();
    expect(valueOf(now, 'lockscope_class_waiters_observable')).toBe(0);
  });

  it('are silent of waiters while any lock of the class polls, and for a while after', () => {
    const totals = fresh();
    const [queued, polled] = [aLock('order:1'), aLock('order:2', { formatId: 'redlock' })];
    const [one, other] = [heldFrom(0), heldFrom(10)];
    totals.observe([starts(queued, one), starts(polled, other), ends(polled, other, 20)]);
    expect(valueOf(scrape(totals, 1000), 'lockscope_class_waiters')).toBeUndefined();
    expect(valueOf(scrape(totals, 700_000), 'lockscope_class_waiters')).toBe(0);
  });

  it('are silent of waiters from a lost connection until they are counted anew', () => {
    const totals = fresh();
    const lock = aLock('order:1');
    totals.observe([starts(lock, heldFrom(0)), waiting(lock, 0, 3)]);
    totals.observe([{ kind: 'connection', at: START + 1000, connected: false }]);
    expect(valueOf(scrape(totals, 5000), 'lockscope_class_waiters')).toBeUndefined();
    totals.observe([{ kind: 'connection', at: START + 6000, connected: true }]);
    const unknown = scrape(totals, 7000);
    expect(valueOf(unknown, 'lockscope_class_waiters')).toBeUndefined();
    expect(valueOf(unknown, 'lockscope_class_waiter_seconds_total')).toBe(3);
    totals.observe([waiting(lock, 8000, 1)]);
    const known = scrape(totals, 9000);
    expect(valueOf(known, 'lockscope_class_waiters')).toBe(1);
    expect(valueOf(known, 'lockscope_class_waiter_seconds_total')).toBe(4);
  });

  it('do not take for a measurement what is a bound', () => {
    const totals = fresh();
    const lock = aLock('order:1');
    const found = heldFrom(-50_000, { notes: new Set(['started-before-watch']) });
    totals.observe([
      { kind: 'hold-started', at: START + 500, lock, hold: found, previousEnd: null },
    ]);
    totals.observe([ends(lock, found, 1500)]);
    const gapped = heldFrom(2000, { notes: new Set(['touches-gap']) });
    totals.observe([starts(lock, gapped), ends(lock, gapped, 3000)]);
    const now = scrape(totals, 4000);
    expect(valueOf(now, 'lockscope_class_acquisitions_total')).toBe(1);
    expect(valueOf(now, 'lockscope_class_held_seconds_total')).toBe(2);
    expect(valueOf(now, 'lockscope_class_ends_total', { reason: 'released' })).toBe(2);
    expect(valueOf(now, 'lockscope_class_hold_duration_seconds_count')).toBeUndefined();
  });

  it('take in a hold that history restored, and let go of one that is forgotten', () => {
    const totals = fresh();
    const lock = aLock('order:1');
    const restored = heldFrom(-9_000_000);
    lock.hold = restored;
    totals.observe([{ kind: 'hold-updated', at: START + 1000, lock, hold: restored }]);
    totals.observe([waiting(lock, 1000, 2)]);
    expect(valueOf(scrape(totals, 2000), 'lockscope_class_held_locks')).toBe(1);
    totals.observe([{ kind: 'lock-forgotten', at: START + 3000, lock }]);
    const now = scrape(totals, 9000);
    expect(valueOf(now, 'lockscope_class_held_locks')).toBe(0);
    expect(valueOf(now, 'lockscope_class_held_seconds_total')).toBe(2);
    expect(valueOf(now, 'lockscope_class_waiter_seconds_total')).toBe(4);
    expect(valueOf(now, 'lockscope_class_ends_total')).toBeUndefined();
  });

  it('count failed attempts that clients report and that a trace tells again and again', () => {
    const totals = fresh();
    const sampled = (failed: number, trace = 't1'): Change => {
      const storm = { db: 0, key: 'order:1', attempts: 9, failed, perSecond: 5, clients: 2 };
      const sample = { kind: 'trace-sample', at: START, trace, from: 0, to: 1 } as const;
      const storms = [storm];
      return { kind: 'attempts-sampled', at: START, sample: { ...sample, storms, hotClients: [] } };
    };
    const about = { at: START, db: 0, key: 'order:2', owner: 'o' };
    totals.observe([{ kind: 'attempts-refused', ...about, count: 4 }]);
    totals.observe([sampled(10), sampled(25), sampled(3, 't2')]);
    const failed = valueOf(scrape(totals, 0), 'lockscope_class_failed_attempts_total');
    expect(failed).toBe(4 + 25 + 3);
  });

  it('count gaps and their length by reason', () => {
    const totals = fresh();
    const gap = { kind: 'gap', at: START, from: START, reason: 'buffer-cut' } as const;
    totals.observe([
      { ...gap, to: START + 500 },
      { ...gap, to: START + 250 },
    ]);
    expect(totals.tell(START).gaps.get('buffer-cut')).toEqual({ count: 2, ms: 750 });
  });
});

describe('counters', () => {
  it('never go backwards when an end is told after the scrape', () => {
    const totals = fresh();
    const lock = aLock('order:1');
    const hold = heldFrom(0);
    totals.observe([starts(lock, hold)]);
    expect(valueOf(scrape(totals, 5000), 'lockscope_class_held_seconds_total')).toBe(5);
    totals.observe([ends(lock, hold, 4000)]);
    expect(valueOf(scrape(totals, 6000), 'lockscope_class_held_seconds_total')).toBe(5);
    const next = heldFrom(6000);
    totals.observe([starts(lock, next), ends(lock, next, 9000)]);
    expect(valueOf(scrape(totals, 9000), 'lockscope_class_held_seconds_total')).toBe(7);
  });
});

const word = (n: number): string =>
  [...n.toString(26)]
    .map((digit) => 'abcdefghijklmnopqrstuvwxyz'[Number.parseInt(digit, 26)])
    .join('');

function takeOnce(totals: ClassTotals, key: string, times = 1): void {
  const lock = aLock(key);
  for (let i = 0; i < times; i++) {
    const hold = heldFrom(i * 10);
    totals.observe([starts(lock, hold), ends(lock, hold, i * 10 + 5)]);
  }
}

describe('the number of classes', () => {
  const acquisitions = (families: ParsedFamily[]) =>
    families.find(({ name }) => name === 'lockscope_class_acquisitions_total')?.samples ?? [];
  const sum = (families: ParsedFamily[]): number =>
    acquisitions(families).reduce((total, { value }) => total + value, 0);

  it('is bounded: the most active by name, the others as one that says how many', () => {
    const totals = fresh();
    for (let n = 0; n < 500; n++) takeOnce(totals, `shop_${word(n)}:1`, n < 300 ? 1 : 3);
    const first = scrape(totals, 0);
    expect(acquisitions(first)).toHaveLength(201);
    expect(valueOf(first, 'lockscope_classes_merged')).toBe(300);
    const other = { namespace: '', class: 'other' };
    expect(valueOf(first, 'lockscope_class_acquisitions_total', other)).toBe(300);
    expect(valueOf(first, 'lockscope_class_hold_duration_seconds_count', other)).toBe(300);
    expect(sum(first)).toBe(900);
  });

  it('never takes back a class that was exported, nor what was counted', () => {
    const totals = fresh();
    const names = (families: ParsedFamily[]) =>
      acquisitions(families).map(({ labels }) => labels['class']);
    for (let n = 0; n < 150; n++) takeOnce(totals, `shop_${word(n)}:1`);
    const few = scrape(totals, 0);
    for (let n = 150; n < 6_000; n++) takeOnce(totals, `shop_${word(n)}:1`, 2);
    const many = scrape(totals, 0);
    expect(names(many)).toEqual(expect.arrayContaining(names(few)));
    for (let n = 0; n < 6_000; n++) takeOnce(totals, `shop_${word(n)}:1`);
    const more = scrape(totals, 0);
    expect(names(more)).toEqual(names(many));
    for (const { labels, value } of acquisitions(many)) {
      const later = valueOf(more, 'lockscope_class_acquisitions_total', labels);
      expect(later).toBeGreaterThanOrEqual(value);
    }
    expect(sum(more)).toBe(150 + 2 * (6_000 - 150) + 6_000);
  });

  it('has one place for a lock that is named like the rest', () => {
    const totals = fresh();
    takeOnce(totals, 'other');
    for (let n = 0; n < 250; n++) takeOnce(totals, `shop_${word(n)}:1`);
    const families = scrape(totals, 0);
    expect(valueOf(families, 'lockscope_class_acquisitions_total', { class: 'other' })).toBe(51);
  });
});
