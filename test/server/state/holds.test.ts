import { describe, expect, it } from 'vitest';
import { createScenario, hash, SEES_ALL, START, text, UUID_A } from './scenario';

const KEY = 'lock:x';
const OWN_INSTANCE = '7d0e7a52-2f86-8d4f-9c3b-55c2b1a0f3e1';

describe('a hold', () => {
  it('begins at the event, before any read', () => {
    const s = createScenario();
    s.events(10, KEY, 'new', 'set', 'expire');
    expect(s.lock(KEY)).toMatchObject({ state: 'held', generation: 1, acquisitions: 1 });
    expect(s.hold(KEY)).toMatchObject({
      since: START + 10,
      sinceEvidence: 'observed',
      token: null,
    });
    expect(s.kinds()).toEqual(['hold-started']);
  });

  it('is named and given its lease by the read', () => {
    const s = createScenario();
    s.events(10, KEY, 'set', 'expire');
    s.read(12, KEY, text('tok1'), { pttl: 59_999 });
    expect(s.hold(KEY)).toMatchObject({
      token: 'tok1',
      owner: { id: 'tok1', liveness: 'unknown' },
      leaseMs: 60_000,
      deadline: START + 12 + 59_999,
      renewals: 0,
    });
  });

  it.each([
    ['late by 60 ms of ten minutes, is ten minutes', 599_940, 600_000],
    ['late by 30 ms of two seconds, is what was measured', 1_970, 1_970],
    ['of no round length, is what was measured', 12_345, 12_345],
  ])('that was measured %s', (_, measuredMs, leaseMs) => {
    const s = createScenario();
    s.events(10, KEY, 'set', 'expire');
    s.read(12, KEY, text('tok1'), { pttl: measuredMs - 2 });
    expect(s.hold(KEY).leaseMs).toBe(leaseMs);
  });

  it('that ended before it was read is kept, without an owner', () => {
    const s = createScenario();
    s.events(10, KEY, 'set', 'expire');
    s.events(14, KEY, 'del');
    const [hold] = s.ended(KEY);
    expect(hold).toMatchObject({ end: START + 14, endReason: 'released', owner: null });
    expect(hold?.notes).toContain('owner-not-seen');
    expect(s.lock(KEY).state).toBe('free');
  });

  it('gets a new generation even with an equal token', () => {
    const s = createScenario();
    for (const at of [0, 100]) {
      s.events(at, KEY, 'set', 'expire');
      s.read(at + 1, KEY, text('same'), { pttl: 999 });
      s.events(at + 50, KEY, 'del');
    }
    expect(s.ended(KEY).map(({ generation }) => generation)).toEqual([1, 2]);
    const started = s.changes.filter((change) => change.kind === 'hold-started');
    expect(started.map(({ previousEnd }) => previousEnd)).toEqual([null, START + 50]);
  });

  it('of a key whose value must tell begins at its first write', () => {
    const s = createScenario();
    s.events(5, 'myLock', 'hincrby', 'expire');
    expect(s.table.size).toBe(0);
    s.read(9, 'myLock', hash({ [`${UUID_A}:1`]: '1' }), { pttl: 29_996 });
    expect(s.hold('myLock')).toMatchObject({
      since: START + 5,
      sinceEvidence: 'observed',
      leaseMs: 30_000,
      owner: { instance: UUID_A, thread: '1' },
    });
  });

  it('first met by a sweep says that it began earlier', () => {
    const s = createScenario();
    s.read(50, KEY, text('t'), { pttl: 1000, cause: 'sweep' });
    expect(s.hold(KEY)).toMatchObject({ since: START + 50, sinceEvidence: 'inferred' });
    expect(s.hold(KEY).notes).toContain('started-before-watch');
  });

  it('takes a better start from the token', () => {
    const s = createScenario();
    const taken = new Date(START - 5000).toISOString();
    const key = 'job-lock:default:report';
    s.read(50, key, text(`ADDED:${taken}@host-1:0b7e`), { pttl: 1000, cause: 'sweep' });
    expect(s.hold(key)).toMatchObject({
      since: START - 5000,
      sinceEvidence: 'inferred',
      owner: { host: 'host-1' },
    });
  });

  it('that tells its own start is not taken to have had one lease since then', () => {
    const s = createScenario();
    const key = 'qoder:lock:order:17';
    const value = hash({ [`${OWN_INSTANCE}:1`]: '1', since: String(START - 45_000) });
    s.read(0, key, value, { pttl: 25_000, cause: 'sweep' });
    const met = { since: START - 45_000, sinceEvidence: 'observed', deadline: START + 25_000 };
    expect(s.hold(key)).toMatchObject({ ...met, leaseMs: null });
    s.events(5000, key, 'expire');
    s.read(5002, key, value, { pttl: 29_998 });
    expect(s.hold(key)).toMatchObject({ since: met.since, leaseMs: 30_000, renewals: 1 });
  });

  it('that tells its own start has the lease of its first write where that was seen', () => {
    const s = createScenario();
    const key = 'qoder:lock:order:18';
    s.events(5, key, 'hset', 'hset');
    const value = hash({ [`${OWN_INSTANCE}:1`]: '1', since: String(START + 5) });
    s.read(7, key, value, { pttl: 29_998 });
    expect(s.hold(key)).toMatchObject({ since: START + 5, leaseMs: 30_000 });
  });

  it('is not opened by a key that no format recognises', () => {
    const s = createScenario();
    s.events(1, 'cache:1', 'set', 'expire');
    s.read(2, 'cache:1', text('hello'), { pttl: 10 });
    expect(s.table.size).toBe(0);
    expect(s.changes).toEqual([]);
  });

  it('opened by name is taken back when the value is no lock', () => {
    const s = createScenario();
    s.events(1, 'mutex:x', 'set');
    s.read(2, 'mutex:x', hash({ a: 'b' }));
    expect(s.kinds()).toEqual(['hold-started', 'hold-ended', 'lock-forgotten']);
    expect(s.table.size).toBe(0);
  });
});

describe('renewals', () => {
  const renewedFiveTimes = (readAt: readonly number[]) => {
    const s = createScenario();
    s.events(0, KEY, 'new', 'set', 'expire');
    for (let i = 1; i <= 5; i++) {
      if (readAt.includes(i)) s.read(300 * i - 5, KEY, text('A'), { pttl: 705 });
      s.events(300 * i, KEY, 'set', 'expire');
    }
    s.events(1505, KEY, 'del');
    return s;
  };

  it.each([[[1, 2, 3, 4, 5]], [[3]], [[5]], [[1]], [[]]])(
    'by SET are counted with reads before renewals %j',
    (reads) => {
      const s = renewedFiveTimes(reads);
      expect(s.lock(KEY).acquisitions).toBe(1);
      expect(s.ended(KEY)).toHaveLength(1);
      expect(s.ended(KEY)[0]).toMatchObject({
        renewals: 5,
        endReason: 'released',
        since: START,
        end: START + 1505,
      });
    },
  );

  it('by EXPIRE are those after the one that came with the write', () => {
    const s = createScenario();
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, text('A'), { pttl: 29_999 });
    for (const at of [10_000, 20_000, 30_000]) {
      s.events(at, KEY, 'expire');
      s.read(at + 1, KEY, text('A'), { pttl: 29_999 });
    }
    expect(s.hold(KEY)).toMatchObject({
      renewals: 3,
      lastRenewalAt: START + 30_000,
      renewalIntervalMs: 10_000,
      deadline: START + 60_000,
      leaseMs: 30_000,
    });
  });

  it('keep the round lease that was measured first, whatever the way took', () => {
    const s = createScenario();
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, text('A'), { pttl: 29_999 });
    s.events(10_050, KEY, 'expire');
    s.read(10_051, KEY, text('A'), { pttl: 29_951 });
    expect(s.hold(KEY).leaseMs).toBe(30_000);
    s.events(20_000, KEY, 'expire');
    s.read(20_001, KEY, text('A'), { pttl: 59_999 });
    expect(s.hold(KEY).leaseMs).toBe(60_000);
  });

  it('are none when a lease appears on a hold without one', () => {
    const s = createScenario();
    s.events(0, KEY, 'set');
    s.read(1, KEY, text('1'), { pttl: null });
    s.events(40_000, KEY, 'expire');
    s.read(40_001, KEY, text('1'), { pttl: 59_999 });
    expect(s.hold(KEY)).toMatchObject({ renewals: 0, leaseMs: 60_000, deadline: START + 100_000 });
  });

  it('are seen by the longer lease where events are blind', () => {
    const s = createScenario({ canSee: { ...SEES_ALL, release: false } });
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, text('A'), { pttl: 29_999 });
    s.read(15_000, KEY, text('A'), { pttl: 25_000, cause: 'reconcile' });
    expect(s.hold(KEY)).toMatchObject({ renewals: 1, lastRenewalAt: START + 10_000 });
  });

  it('do not include a lease that is taken away', () => {
    const s = createScenario();
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, text('A'), { pttl: 29_999 });
    s.events(50, KEY, 'persist');
    expect(s.hold(KEY).deadline).toBeNull();
    s.read(51, KEY, text('A'), { pttl: null });
    expect(s.hold(KEY)).toMatchObject({ renewals: 0, deadline: null });
    expect(s.hold(KEY).notes).toContain('lease-removed');
  });

  it('leave the deadline alone when a read only jitters', () => {
    const s = createScenario();
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, text('A'), { pttl: 29_999 });
    const made = s.read(5000, KEY, text('A'), { pttl: 25_007, cause: 'reconcile' });
    expect(made).toEqual([]);
    expect(s.hold(KEY).deadline).toBe(START + 30_000);
  });
});

describe('a takeover', () => {
  it('ends the old hold as overwritten and begins the next', () => {
    const s = createScenario();
    s.events(0, KEY, 'new', 'set', 'expire');
    s.read(1, KEY, text('A'), { pttl: 59_999 });
    s.events(500, KEY, 'set', 'expire');
    s.read(501, KEY, text('B'), { pttl: 59_999 });
    expect(s.ended(KEY)[0]).toMatchObject({
      endReason: 'overwritten',
      end: START + 500,
      endedBy: 'B',
      renewals: 0,
      endEvidence: 'observed',
    });
    expect(s.hold(KEY)).toMatchObject({ generation: 2, since: START + 500, token: 'B' });
    expect(s.hold(KEY).deadline).toBe(START + 60_500);
  });

  it('leaves each holder its own renewals', () => {
    const s = createScenario();
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, text('A'), { pttl: 59_999 });
    s.events(100, KEY, 'expire');
    s.events(200, KEY, 'set', 'expire');
    s.events(300, KEY, 'expire');
    s.read(301, KEY, text('B'), { pttl: 59_999 });
    expect(s.ended(KEY)[0]).toMatchObject({ renewals: 1, end: START + 200 });
    expect(s.hold(KEY)).toMatchObject({ renewals: 1, leaseMs: 60_000 });
  });

  it('is told from a new key by class n', () => {
    const s = createScenario();
    s.events(0, KEY, 'new', 'set', 'expire');
    s.read(1, KEY, text('A'), { pttl: 59_999 });
    s.events(700, KEY, 'new', 'set', 'expire');
    s.read(701, KEY, text('B'), { pttl: 59_999 });
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'vanished', end: START + 700 });
    expect(s.hold(KEY)).toMatchObject({ since: START + 700, token: 'B' });
  });

  it('is not claimed where releases cannot be seen', () => {
    const canSee = { acquire: true, release: false, lapse: true, eviction: true };
    const s = createScenario({ canSee });
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, text('A'), { pttl: 59_999 });
    s.events(500, KEY, 'set', 'expire');
    s.read(501, KEY, text('B'), { pttl: 59_999 });
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'unknown', endEvidence: 'inferred' });
  });

  it('is none when the value becomes data', () => {
    const s = createScenario();
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, text('token'), { pttl: 59_999 });
    s.events(500, KEY, 'set');
    s.read(501, KEY, text('{"a":1}'), { pttl: null });
    expect(s.lock(KEY)).toMatchObject({
      state: 'broken',
      brokenBecause: 'key is used for something else',
      hold: null,
    });
    expect(s.ended(KEY)[0]?.endReason).toBe('unknown');
    expect(s.ended(KEY)[0]?.notes).toContain('value-changed-shape');
    s.read(600, KEY, text('{"a":1}'), { cause: 'reconcile' });
    expect(s.lock(KEY)).toMatchObject({ state: 'broken', acquisitions: 1 });
    s.events(700, KEY, 'del');
    expect(s.lock(KEY).state).toBe('free');
    s.events(800, KEY, 'set', 'expire');
    s.read(801, KEY, text('token'), { pttl: 999 });
    expect(s.lock(KEY)).toMatchObject({ state: 'held', acquisitions: 2 });
  });

  it('is none when the key becomes another type', () => {
    const s = createScenario();
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, text('token'), { pttl: 59_999 });
    s.events(500, KEY, 'rename_to');
    s.read(501, KEY, { type: 'list', items: ['a'], size: 1, truncated: false });
    expect(s.lock(KEY)).toMatchObject({ state: 'broken', hold: null });
  });
});

describe('a key that came from elsewhere', () => {
  it.each(['rename_to', 'move_to', 'copy_to', 'restore'])('by %s is held from then', (event) => {
    const s = createScenario();
    s.events(30, KEY, event);
    s.read(31, KEY, text('t'), { pttl: 1000 });
    expect(s.hold(KEY)).toMatchObject({ since: START + 30, sinceEvidence: 'observed' });
    expect(s.hold(KEY).notes).toContain('moved-in');
  });
});

describe('cool-down', () => {
  const key = 'job-lock:default:report';
  const value = text('ADDED:2026-01-01T00:00:00Z@host-1:0b7e');

  it('begins when the value stays and the lease gets shorter', () => {
    const s = createScenario();
    s.events(0, key, 'set', 'expire');
    s.read(1, key, value, { pttl: 59_999 });
    s.events(2000, key, 'set', 'expire');
    s.read(2001, key, value, { pttl: 4999 });
    expect(s.lock(key)).toMatchObject({ state: 'cooling-down' });
    expect(s.hold(key)).toMatchObject({ finishedAt: START + 2000, renewals: 0, leaseMs: 60_000 });
    expect(s.hold(key).notes).toContain('finished-kept');
    expect(s.table.counts).toMatchObject({ held: 0, coolingDown: 1 });
    s.events(7100, key, 'expired');
    expect(s.ended(key)[0]).toMatchObject({ endReason: 'lease-ended', end: START + 7000 });
    expect(s.table.counts).toMatchObject({ coolingDown: 0, free: 1 });
  });

  it('is only a shorter lease for libraries that do not keep locks on purpose', () => {
    const s = createScenario();
    s.events(0, KEY, 'set', 'expire');
    s.read(1, KEY, text('A'), { pttl: 59_999 });
    s.events(2000, KEY, 'expire');
    s.read(2001, KEY, text('A'), { pttl: 4999 });
    expect(s.lock(KEY).state).toBe('held');
    expect(s.hold(KEY).notes).toContain('lease-shortened');
  });
});
