import { findCycles, waitEdges, type WaitCycle } from '@/lib/analysis/wait-graph';
import { taskOf } from '@/lib/formats/qoder-owner';
import { printable } from '@/lib/protocol/bytes';
import type { Deadlock } from '@/lib/protocol/deadlock';
import { lockId, type LockRecord, type WaiterRecord } from '@/server/state/lock-record';
import { stillWaits } from '@/server/state/waiting';
import type { Analyser } from './analyser';
import { closedAt, deadlockOf, findingOf, type Step } from './deadlock-cycle';
import type { Finding } from './finding';

/** More cycles at once are one tangle; the rest appears as these are resolved. */
const TOLD_CYCLES = 100;
const KEPT_RESOLVED = 100;
/** Lock names carry the generation: a new hold is a new edge, and its cycle a new incident. */
const lockNode = (lock: LockRecord): string => `${lock.generation}@${lockId(lock.db, lock.key)}`;

const isStale = ({ lock }: Step): boolean => lock.waitersCurrent === false;

/**
 * Everybody whose release is needed: all readers. Of a semaphore's members any one would do, so that only a
 * single one is known to be waited for.
 */
function holdersOf({ hold, members, format }: LockRecord): string[] {
  if (!hold?.owner) return [];
  const inside = members.filter(({ stale }) => !stale);
  if (inside.length < 2) return [taskOf(hold.owner.id)];
  return format.kind === 'read-write' ? inside.map(({ id }) => taskOf(id)) : [];
}

/** Waits and holds of one pass. */
function createWaitMap() {
  const waits: { owner: string; lock: string }[] = [];
  const heldBy = new Map<string, string[]>();
  const locks = new Map<string, LockRecord>();
  return {
    add(lock: LockRecord, now: number): void {
      const holders = holdersOf(lock);
      if (holders.length === 0 || lock.queue.length === 0) return;
      const node = lockNode(lock);
      for (const waiter of lock.queue) {
        if (!stillWaits(waiter, now)) continue;
        waits.push({ owner: taskOf(printable(waiter.owner)), lock: node });
      }
      heldBy.set(node, holders);
      locks.set(node, lock);
    },
    cycles: (): WaitCycle[] => findCycles(waitEdges(waits, heldBy), TOLD_CYCLES).cycles,
    steps(cycle: WaitCycle): Step[] {
      return cycle.edges.flatMap((edge) => {
        const lock = locks.get(edge.lock);
        if (!lock?.hold) return [];
        const isIt = ({ owner }: WaiterRecord): boolean => taskOf(printable(owner)) === edge.owner;
        const waiter = lock.queue.find(isIt) ?? null;
        return [{ edge, lock, hold: lock.hold, waiter }];
      });
    },
  };
}

export interface DeadlockAnalyser extends Analyser {
  /** Cycles of the last pass, then the last 100 resolved ones as they were, newest first. */
  deadlocks: () => Deadlock[];
  /** Cycles that appeared or were resolved since the last call, as they are now. */
  takeChanged: () => Deadlock[];
}

/**
 * Cycles of owners that queue for each other's locks. Every pass reads all edges anew from the table, so
 * a cycle is told only while each wait and each hold of it is there now.
 */
export function createDeadlock(): DeadlockAnalyser {
  let map = createWaitMap();
  let confirmed = new Map<string, Deadlock>();
  let resolved: Deadlock[] = [];
  let changed = new Map<string, Deadlock>();

  const keep = (deadlock: Deadlock): void => {
    changed.set(deadlock.id, deadlock);
    const [oldest] = changed.keys();
    if (changed.size > TOLD_CYCLES + KEPT_RESOLVED && oldest) changed.delete(oldest);
  };

  const resolve = (gone: Deadlock[], now: number): void => {
    const ended = gone.map((one) => ({ ...one, state: 'resolved' as const, resolvedAt: now }));
    for (const one of ended) keep(one);
    resolved = [...ended, ...resolved].slice(0, KEPT_RESOLVED);
  };

  return {
    needs: 'table',
    awaited: (lock, view) => map.add(lock, view.now),
    findings: (view) => {
      const before = confirmed;
      const found: Finding[] = [];
      confirmed = new Map();
      for (const cycle of map.cycles()) {
        const steps = map.steps(cycle);
        // After a reconnect a queue is as it was until it is read: that keeps a cycle and makes none.
        if (!before.has(cycle.id) && steps.some(isStale)) continue;
        const since = before.get(cycle.id)?.since ?? closedAt(steps, view.now);
        const deadlock = deadlockOf(cycle.id, steps, view, since);
        confirmed.set(cycle.id, deadlock);
        if (!before.has(cycle.id)) keep(deadlock);
        found.push(findingOf(deadlock, steps, view.now));
      }
      const gone = [...before.values()].filter(({ id }) => !confirmed.has(id));
      if (gone.length > 0) resolve(gone, view.now);
      map = createWaitMap();
      return found;
    },
    deadlocks: () => [...confirmed.values(), ...resolved],
    takeChanged: () => {
      const taken = [...changed.values()];
      changed = new Map();
      return taken;
    },
  };
}
