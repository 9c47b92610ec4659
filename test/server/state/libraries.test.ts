import { describe, expect, it } from 'vitest';
import { createScenario, hash, START, text, UUID_A, UUID_B, zset } from './scenario';
import { toLock } from '@/server/state/view';

const A = `${UUID_A}:1`;
const B = `${UUID_B}:2`;
const known = (key: string) => {
  const s = createScenario();
  s.events(-1000, key, 'hincrby', 'expire');
  s.read(-999, key, hash({ [A]: '1' }), { pttl: 29_999 });
  s.events(-900, key, 'hincrby', 'del');
  return s;
};

describe('re-entry', () => {
  it('shows its depth as read', () => {
    const s = createScenario();
    s.events(0, 'inv', 'hincrby', 'expire');
    s.read(1, 'inv', hash({ [A]: '1' }), { pttl: 29_999 });
    s.events(100, 'inv', 'hincrby', 'expire');
    s.read(101, 'inv', hash({ [A]: '2' }), { pttl: 29_999 });
    expect(s.hold('inv')).toMatchObject({ depth: 2, maxDepth: 2, renewals: 0, generation: 1 });
    s.events(200, 'inv', 'hincrby', 'expire');
    s.read(201, 'inv', hash({ [A]: '1' }), { pttl: 29_999 });
    expect(s.hold('inv')).toMatchObject({ depth: 1, maxDepth: 2 });
    s.events(300, 'inv', 'hincrby', 'del');
    expect(s.ended('inv')).toHaveLength(1);
    expect(s.ended('inv')[0]).toMatchObject({ endReason: 'released', maxDepth: 2, renewals: 0 });
    expect(s.ended('inv')[0]?.notes).not.toContain('depth-inferred');
  });

  it('has a least depth even when nothing was read', () => {
    const s = known('inv');
    s.events(0, 'inv', 'hincrby', 'expire', 'hincrby', 'expire', 'hincrby', 'expire');
    s.events(5, 'inv', 'hincrby', 'del');
    const hold = s.ended('inv').at(-1);
    expect(hold).toMatchObject({ generation: 2, maxDepth: 2, endReason: 'released' });
    expect(hold?.notes).toContain('depth-inferred');
  });

  it('is none in a plain acquire and release', () => {
    const s = known('inv');
    s.events(0, 'inv', 'hincrby', 'expire', 'hincrby', 'del');
    expect(s.ended('inv').at(-1)).toMatchObject({ maxDepth: 1 });
  });

  it('by another field is another holder', () => {
    const s = createScenario();
    s.events(0, 'inv', 'hincrby', 'expire');
    s.read(1, 'inv', hash({ [A]: '1' }), { pttl: 29_999 });
    s.events(50, 'inv', 'hset', 'expire');
    s.read(51, 'inv', hash({ [B]: '1' }), { pttl: 29_999 });
    expect(s.ended('inv')[0]).toMatchObject({
      endReason: 'overwritten',
      end: START + 50,
      endedBy: B,
    });
    expect(s.hold('inv').owner).toMatchObject({ instance: UUID_B, thread: '2' });
  });

  it('never lists the unlock latch', () => {
    const s = createScenario();
    const latch = 'redisson_unlock_latch:{inv}:0123';
    s.events(0, latch, 'set', 'expire');
    s.read(1, latch, text('0'), { pttl: 100 });
    expect(s.table.size).toBe(0);
  });
});

describe('a fair queue', () => {
  const QUEUE = 'redisson_lock_queue:{inv}';
  const waiter = (owner: string, deadline = START + 300_000) => ({ owner, deadline, alive: null });
  const heldByA = () => {
    const s = createScenario();
    s.events(0, 'inv', 'hset', 'expire');
    s.read(1, 'inv', hash({ [A]: '1' }), { pttl: 29_999, queue: [] });
    return s;
  };

  it('makes a plain lock a fair one for good', () => {
    const s = heldByA();
    expect(s.lock('inv').format.id).toBe('redisson');
    s.read(10, 'inv', hash({ [A]: '1' }), { pttl: 29_990, queue: [waiter(B)] });
    expect(s.lock('inv').format.id).toBe('redisson-fair');
    s.read(20, 'inv', hash({ [A]: '1' }), { pttl: 29_980, queue: [] });
    s.events(30, 'inv', 'hincrby', 'del', 'hset', 'expire');
    s.read(31, 'inv', hash({ [B]: '1' }), { pttl: 29_999, queue: [] });
    expect(s.lock('inv').format.id).toBe('redisson-fair');
  });

  it('tells how long the next holder had waited', () => {
    const s = heldByA();
    s.events(100, QUEUE, 'rpush');
    s.read(103, 'inv', hash({ [A]: '1' }), { pttl: 29_897, queue: [waiter(B)] });
    expect(s.lock('inv').queue).toMatchObject([{ owner: B, since: START + 100 }]);
    s.events(600, 'inv', 'hincrby', 'del');
    s.events(605, QUEUE, 'lpop', 'del');
    s.events(605, 'inv', 'hset', 'expire');
    s.read(606, 'inv', hash({ [B]: '1' }), { pttl: 29_999, queue: [] });
    const wait = s.changes.find((change) => change.kind === 'wait-ended');
    expect(wait).toMatchObject({
      owner: B,
      waitedMs: 505,
      evidence: 'observed',
      outcome: 'granted',
      source: 'fair-queue',
    });
    expect(s.hold('inv').waitedMs).toMatchObject({ ms: 505, source: 'fair-queue' });
  });

  it('takes a join between two reads for observed when an event asked for the second', () => {
    const s = heldByA();
    s.read(50, 'inv', hash({ [A]: '1' }), { pttl: 29_950, queue: [waiter(B)] });
    s.events(600, 'inv', 'hincrby', 'del', 'hset', 'expire');
    s.read(606, 'inv', hash({ [B]: '1' }), { pttl: 29_999, queue: [] });
    expect(s.changes.find(({ kind }) => kind === 'wait-ended')).toMatchObject({
      evidence: 'observed',
      waitedMs: 550,
    });
  });

  it('takes a waiter that is gone after a hold without a name for its holder', () => {
    const s = heldByA();
    s.read(50, 'inv', hash({ [A]: '1' }), { pttl: 29_950, queue: [waiter(B)] });
    s.events(600, 'inv', 'hincrby', 'del', 'hincrby', 'expire', 'hincrby', 'del');
    s.read(606, 'inv', null, { queue: [] });
    expect(s.changes.find(({ kind }) => kind === 'wait-ended')).toMatchObject({
      owner: B,
      outcome: 'granted',
      evidence: 'inferred',
    });
  });

  it('only infers the wait of someone who stood there already', () => {
    const s = heldByA();
    s.read(103, 'inv', hash({ [A]: '1' }), { pttl: 29_897, queue: [waiter(B)], cause: 'sweep' });
    s.events(600, 'inv', 'hincrby', 'del', 'hset', 'expire');
    s.read(606, 'inv', hash({ [B]: '1' }), { pttl: 29_999, queue: [] });
    const wait = s.changes.find((change) => change.kind === 'wait-ended');
    expect(wait).toMatchObject({ evidence: 'inferred', outcome: 'granted' });
  });

  it('tells who left without the lock', () => {
    const s = heldByA();
    s.events(100, QUEUE, 'rpush');
    s.read(101, 'inv', hash({ [A]: '1' }), { pttl: 29_899, queue: [waiter(B)] });
    s.events(400, QUEUE, 'lrem', 'del');
    s.read(401, 'inv', hash({ [A]: '1' }), { pttl: 29_599, queue: [] });
    const wait = s.changes.find((change) => change.kind === 'wait-ended');
    expect(wait).toMatchObject({ owner: B, outcome: 'left', waitedMs: 301, evidence: 'observed' });
    expect(s.changes.filter(({ kind }) => kind === 'waiting-changed')).toMatchObject([
      { after: 1 },
      { before: 1, after: 0 },
    ]);
  });

  it('whose lock is gone is an orphan', () => {
    const s = createScenario();
    s.read(5, 'inv', null, { queue: [waiter(A), waiter(B)] });
    expect(s.lock('inv')).toMatchObject({ state: 'orphan-queue', hold: null });
    expect(s.lock('inv').format.id).toBe('redisson-fair');
    expect(s.table.counts.orphanQueues).toBe(1);
    expect(s.table.nextToReconcile(5)).toEqual([{ db: 0, key: 'inv' }]);
    s.read(9, 'inv', null, { queue: [] });
    expect(s.lock('inv').state).toBe('free');
    expect(s.table.nextToReconcile(5)).toEqual([]);
  });

  it('remembers a join that came before the lock was known', () => {
    const s = createScenario();
    s.events(3, QUEUE, 'rpush');
    s.read(5, 'inv', hash({ [A]: '1' }), { pttl: 100, queue: [waiter(B)] });
    expect(s.lock('inv').queue[0]?.since).toBe(START + 3);
  });
});

describe('a semaphore', () => {
  const KEY = 'semaphore:pool';
  const id = (n: number) => UUID_A.replace(/.$/, `${n}`);

  it('is never held by a member past its window', () => {
    const s = createScenario();
    const value = zset({ 'id-live': START, 'id-old': START - 600_000 });
    s.read(10, KEY, value, { cause: 'sweep' });
    expect(s.hold(KEY)).toMatchObject({ token: 'id-live', depth: 1 });
    expect(s.lock(KEY).members).toMatchObject([
      { id: 'id-live', stale: false },
      { id: 'id-old', stale: true },
    ]);
  });

  it('is free when all members are past their window, and still lists them', () => {
    const s = createScenario();
    s.read(10, KEY, zset({ 'id-live': START - 5000 }), { cause: 'sweep' });
    expect(s.table.takeDue(START + 5000, 10)).toEqual([{ db: 0, key: KEY }]);
    s.read(5001, KEY, zset({ 'id-live': START - 5000 }), { cause: 'deadline' });
    expect(s.lock(KEY)).toMatchObject({ state: 'free', hold: null });
    expect(s.lock(KEY).members).toHaveLength(1);
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'lease-ended', end: START + 5000 });
  });

  it('learns its window from the lease and counts refreshes as renewals', () => {
    const s = createScenario();
    s.events(0, KEY, 'new', 'zadd', 'expire');
    s.read(1, KEY, zset({ [id(1)]: START }), { pttl: 1999 });
    expect(s.hold(KEY)).toMatchObject({ leaseMs: 2000, deadline: START + 2000, token: id(1) });
    s.events(1600, KEY, 'zadd', 'expire');
    s.read(1601, KEY, zset({ [id(1)]: START + 1600 }), { pttl: 1999 });
    expect(s.hold(KEY)).toMatchObject({ renewals: 1, deadline: START + 3600, generation: 1 });
    s.events(1700, KEY, 'zrem', 'del');
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'released', renewals: 1 });
  });

  it('measures its window by the key when no event told it', () => {
    const s = createScenario();
    const value = zset({ [id(1)]: START - 20_000 });
    s.read(10, KEY, value, { cause: 'sweep', pttl: 40_000 - 10 });
    expect(s.hold(KEY)).toMatchObject({ leaseMs: 60_000, deadline: START + 40_000, depth: 1 });
  });

  it('claims no more than a guess where the key has no lease', () => {
    const s = createScenario();
    s.read(10, KEY, zset({ [id(1)]: START - 5000 }), { cause: 'sweep' });
    s.read(6000, KEY, zset({ [id(1)]: START - 5000 }), { cause: 'deadline' });
    expect(s.ended(KEY)[0]).toMatchObject({ endReason: 'lease-ended', endEvidence: 'inferred' });
  });

  it('was never held when all that was written is past its window', () => {
    const s = createScenario();
    s.events(0, KEY, 'zadd');
    s.read(1, KEY, zset({ [id(1)]: START - 600_000 }));
    expect(s.lock(KEY)).toMatchObject({ state: 'free', acquisitions: 0, ended: [] });
  });

  it('bears scores of any size', () => {
    const s = createScenario();
    s.read(10, KEY, zset({ a: Infinity, b: 1e300, c: -Infinity }), { cause: 'sweep', pttl: 9e15 });
    const { hold, members } = toLock(s.lock(KEY), [], START);
    for (const time of [hold?.deadline, hold?.since, ...members.map((m) => m.refreshedAt)]) {
      expect(Number.isNaN(new Date(time ?? Number.NaN).getTime())).toBe(false);
    }
  });

  it('keeps its holder while others come and go', () => {
    const s = createScenario();
    s.events(0, KEY, 'zadd', 'expire');
    s.read(1, KEY, zset({ [id(1)]: START }), { pttl: 9999 });
    s.events(100, KEY, 'zadd', 'expire');
    s.read(101, KEY, zset({ [id(1)]: START, [id(2)]: START + 100 }), { pttl: 9999 });
    expect(s.hold(KEY)).toMatchObject({ token: id(1), depth: 2, generation: 1, renewals: 0 });
    s.events(200, KEY, 'zrem');
    s.read(201, KEY, zset({ [id(2)]: START + 100 }), { pttl: 9800 });
    expect(s.ended(KEY)[0]).toMatchObject({
      token: id(1),
      endReason: 'released',
      end: START + 200,
    });
    expect(s.hold(KEY)).toMatchObject({ token: id(2), depth: 1, generation: 2 });
  });
});

describe('redis-py', () => {
  const uuid1At = (at: number): string => {
    const ticks = (BigInt(at) + 12_219_292_800_000n) * 10_000n;
    const hex = ticks.toString(16).padStart(15, '0');
    return `${hex.slice(7)}${hex.slice(3, 7)}1${hex.slice(0, 3)}88df02fc00000001`;
  };

  it('tells by its token how long the holder had waited', () => {
    const s = createScenario();
    s.events(1000, 'lock:rp', 'set', 'expire');
    s.read(1001, 'lock:rp', text(uuid1At(START + 400)), { pttl: 9999 });
    expect(s.lock('lock:rp').format.id).toBe('redis-py');
    expect(s.hold('lock:rp').owner?.instance).toBe('02:fc:00:00:00:01');
    expect(s.changes.find(({ kind }) => kind === 'wait-ended')).toMatchObject({
      waitedMs: 600,
      source: 'token-time',
      evidence: 'inferred',
      outcome: 'granted',
    });
  });

  it('tells nothing when the start itself is not known', () => {
    const s = createScenario();
    s.read(1001, 'lock:rp', text(uuid1At(START + 400)), { pttl: 9999, cause: 'sweep' });
    expect(s.kinds()).not.toContain('wait-ended');
    expect(s.hold('lock:rp')).toMatchObject({ since: START + 400, sinceEvidence: 'inferred' });
  });
});

describe('subscribers', () => {
  const subscribers = (at: number, count: number) =>
    ({ kind: 'subscribers', at: START + at, db: 0, key: 'inv', count }) as const;

  it('are counted while held, and after a release as long as some listen', () => {
    const s = createScenario();
    s.events(0, 'inv', 'hincrby', 'expire');
    s.read(1, 'inv', hash({ [A]: '1' }), { pttl: 29_999 });
    expect(s.table.probeable()).toEqual([
      { db: 0, key: 'inv', channels: ['redisson_lock__channel:{inv}'] },
    ]);
    s.apply(subscribers(10, 2));
    expect(s.changes.at(-1)).toMatchObject({ kind: 'waiting-changed', before: null, after: 2 });
    s.events(20, 'inv', 'hincrby', 'del');
    expect(s.table.probeable()).toHaveLength(1);
    s.apply(subscribers(30, 0));
    expect(s.table.probeable()).toEqual([]);
  });
});
