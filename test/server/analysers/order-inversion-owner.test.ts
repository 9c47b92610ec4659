import { describe, expect, it } from 'vitest';
import { createAnalysis } from '@/server/analysers';
import {
  followedOwner,
  followedWaiter,
  isFollowed,
} from '@/server/analysers/order-inversion-owner';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { aHold, aLock, aTable, aTarget, aWaiter, anOwner, START } from '@/test/support/records';

const UUID = 'b983c153-7421-469a-addb-44fb92259a1b';
const OTHER = '0b7e2c9e-4f5a-4a0e-9a0f-1b2c3d4e5f60';
const A = `${UUID}:11`;
const B = `${OTHER}:22`;
const OWN = '0b7e2c9e-4f5a-8a0e-9a0f-1b2c3d4e5f60:7';

const follow = (formatId: string, hold: HoldRecord) =>
  followedOwner(aLock('x', { formatId, hold }), hold);

describe('who is followed from lock to lock', () => {
  it('is a thread of Redisson, or a task of our own client, under one name as reader and writer', () => {
    expect(follow('redisson', aHold(A))).toMatchObject({ owner: A, mode: 'write', sharing: 'own' });
    expect(follow('qoder', aHold(OWN))).toMatchObject({ owner: OWN, mode: 'write' });
    expect(follow('qoder-read-write', aHold(OWN))).toMatchObject({ owner: OWN, mode: 'read' });
    const writer = aHold(`${OWN}:write`);
    expect(follow('qoder-read-write', writer)).toMatchObject({ owner: OWN, mode: 'write' });
    expect(follow('redisson-read-write', aHold(`${A}:write`))?.mode).toBe('write');
  });

  it('is a registry of Spring and a host of ShedLock, whose threads share the name', () => {
    const registry = aHold(UUID, { owner: { ...anOwner(UUID), instance: UUID } });
    expect(follow('spring-registry', registry)).toMatchObject({ owner: UUID, sharing: 'shared' });
    const token = `ADDED:2026-11-02T14:00:00Z@host-1:${UUID}`;
    const job = aHold(token, { owner: { ...anOwner(token), host: 'host-1' } });
    const followed = { owner: 'host-1', sharing: 'shared', isTry: true };
    expect(follow('shedlock', job)).toMatchObject(followed);
  });

  it('is nobody whose name is not known, or who shares a lock with others', () => {
    expect(follow('redisson', aHold(A, { token: null, owner: null }))).toBeNull();
    expect(follow('redis-semaphore', aHold(UUID))).toBeNull();
    expect(follow('redisson-multi-lock', aHold(A))).toBeNull();
    expect(follow('bullmq', aHold(A))).toBeNull();
  });

  it('is known by what a format is', () => {
    const followed = ['qoder', 'redisson', 'redisson-fair', 'spring-registry', 'shedlock'];
    expect(followed.filter(isFollowed)).toEqual(followed);
    expect(['redlock', 'redis-py', 'redsync', 'laravel'].filter(isFollowed)).toEqual([]);
  });

  it('is who waits in a queue, too', () => {
    const waiterOf = (formatId: string, owner: string) =>
      followedWaiter(aLock('x', { formatId }), aWaiter(owner));
    expect(waiterOf('redisson-fair', A)).toEqual({ owner: A, mode: 'write' });
    expect(waiterOf('qoder-read-write', OWN)).toEqual({ owner: OWN, mode: 'read' });
    expect(waiterOf('medallion', UUID)).toBeNull();
  });
});

/** Feeds holds of Redisson as the table tells of them, a second each. */
function watched(formatId = 'redisson') {
  const analysis = createAnalysis({ longHoldMs: 600_000, noExpiryMs: 600_000 });
  let at = START;
  const locks = new Map<string, LockRecord>();
  const lockOf = (key: string): LockRecord => {
    const lock = locks.get(key) ?? aLock(key, { formatId, class: key });
    locks.set(key, lock);
    return lock;
  };
  const observe = (change: Change): void => analysis.observe([change]);
  return {
    start: (key: string, token: string, overrides: Partial<HoldRecord> = {}): HoldRecord => {
      at += 1000;
      const hold = aHold(token, { since: at, ...overrides });
      const lock = lockOf(key);
      lock.hold = hold;
      observe({ kind: 'hold-started', at, lock, hold, previousEnd: null });
      return hold;
    },
    update: (key: string, hold: HoldRecord): void =>
      observe({ kind: 'hold-updated', at, lock: lockOf(key), hold }),
    end: (key: string, hold: HoldRecord): void => {
      at += 1000;
      hold.end = at;
      const lock = lockOf(key);
      lock.hold = null;
      observe({ kind: 'hold-ended', at, lock, hold });
    },
    wait: (key: string, owner: string): void => {
      at += 1000;
      lockOf(key).queue = [aWaiter(owner, { since: at })];
    },
    told: (): string[] =>
      analysis
        .findings(aTable([...locks.values()]), aTarget(), at)
        .flatMap(({ code, subject }) => (code === 'order-inversion' ? [subject.label] : [])),
  };
}

type Watched = ReturnType<typeof watched>;

function nest(
  table: Watched,
  owner: string,
  keys: string[],
  first: Partial<HoldRecord> = {},
): void {
  const holds = keys.map((key, i) => table.start(key, owner, i === 0 ? first : {}));
  for (const [i, hold] of [...holds.entries()].toReversed()) table.end(keys[i] ?? '', hold);
}

describe('the order of holds', () => {
  it('is told of names that came later than the holds began, in any order', () => {
    const table = watched();
    const [x, y] = ['x', 'y'].map((key) => table.start(key, '', { token: null, owner: null }));
    if (!x || !y) throw new Error('no holds');
    for (const hold of [y, x]) Object.assign(hold, { token: A, owner: anOwner(A) });
    table.update('y', y);
    table.update('x', x);
    table.end('y', y);
    table.end('x', x);
    nest(table, B, ['y', 'x']);
    expect(table.told()).toEqual(['x, y']);
  });

  it('is not told of locks that somebody held already when the console began to look', () => {
    const table = watched();
    nest(table, A, ['x', 'y']);
    const seenLate = table.start('x', B, { notes: new Set(['started-before-watch']) });
    const alsoLate = table.start('y', B, { notes: new Set(['started-before-watch']) });
    table.end('x', seenLate);
    table.end('y', alsoLate);
    expect(table.told()).toEqual([]);
    nest(table, B, ['y', 'x'], { notes: new Set(['started-before-watch']) });
    expect(table.told()).toEqual(['x, y']);
  });

  it('is told of who stands in a queue while he holds another lock', () => {
    const table = watched('redisson-fair');
    nest(table, A, ['x', 'y']);
    table.start('y', B);
    expect(table.told()).toEqual([]);
    table.wait('x', B);
    expect(table.told()).toEqual(['x, y']);
  });
});
