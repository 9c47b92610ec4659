import { describe, expect, it } from 'vitest';
import { readSketch } from '@/lib/analysis/sketch';
import { LockSums, MOST_LOCKS } from '@/server/store/lock-sums';
import type { LockRecord } from '@/server/state/lock-record';
import { aHold, aLock } from '@/test/support/records';

/** START of the builders is of no meaning here: times count from 0. */
const hold = (token: string, since: number) => aHold(token, { since });

/** So many more wait from then on. */
const more = (sums: LockSums, lock: LockRecord, change: number, at: number): void =>
  sums.waitersChanged(lock, [{ at, change }], at);

const heldBySteps = ({ rollups }: ReturnType<LockSums['take']>) =>
  rollups.map(({ step, heldMs, lock }) => [lock?.key, step, heldMs]);

const blamed = ({ blame }: ReturnType<LockSums['take']>) =>
  blame.map(({ cause, owner, step, waiterMs }) => [cause, owner, step, waiterMs]);

describe('held time of single locks', () => {
  it('is told step by step while a hold goes on, and to its end', () => {
    const sums = new LockSums('main');
    const lock = aLock('a');
    sums.advance(1000);
    sums.opened(lock, hold('A', 4000), 4000);
    sums.advance(12_000);
    expect(heldBySteps(sums.take(10_000, 12_000))).toEqual([['a', 0, 6000]]);
    expect(heldBySteps(sums.take(20_000, 22_000))).toEqual([['a', 10_000, 10_000]]);
    sums.closed(lock, 23_500, 23_500);
    expect(heldBySteps(sums.take(30_000, 32_000))).toEqual([['a', 20_000, 3500]]);
    expect(sums.take(40_000, 42_000)).toEqual({ rollups: [], blame: [] });
  });

  it('is taken back where a hold had ended before that was known', () => {
    const sums = new LockSums('main');
    const lock = aLock('a');
    sums.advance(0);
    sums.opened(lock, hold('A', 2000), 2000);
    sums.take(10_000, 12_000);
    sums.closed(lock, 7000, 12_500);
    expect(heldBySteps(sums.take(20_000, 22_000))).toEqual([['a', 0, -3000]]);
  });

  it('follows a corrected start, a corrected end, and a hold that goes on after all', () => {
    const sums = new LockSums('main');
    const lock = aLock('a');
    sums.advance(0);
    sums.opened(lock, hold('A', 2000), 2000);
    sums.startCorrected(lock, 1500);
    sums.closed(lock, 5000, 5000);
    sums.endCorrected(lock, 5000, 4000);
    sums.reopened(lock, hold('A', 1500), 4000);
    sums.opened(lock, hold('A', 1500), 1500);
    sums.closed(lock, 6000, 6000);
    expect(heldBySteps(sums.take(10_000, 11_000))).toEqual([['a', 0, 4500]]);
  });

  it('of a part of a step is told once when the rest of it is told later', () => {
    const sums = new LockSums('main');
    sums.advance(0);
    sums.opened(aLock('a'), hold('A', 1000), 1000);
    expect(heldBySteps(sums.take(Infinity, 5000))).toEqual([['a', 0, 4000]]);
    expect(heldBySteps(sums.take(10_000, 12_000))).toEqual([['a', 0, 5000]]);
  });
});

describe('waiting', () => {
  it('is put on whoever held the lock meanwhile, and on nobody while it was free', () => {
    const sums = new LockSums('main');
    const lock = aLock('a');
    sums.advance(0);
    sums.opened(lock, hold('A', 1000), 1000);
    more(sums, lock, 2, 3000);
    sums.advance(4000);
    sums.closed(lock, 5000, 5000);
    sums.opened(lock, hold('B', 5500), 5500);
    more(sums, lock, -1, 5500);
    sums.closed(lock, 6500, 6500);
    more(sums, lock, -1, 6500);
    const taken = sums.take(10_000, 12_000);
    expect(new Set(blamed(taken))).toEqual(
      new Set([
        ['holder', 'A', 0, 4000],
        ['nobody', null, 0, 1000],
        ['holder', 'B', 0, 1000],
      ]),
    );
    expect(taken.rollups.map(({ waiterMs }) => waiterMs)).toEqual([6000]);
  });

  it('is split at the border of a step', () => {
    const sums = new LockSums('main');
    const lock = aLock('a');
    sums.advance(0);
    sums.opened(lock, hold('A', 1000), 1000);
    more(sums, lock, 3, 9000);
    sums.advance(11_000);
    expect(blamed(sums.take(10_000, 11_000))).toEqual([['holder', 'A', 0, 3000]]);
    more(sums, lock, -3, 12_000);
    expect(blamed(sums.take(20_000, 22_000))).toEqual([['holder', 'A', 10_000, 6000]]);
  });

  it('moves off a hold that turns out to have ended, and onto one that had begun', () => {
    const sums = new LockSums('main');
    const lock = aLock('a');
    sums.advance(0);
    sums.opened(lock, hold('A', 1000), 1000);
    more(sums, lock, 1, 2000);
    sums.advance(6000);
    sums.closed(lock, 4000, 6100);
    sums.opened(lock, hold('B', 4500), 4500);
    more(sums, lock, -1, 7000);
    const taken = sums.take(10_000, 12_000);
    expect(new Map(blamed(taken).map(([cause, owner, , ms]) => [owner ?? cause, ms]))).toEqual(
      new Map([
        ['A', 2000],
        ['nobody', 500],
        ['B', 2500],
      ]),
    );
    expect(taken.rollups[0]?.waiterMs).toBe(5000);
  });

  it('for a holder that no read has named is told as such', () => {
    const sums = new LockSums('main');
    const lock = aLock('a');
    sums.advance(0);
    sums.opened(lock, aHold('A', { since: 0, owner: null, token: null }), 0);
    more(sums, lock, 1, 500);
    more(sums, lock, 0, 1500);
    expect(blamed(sums.take(10_000, 2000))).toEqual([['unnamed', null, 0, 1000]]);
  });

  it('counts from when those who wait had come, and until when those who went had waited', () => {
    const sums = new LockSums('main');
    const past = hold('A', 1000);
    const lock = aLock('a', { ended: [past] });
    sums.advance(0);
    sums.opened(lock, past, 1000);
    Object.assign(past, { end: 3000 });
    sums.closed(lock, 3000, 3000);
    sums.waitersChanged(lock, [{ at: 2500, change: 1 }], 3200);
    sums.opened(lock, hold('B', 3300), 3300);
    sums.waitersChanged(lock, [{ at: 3300, change: -1 }], 3400);
    const taken = sums.take(10_000, 12_000);
    expect(new Map(blamed(taken).map(([cause, owner, , ms]) => [owner ?? cause, ms]))).toEqual(
      new Map([
        ['A', 500],
        ['nobody', 300],
      ]),
    );
    expect(taken.rollups[0]?.waiterMs).toBe(800);
  });

  it('of a lock that is forgotten ends', () => {
    const sums = new LockSums('main');
    const lock = aLock('a');
    sums.advance(0);
    more(sums, lock, 2, 1000);
    sums.forgotten(lock);
    sums.advance(9000);
    expect(blamed(sums.take(10_000, 12_000))).toEqual([]);
  });
});

describe('what is kept', () => {
  it('tells null for what was never seen of a lock, and its distributions', () => {
    const sums = new LockSums('main');
    const [silent, heard] = [aLock('silent'), aLock('heard')];
    sums.acquired(silent, 1000);
    sums.waited(heard, { at: 2000, ms: 40, source: 'report', left: true });
    sums.handedOff(heard, 2000, 7);
    const [first, second] = sums.take(10_000, 12_000).rollups;
    expect(first).toMatchObject({ acquisitions: 1, waits: null, waiterMs: null, attempts: null });
    expect(second).toMatchObject({ waits: 1, waitMs: 40, timeouts: 1, attempts: 1, handoffMs: 7 });
    expect(readSketch(second?.sketches.report ?? new Uint8Array()).count).toBe(1);
    expect(readSketch(second?.sketches.handoff ?? new Uint8Array()).count).toBe(1);
  });

  it('counts no failed attempt for a token that tells when it was asked for', () => {
    const sums = new LockSums('main');
    sums.waited(aLock('a'), { at: 2000, ms: 0, source: 'token-time', left: false });
    expect(sums.take(10_000, 12_000).rollups[0]).toMatchObject({ waits: 1, attempts: null });
  });

  it('is the lock that is worst in any way, however many others there are', () => {
    const sums = new LockSums('main');
    for (let i = 0; i < 2 * MOST_LOCKS; i++) sums.acquired(aLock(`k${i}`), 1000);
    const [waited, long] = [aLock('waited'), aLock('long')];
    more(sums, waited, 1, 1000);
    more(sums, waited, -1, 1100);
    sums.opened(long, hold('A', 0), 0);
    sums.closed(long, 9000, 9000);
    const { rollups } = sums.take(10_000, 12_000);
    expect(rollups).toHaveLength(MOST_LOCKS);
    expect(rollups.map(({ lock }) => lock?.key)).toEqual(
      expect.arrayContaining(['waited', 'long']),
    );
  });

  it('of many locks that are only held is those held longest, step after step', () => {
    const sums = new LockSums('main');
    sums.advance(0);
    for (let i = 0; i < MOST_LOCKS + 10; i++) sums.opened(aLock(`k${i}`), hold('A', i), i);
    const first = sums.take(20_000, 22_000).rollups.filter(({ step }) => step === 10_000);
    const second = sums.take(30_000, 32_000).rollups;
    expect(second.map(({ lock }) => lock?.key)).toEqual(first.map(({ lock }) => lock?.key));
    expect(second[0]?.lock?.key).toBe('k0');
  });

  it('costs nothing for locks that are over', () => {
    const sums = new LockSums('main');
    const lock = aLock('a');
    sums.opened(lock, hold('A', 0), 0);
    sums.closed(lock, 100, 100);
    expect(sums.peek().rollups).toHaveLength(1);
    sums.take(10_000, 12_000);
    expect(sums.size).toBe(0);
  });
});
