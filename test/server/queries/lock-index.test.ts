import { describe, expect, it } from 'vitest';
import type { LockFilter, LockSort } from '@/lib/protocol/queries';
import { createLockIndex, type LockIndex } from '@/server/queries/lock-index';
import type { Change } from '@/server/state/change';
import type { LockRecord } from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';
import { aHold, aLock, anEndedHold, aTable, START } from '@/test/support/records';

/** A table whose locks a test changes as the pipeline would: change, count up, tell the index. */
function createWorld(index: LockIndex, isTold = true) {
  const locks = new Map<string, LockRecord>();
  let version = 0;
  const table = (): LockTable => ({ ...aTable([...locks.values()]), version });
  return {
    locks,
    change: (...records: LockRecord[]) => {
      version++;
      const changes = records.map((lock): Change => ({ kind: 'lock-changed', at: START, lock }));
      if (isTold) index.note(changes, version);
    },
    keys: (filter: LockFilter, sort?: LockSort, now = START) =>
      index
        .select({
          ...{ table: table(), filter, sort, stamp: '' },
          settings: { now, longAfterMs: () => 1000, hasAlerts: () => false },
        })
        .map(({ record }) => record.key),
  };
}

const FILTERS: LockFilter[] = [
  {},
  { q: 'T1' },
  { state: 'held' },
  { view: 'no-expiry' },
  { view: 'lost' },
];
const SORTS: (LockSort | undefined)[] = [undefined, '-since', 'deadline', '-renewals', 'owner'];

function* numbers(seed: number): Generator<number, number> {
  let state = seed;
  for (;;) yield (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0);
}

describe('the order of a list', () => {
  it('kept up change by change is the order made anew', () => {
    const index = createLockIndex();
    const world = createWorld(index);
    const random = numbers(5);
    const next = (below: number): number => (random.next().value >>> 8) % below;
    for (let round = 0; round < 150; round++) {
      const changed: LockRecord[] = [];
      for (let i = next(12); i >= 0; i--) {
        const key = `lock:${next(60)}`;
        const lock = world.locks.get(key) ?? aLock(key);
        const isGone = next(8) === 0;
        if (isGone) world.locks.delete(key);
        else world.locks.set(key, lock);
        const lost = anEndedHold('x', { end: START, endReason: 'vanished' });
        lock.ended = next(3) === 0 ? [lost] : [];
        const deadline = next(4) === 0 ? null : START + next(5);
        const hold = { since: START + next(5), deadline, renewals: next(3) };
        lock.hold = next(3) === 0 ? null : aHold(`t${next(20)}`, hold);
        lock.state = lock.hold ? 'held' : 'free';
        changed.push(lock);
      }
      world.change(...changed);
      for (const filter of FILTERS) {
        for (const sort of SORTS) {
          const fresh = createWorld(createLockIndex());
          for (const [key, lock] of world.locks) fresh.locks.set(key, lock);
          expect(world.keys(filter, sort)).toEqual(fresh.keys(filter, sort));
        }
      }
    }
  });

  it('made anew from an older order is as right as from none', () => {
    const world = createWorld(createLockIndex(), false);
    const random = numbers(9);
    const next = (below: number): number => (random.next().value >>> 8) % below;
    for (let round = 0; round < 60; round++) {
      for (let i = 0; i < 8; i++) {
        const key = `lock:${next(40)}`;
        const lock = next(6) === 0 ? aLock(key) : (world.locks.get(key) ?? aLock(key));
        if (next(5) === 0) world.locks.delete(key);
        else world.locks.set(key, lock);
        lock.hold = next(3) === 0 ? null : aHold(`t${next(9)}`, { since: START + next(5) });
        lock.state = lock.hold ? 'held' : 'free';
      }
      world.change();
      for (const sort of SORTS) {
        const fresh = createWorld(createLockIndex());
        for (const [key, lock] of world.locks) fresh.locks.set(key, lock);
        expect(world.keys({}, sort)).toEqual(fresh.keys({}, sort));
      }
    }
  });

  it('is right although nobody told of a change', () => {
    const world = createWorld(createLockIndex(), false);
    world.locks.set('a', aLock('a'));
    world.change();
    expect(world.keys({})).toEqual(['a']);
    world.locks.set('b', aLock('b', { hold: aHold('t') }));
    world.change();
    expect(world.keys({})).toEqual(['b', 'a']);
  });

  it('does not follow a lock that was forgotten and came back as another record', () => {
    const world = createWorld(createLockIndex());
    const old = aLock('a', { hold: aHold('old') });
    world.locks.set('a', old);
    world.change(old);
    expect(world.keys({ q: 'old' })).toEqual(['a']);
    const fresh = aLock('a', { hold: aHold('new') });
    world.locks.set('a', fresh);
    world.change(old, fresh);
    expect(world.keys({ q: 'old' })).toEqual([]);
    expect(world.keys({})).toEqual(['a']);
  });
});
