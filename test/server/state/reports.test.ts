import { describe, expect, it } from 'vitest';
import { waitingCount } from '@/server/state/waiting';
import type { ReportObservation } from '@/server/watch/observation';
import { createScenario, hash, START, type Scenario } from './scenario';

const INSTANCE = '6fa459ea-ee8a-8ca4-894e-db77e160355e';
const A = `${INSTANCE}:1`;
const B = `${INSTANCE}:2`;
const KEY = 'qoder:lock:a';

const reportOf = (
  at: number,
  event: ReportObservation['event'],
  more: Partial<ReportObservation> = {},
): ReportObservation => ({
  ...{ kind: 'report', at: START + at, db: 0, key: KEY, owner: A, event },
  ...{ holder: null, waitedMs: null, heldMs: null, fence: null, businessId: null, count: null },
  isOld: false,
  ...more,
});

const heldByA = (since = START): Scenario => {
  const s = createScenario();
  s.events(0, KEY, 'new', 'hset', 'expire');
  s.read(1, KEY, hash({ [A]: '1', since: `${since}` }), { pttl: 59_999, queue: [], fence: '7' });
  return s;
};

const waiter = (owner: string, deadline: number) => ({
  owner,
  deadline: START + deadline,
  alive: null,
});

describe('a report', () => {
  it('tells how a hold ended that nobody saw end', () => {
    const s = heldByA();
    s.gap(100, 900);
    s.read(901, KEY, null, { cause: 'resync', queue: [] });
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'unknown', endEvidence: 'inferred' });
    s.apply(reportOf(500, 'released', { heldMs: 500, fence: '7', businessId: 'SO-1' }));
    expect(s.ended(KEY)[0]).toMatchObject({
      ...{ endReason: 'released', endEvidence: 'observed', end: START + 500, businessId: 'SO-1' },
    });
  });

  it('of a loss says that the lease ended, as long after its start as the holder says', () => {
    const s = heldByA();
    s.gap(100, 900);
    s.read(901, KEY, null, { cause: 'resync', queue: [] });
    s.apply(reportOf(950, 'lost', { heldMs: 400, fence: '7' }));
    expect(s.ended(KEY)[0]).toMatchObject({
      ...{ endReason: 'lease-ended', endEvidence: 'observed', end: START + 400 },
    });
  });

  it('never contradicts what was observed', () => {
    const s = heldByA();
    s.apply({
      ...{ kind: 'release-intent', at: START + 5, db: 0, key: KEY },
      ...{ generation: 1, actor: 'op' },
    });
    s.events(6, KEY, 'del');
    s.apply(reportOf(7, 'lost', { heldMs: 7, fence: '7' }));
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'force-released', endedBy: 'op' });
  });

  it('of another hold of the same owner says nothing of this one', () => {
    const s = heldByA();
    s.gap(100, 900);
    s.read(901, KEY, null, { cause: 'resync', queue: [] });
    s.apply(reportOf(500, 'released', { heldMs: 5, fence: '6' }));
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'unknown' });
  });

  it('of a wait counts once, though it is told of the grant and of the release', () => {
    const s = heldByA();
    s.apply(reportOf(10, 'waiting', { owner: B }));
    s.apply(reportOf(60, 'granted', { owner: B, waitedMs: 40, fence: '8' }));
    s.apply(reportOf(90, 'released', { owner: B, waitedMs: 40, heldMs: 40, fence: '8' }));
    const waits = s.changes.filter(({ kind }) => kind === 'wait-ended');
    expect(waits).toMatchObject([{ waitedMs: 40, source: 'report', evidence: 'observed' }]);
  });

  it('of a release tells the wait of a hold that had no name when its grant was told', () => {
    const s = heldByA();
    s.events(60, KEY, 'del', 'new', 'hset', 'expire');
    s.apply(reportOf(60, 'granted', { owner: B, waitedMs: 40, fence: '8' }));
    s.events(64, KEY, 'del');
    s.apply(reportOf(64, 'released', { owner: B, waitedMs: 40, heldMs: 4, fence: '8' }));
    expect(s.ended(KEY).at(-1)).toMatchObject({
      ...{ token: B, waitedMs: { ms: 40, source: 'report', evidence: 'observed' } },
    });
    expect(s.changes.at(-1)).toMatchObject({ kind: 'hold-revised' });
    expect(s.changes.filter(({ kind }) => kind === 'wait-ended')).toHaveLength(1);
  });

  it('of a wait counts in the place of what the queue showed', () => {
    const s = heldByA();
    s.events(10, `redisson_lock_queue:{${KEY}}`, 'rpush');
    const queue = [waiter(B, 1500)];
    s.read(11, KEY, hash({ [A]: '1' }), { pttl: 59_000, queue });
    s.events(60, KEY, 'del', 'new', 'hset', 'expire');
    s.read(61, KEY, hash({ [B]: '1' }), { pttl: 59_000, queue: [] });
    s.apply(reportOf(150, 'granted', { owner: B, waitedMs: 52, fence: '8' }));
    s.apply({ kind: 'tick', at: START + 10_000 });
    const waits = s.changes.filter(({ kind }) => kind === 'wait-ended');
    expect(waits).toMatchObject([{ waitedMs: 52, source: 'report' }]);
  });

  it('that is old opens a wait and counts none', () => {
    const s = heldByA();
    s.apply(reportOf(-500, 'waiting', { owner: B, isOld: true, businessId: 'SO-2' }));
    s.apply(reportOf(-400, 'timed-out', { owner: `${INSTANCE}:3`, waitedMs: 9, isOld: true }));
    s.read(2, KEY, hash({ [A]: '1' }), { queue: [waiter(B, 1500)], cause: 'sweep' });
    expect(s.lock(KEY).queue).toMatchObject([{ since: START - 500, businessId: 'SO-2' }]);
    expect(s.kinds()).not.toContain('wait-ended');
  });

  it('that is missing leaves no wait open for ever', () => {
    const s = heldByA();
    s.apply(reportOf(10, 'waiting', { owner: B, businessId: 'SO-2' }));
    s.apply({ ...{ kind: 'report-gap', at: START + 90, db: 0 }, from: START + 20, to: START + 80 });
    s.read(100, KEY, hash({ [A]: '1' }), { queue: [waiter(B, 1500)], cause: 'sweep' });
    expect(s.lock(KEY).queue[0]).toMatchObject({ since: START + 100, businessId: null });
  });

  it('of refused attempts names the lock and how many', () => {
    const s = createScenario();
    s.apply(reportOf(5, 'refused', { count: 12 }));
    expect(s.changes).toMatchObject([{ kind: 'attempts-refused', key: KEY, count: 12 }]);
    s.apply(reportOf(6, 'refused', { count: 12, isOld: true }));
    expect(s.changes).toHaveLength(1);
  });

  it('from a stranger about a key that is no lock of ours makes no lock', () => {
    const s = createScenario();
    s.apply(reportOf(5, 'granted', { key: 'cache:1', waitedMs: 5 }));
    expect(s.table.size).toBe(0);
  });
});

describe('a hold that says when it began', () => {
  it('began then, by our clock', () => {
    const s = createScenario();
    const value = hash({ [A]: '1', since: `${START - 8000}` });
    s.read(10, KEY, value, { cause: 'sweep', pttl: 50_000, clockMs: 500 });
    expect(s.hold(KEY)).toMatchObject({ since: START - 7500, sinceEvidence: 'observed' });
  });

  it('is another one after a gap, though its owner is the same', () => {
    const s = heldByA(START);
    s.gap(100, 900);
    const value = hash({ [A]: '1', since: `${START + 600}` });
    s.read(901, KEY, value, { cause: 'resync', pttl: 59_700, queue: [], fence: '9' });
    expect(s.hold(KEY)).toMatchObject({ generation: 2, since: START + 600 });
    expect(s.ended(KEY)).toHaveLength(1);
  });

  it('is the same one when its client corrects the time', () => {
    const s = heldByA(START);
    s.events(52, KEY, 'expire', 'hset');
    const value = hash({ [A]: '1', since: `${START + 2}`, business: 'SO-1' });
    s.read(53, KEY, value, { pttl: 59_999, queue: [], fence: '7' });
    expect(s.hold(KEY)).toMatchObject({ generation: 1, businessId: 'SO-1' });
  });
});

describe('a lock of our own client that was not read yet', () => {
  it('has waiters that are not known, and not none', () => {
    const s = createScenario();
    s.events(0, KEY, 'new', 'hset', 'expire');
    expect(waitingCount(s.lock(KEY))).toBeNull();
    s.read(1, KEY, hash({ [A]: '1' }), { queue: [] });
    expect(waitingCount(s.lock(KEY))).toBe(0);
  });
});

describe('a waiter of our own client', () => {
  it('that beats no more waits no more, and leaves no queue behind', () => {
    const s = heldByA();
    s.read(10, KEY, hash({ [A]: '1' }), { queue: [waiter(B, 1500)], pttl: 59_000 });
    expect(waitingCount(s.lock(KEY))).toBe(1);
    expect(s.lock(KEY).queue[0]?.alive).toBe(true);
    s.events(2000, KEY, 'del');
    s.read(2001, KEY, null, { queue: [waiter(B, 1500)], cause: 'reconcile' });
    expect(waitingCount(s.lock(KEY))).toBe(0);
    expect(s.lock(KEY)).toMatchObject({ state: 'free' });
  });

  it('has a deadline by the clock of Redis', () => {
    const s = heldByA();
    const read = { queue: [waiter(B, -2000)], pttl: 59_000, clockMs: 3000 };
    s.read(10, KEY, hash({ [A]: '1' }), read);
    expect(s.lock(KEY).queue[0]).toMatchObject({ alive: true, deadline: START + 1000 });
  });
});

describe('an instance', () => {
  it('names the owners that it has, whenever it is read', () => {
    const s = heldByA();
    expect(s.hold(KEY).owner).toMatchObject({ app: null, liveness: 'unknown' });
    const facts = { host: 'web-1', ip: '10.0.0.7', pid: 4711, app: 'shop' };
    s.apply({ kind: 'instance', at: START + 5, instance: INSTANCE, facts });
    expect(s.hold(KEY).owner).toMatchObject({ ...facts, liveness: 'seen' });
    expect(s.kinds().at(-1)).toBe('lock-changed');
    s.apply({ kind: 'instance', at: START + 9, instance: INSTANCE, facts: null });
    expect(s.hold(KEY).owner).toMatchObject({ ...facts, liveness: 'not-seen' });
    s.apply({ kind: 'connection', at: START + 9, connected: false });
    expect(s.hold(KEY).owner).toMatchObject({ ...facts, liveness: 'unknown' });
    s.apply({ kind: 'connection', at: START + 9, connected: true });
    s.apply({ kind: 'instance', at: START + 9, instance: INSTANCE, facts: null });
    const changesBefore = s.changes.length;
    s.apply({ kind: 'instance', at: START + 10, instance: INSTANCE, facts: null });
    expect(s.changes).toHaveLength(changesBefore);
  });
});
