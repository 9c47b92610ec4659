import { describe, expect, it } from 'vitest';
import { classify } from '@/lib/analysis/lock-class';
import { createFormatTable } from '@/lib/formats';
import { applyRead } from '@/server/state/apply-read';
import { createDueHeap } from '@/server/state/due-heap';
import { takeDue } from '@/server/state/lease';
import { createTableState, MAX_FREE } from '@/server/state/table-state';
import { createScenario, START, text } from './scenario';

describe('the due heap', () => {
  it('gives moments in order and none before its time', () => {
    const heap = createDueHeap<number>();
    const times = Array.from({ length: 500 }, (_, i) => (i * 7919) % 1009);
    for (const time of times) heap.push(time, time);
    expect(heap.take(-1)).toBeUndefined();
    const taken: number[] = [];
    for (let next = heap.take(2000); next !== undefined; next = heap.take(2000)) taken.push(next);
    expect(taken).toEqual(times.toSorted((a, b) => a - b));
    expect(heap.size).toBe(0);
  });

  it('keeps what is wanted in its order', () => {
    const heap = createDueHeap<number>();
    for (let i = 0; i < 500; i++) heap.push((i * 7919) % 1009, i);
    heap.keep((at) => at % 3 === 0);
    heap.push(1, -1);
    const taken: number[] = [];
    for (let next = heap.take(2000); next !== undefined; next = heap.take(2000)) taken.push(next);
    const kept = Array.from({ length: 500 }, (_, i) => ({ i, at: (i * 7919) % 1009 }))
      .filter(({ at }) => at % 3 === 0)
      .toSorted((a, b) => a.at - b.at);
    const before = kept.findLastIndex(({ at }) => at < 1) + 1;
    expect(taken).toEqual(kept.map(({ i }) => i).toSpliced(before, 0, -1));
  });
});

describe('deadlines', () => {
  const held = () => {
    const s = createScenario();
    s.events(0, 'lock:x', 'set', 'expire');
    s.read(0, 'lock:x', text('A'), { pttl: 500 });
    return s;
  };
  const due = (s: ReturnType<typeof held>, at: number) => s.table.takeDue(START + at, 10).length;

  it('are handed out once', () => {
    const s = held();
    expect(due(s, 499)).toBe(0);
    expect(due(s, 500)).toBe(1);
    expect(due(s, 600)).toBe(0);
    expect(due(s, 60_000)).toBe(0);
  });

  it('are handed out again soon when the lock was still there, then ever more slowly', () => {
    const s = held();
    let at = 500;
    expect(due(s, at)).toBe(1);
    for (const pause of [10, 20, 40, 80, 160, 250, 250]) {
      s.read(at, 'lock:x', text('A'), { pttl: 0, cause: 'deadline' });
      expect(due(s, at + pause - 1)).toBe(0);
      at += pause;
      expect(due(s, at)).toBe(1);
    }
  });

  it('move with the lease', () => {
    const s = held();
    s.events(400, 'lock:x', 'set', 'expire');
    s.read(400, 'lock:x', text('A'), { pttl: 500 });
    expect(due(s, 800)).toBe(0);
    expect(due(s, 900)).toBe(1);
  });

  it('come earlier when the lease gets shorter', () => {
    const s = createScenario();
    s.events(0, 'lock:x', 'set', 'expire');
    s.read(0, 'lock:x', text('A'), { pttl: 60_000 });
    s.events(10, 'lock:x', 'expire');
    s.read(10, 'lock:x', text('A'), { pttl: 100 });
    expect(due(s, 110)).toBe(1);
  });

  it('of ended holds are not handed out', () => {
    const s = held();
    s.events(100, 'lock:x', 'del');
    expect(due(s, 1000)).toBe(0);
  });

  it('of locks that are gone take no room, however long their leases were', () => {
    const state = createTableState({
      target: 'test',
      formats: createFormatTable(),
      isDeclared: () => false,
      classify,
    });
    const hour = 3_600_000;
    for (let i = 0; i < 3 * MAX_FREE; i++) {
      const of = { at: START + i, db: 0, key: `lock:${i}` };
      const seen = { ...of, kind: 'read', cause: 'event', queue: null, fence: null } as const;
      applyRead(state, { ...seen, value: text('A'), pttl: hour });
      if (i % 1000 > 0) applyRead(state, { ...seen, value: null, pttl: null });
    }
    expect(state.size).toBeLessThan(MAX_FREE + 100);
    expect(state.due.size).toBeLessThan(2.1 * state.size);
    expect(takeDue(state, START + 3 * hour, MAX_FREE)).toHaveLength((3 * MAX_FREE) / 1000);
  });

  it('are handed out in parts', () => {
    const s = createScenario();
    for (let i = 0; i < 5; i++) s.read(0, `lock:${i}`, text('A'), { pttl: 100 });
    expect(s.table.takeDue(START + 200, 3)).toHaveLength(3);
    expect(s.table.takeDue(START + 200, 3)).toHaveLength(2);
  });
});

describe('the table', () => {
  it('reconciles what is held in turn', () => {
    const s = createScenario();
    for (const key of ['lock:a', 'lock:b', 'lock:c']) s.read(0, key, text('A'), { pttl: 100 });
    s.events(1, 'lock:b', 'del');
    const keys = [1, 2, 3].flatMap(() => s.table.nextToReconcile(1).map(({ key }) => key));
    expect(keys).toEqual(['lock:a', 'lock:c', 'lock:a']);
  });

  it('forgets the longest free locks beyond its bound', () => {
    const s = createScenario();
    for (let i = 0; i <= MAX_FREE; i++) s.events(i, `lock:${i}`, 'set', 'del');
    const forgotten = s.changes.flatMap((change) =>
      change.kind === 'lock-forgotten' ? [change.lock.key] : [],
    );
    expect(s.table.counts.free).toBeLessThanOrEqual(MAX_FREE);
    expect(s.table.size + forgotten.length).toBe(MAX_FREE + 1);
    expect(forgotten).toEqual(forgotten.map((_, i) => `lock:${i}`));
    expect(s.table.get(0, 'lock:0')).toBeUndefined();
  });

  it('gives no generation again that a forgotten lock has had', () => {
    const s = createScenario();
    const takeAgain = (from: number): number => {
      s.events(from, 'lock:again', 'set');
      s.read(from + 1, 'lock:again', text('A'));
      return s.hold('lock:again').generation;
    };
    const before = takeAgain(0);
    s.events(2, 'lock:again', 'del');
    for (let i = 0; i <= MAX_FREE; i++) s.events(3, `lock:${i}`, 'set', 'del');
    expect(s.table.get(0, 'lock:again')).toBeUndefined();
    expect(takeAgain(5)).toBeGreaterThan(before);
  });

  it('keeps at most twenty ended holds of a lock', () => {
    const s = createScenario();
    for (let i = 0; i < 30; i++) s.events(i, 'lock:x', 'set', 'del');
    expect(s.lock('lock:x').ended).toHaveLength(20);
    expect(s.lock('lock:x').ended[0]?.generation).toBe(30);
  });

  it('keeps its counts in step', () => {
    const s = createScenario();
    for (let i = 0; i < 50; i++) s.events(i, `lock:${i}`, 'set', 'expire');
    for (let i = 0; i < 50; i += 2) s.events(100 + i, `lock:${i}`, 'del');
    for (let i = 1; i < 50; i += 4) s.read(200, `lock:${i}`, null);
    const states = [...s.table.all()].map(({ state }) => state);
    expect(s.table.counts.held).toBe(states.filter((state) => state === 'held').length);
    expect(s.table.counts.free).toBe(states.filter((state) => state === 'free').length);
  });

  it('keeps databases apart', () => {
    const s = createScenario();
    const event = { kind: 'event', key: 'lock:x', event: 'set', at: START } as const;
    s.apply({ ...event, db: 0 }, { ...event, db: 5 });
    expect(s.table.size).toBe(2);
    expect(s.table.get(5, 'lock:x')?.db).toBe(5);
  });

  it('grows its version exactly when something changed', () => {
    const s = createScenario();
    s.read(0, 'lock:x', text('A'), { pttl: 1000 });
    const before = s.table.version;
    s.read(100, 'lock:x', text('A'), { pttl: 900, cause: 'reconcile' });
    expect(s.table.version).toBe(before);
    s.events(200, 'lock:x', 'del');
    expect(s.table.version).toBe(before + 1);
  });
});
