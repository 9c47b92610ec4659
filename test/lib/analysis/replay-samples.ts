import type { Arrival } from '@/lib/analysis/replay';
import type { RecordedHold } from '@/lib/analysis/replay-record';
import { createSeededRandom } from '@/lib/analysis/replay-random';

/** A hold of 'stock' by nobody in particular that did not wait. */
export const aRecordedHold = (
  start: number,
  end: number,
  overrides: Partial<RecordedHold> = {},
): RecordedHold => ({
  lock: 'stock',
  owner: null,
  start,
  end,
  waitedMs: 0,
  businessId: null,
  ...overrides,
});

/** Arrivals without memory, `perMs` in the mean. */
export function poisson(
  count: number,
  perMs: number,
  { seed = 1, holdMs }: { seed?: number; holdMs: (random: () => number) => number },
): Arrival[] {
  const random = createSeededRandom(seed);
  let at = 0;
  return Array.from({ length: count }, () => {
    at -= Math.log(1 - random()) / perMs;
    return { at, holdMs: holdMs(random) };
  });
}

export const exponential =
  (meanMs: number) =>
  (random: () => number): number =>
    -Math.log(1 - random()) * meanMs;

/** Somebody who takes locks one inside the other, and works under all of them. */
export interface Visit {
  at: number;
  workMs: number;
  /** The outermost first. */
  locks: readonly string[];
}

interface Task extends Visit {
  owner: string;
  askedAt: number;
  holds: RecordedHold[];
}

/** What locks that serve first come first served record of these visits, event by event. */
export function simulateLocks(visits: readonly Visit[]): RecordedHold[] {
  const holders = new Map<string, Task>();
  const queues = new Map<string, Task[]>();
  /** Who works, and until when. */
  const working: { at: number; task: Task }[] = [];
  const recorded: RecordedHold[] = [];
  const ask = (task: Task, now: number): void => {
    const lock = task.locks[task.holds.length] ?? '';
    task.askedAt = now;
    if (!holders.has(lock)) return grant(task, lock, now);
    queues.set(lock, [...(queues.get(lock) ?? []), task]);
  };
  const grant = (task: Task, lock: string, now: number): void => {
    holders.set(lock, task);
    const waitedMs = now - task.askedAt;
    task.holds.push(aRecordedHold(now, now, { lock, owner: task.owner, waitedMs }));
    if (task.holds.length < task.locks.length) ask(task, now);
    else working.push({ at: now + task.workMs, task });
  };
  const release = (task: Task, now: number): void => {
    for (const hold of task.holds.toReversed()) {
      recorded.push({ ...hold, end: now });
      holders.delete(hold.lock);
      const next = queues.get(hold.lock)?.shift();
      if (next) grant(next, hold.lock, now);
    }
  };
  const finish = (until: number): void => {
    while (working.some(({ at }) => at <= until)) {
      working.sort((a, b) => a.at - b.at);
      const first = working.shift();
      if (first) release(first.task, first.at);
    }
  };
  for (const [n, visit] of visits.toSorted((a, b) => a.at - b.at).entries()) {
    finish(visit.at);
    ask({ ...visit, owner: `owner-${n}`, askedAt: 0, holds: [] }, visit.at);
  }
  finish(Infinity);
  return recorded;
}

/**
 * Orders that take the account and in it the ledger, and reconciliations that take the ledger alone and work long, for
 * `seconds`; times in whole milliseconds.
 */
export function ordersAndReconciliations(seconds: number, reconcileMs = 90): Visit[] {
  const visit =
    (locks: readonly string[]) =>
    ({ at, holdMs }: Arrival) => ({
      at: Math.round(at),
      workMs: Math.round(holdMs),
      locks,
    });
  return [
    ...poisson(60 * seconds, 0.06, { seed: 5, holdMs: () => 4 }).map(visit(['account', 'ledger'])),
    ...poisson(6 * seconds, 0.006, { seed: 12, holdMs: () => reconcileMs }).map(visit(['ledger'])),
  ];
}
