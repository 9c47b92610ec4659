import { describeMs, describeTime } from '@/lib/analysis/duration';
import { findCycles, waitEdges, type WaitCycle, type WaitEdge } from '@/lib/analysis/wait-graph';
import { printable } from '@/lib/protocol/bytes';
import type { Deadlock } from '@/lib/protocol/measures';
import {
  lockId,
  type HoldRecord,
  type LockRecord,
  type WaiterRecord,
} from '@/server/state/lock-record';
import type { Analyser, View } from './analyser';
import type { Finding } from './finding';
import { alertLock, clip, keyName } from './subject';

/** More cycles at once are one tangle; the rest appears as these are resolved. */
const TOLD_CYCLES = 100;
const KEPT_RESOLVED = 100;
/** A renewal that is later than this many intervals no longer keeps the lease alive for ever. */
const RENEWING_INTERVALS = 2;
const NAMED_IN_SUMMARY = 6;

/** One step of a cycle with the records behind it, all present in the table now. */
interface Step {
  edge: WaitEdge;
  lock: LockRecord;
  hold: HoldRecord;
  waiter: WaiterRecord | null;
}

function isRenewed(hold: HoldRecord, now: number): boolean {
  if (hold.lastRenewalAt === null) return false;
  const interval = hold.renewalIntervalMs;
  const patience = interval === null ? hold.leaseMs : interval * RENEWING_INTERVALS;
  return patience === null || now - hold.lastRenewalAt <= patience;
}

function freesItselfAt(hold: HoldRecord, now: number): number | null {
  return isRenewed(hold, now) ? null : (hold.deadline ?? null);
}

function deadlockOf(id: string, steps: readonly Step[], view: View, since: number): Deadlock {
  return {
    id,
    state: 'confirmed',
    target: view.target.id,
    cycle: steps.map(({ edge, lock, hold, waiter }) => ({
      owner: edge.owner,
      waitsFor: alertLock(lock),
      heldBy: edge.holder,
      waitingSince: waiter?.since ?? null,
      deadline: freesItselfAt(hold, view.now),
      renewed: isRenewed(hold, view.now),
    })),
    since,
    resolvedAt: null,
    evidence: 'observed',
  };
}

/** The cycle is closed when its last wait or hold began; where that is unknown, when it was first met. */
function closedAt(steps: readonly Step[], now: number): number {
  const begins = steps.flatMap(({ hold, waiter }) => [hold.since, waiter?.since ?? now]);
  return Math.min(now, Math.max(...begins));
}

function summaryOf(steps: readonly Step[], now: number): string {
  const named = steps.slice(0, NAMED_IN_SUMMARY);
  const path = named.map(({ edge, lock }) => `${clip(edge.owner)} → ${keyName(lock.key)}`);
  const rest = steps.length > named.length ? ` … (${steps.length} owners)` : '';
  const waits = steps.map(({ waiter }) => waiter?.since ?? now);
  const oldest = describeMs(now - Math.min(...waits));
  return `${path.join(' → ')}${rest} → ${clip(steps[0]?.edge.owner ?? '')}: each waits for the next, confirmed (every wait is in a queue); oldest wait ${oldest}`;
}

/** The release that costs least is that of the youngest hold: the least work is lost. */
function remedyOf(steps: readonly Step[], now: number): string {
  const [youngest] = steps.toSorted((a, b) => b.hold.since - a.hold.since);
  if (!youngest) return '';
  const { edge, lock } = youngest;
  const act = `Release ${keyName(lock.key)}, held by ${clip(edge.holder)} for the shortest time: that lets ${clip(edge.owner)} go on.`;
  const [next] = steps
    .map(({ lock: waited, hold }) => ({ waited, at: freesItselfAt(hold, now) }))
    .filter((one): one is { waited: LockRecord; at: number } => one.at !== null)
    .toSorted((a, b) => a.at - b.at);
  const otherwise = next
    ? `Otherwise it ends at ${describeTime(next.at)}, when the lease of ${keyName(next.waited.key)} ends.`
    : 'It does not end by itself: every hold is renewed or has no expiry.';
  return `${act} ${otherwise} Take these locks in one order everywhere.`;
}

function findingOf(deadlock: Deadlock, steps: readonly Step[], now: number): Finding {
  const names = steps.map(({ lock }) => keyName(lock.key));
  return {
    id: `deadlock:${deadlock.id}`,
    code: 'deadlock',
    severity: 'critical',
    subject: {
      kind: 'deadlock',
      label: names.join(', '),
      locks: steps.map(({ lock }) => alertLock(lock)),
      deadlockId: deadlock.id,
    },
    summary: summaryOf(steps, now),
    remedy: remedyOf(steps, now),
    since: deadlock.since,
    count: 1,
    evidence: 'observed',
    moment: false,
  };
}

/** Lock names carry the generation: a new hold is a new edge, and its cycle a new incident. */
const lockNode = (lock: LockRecord): string => `${lock.generation}@${lockId(lock.db, lock.key)}`;

/** Waits and holds of one pass. */
function createWaitMap() {
  const waits: { owner: string; lock: string }[] = [];
  const heldBy = new Map<string, string[]>();
  const locks = new Map<string, LockRecord>();
  return {
    add(lock: LockRecord, now: number): void {
      const holder = lock.hold?.owner?.id;
      if (holder === undefined || lock.queue.length === 0) return;
      const node = lockNode(lock);
      for (const { owner, deadline } of lock.queue) {
        // Past its deadline an entry waits no more; the library drops it at its next step.
        if (deadline !== null && deadline <= now) continue;
        waits.push({ owner: printable(owner), lock: node });
      }
      heldBy.set(node, [holder]);
      locks.set(node, lock);
    },
    cycles: (): WaitCycle[] => findCycles(waitEdges(waits, heldBy), TOLD_CYCLES).cycles,
    steps(cycle: WaitCycle): Step[] {
      return cycle.edges.flatMap((edge) => {
        const lock = locks.get(edge.lock);
        if (!lock?.hold) return [];
        const waiter = lock.queue.find(({ owner }) => printable(owner) === edge.owner) ?? null;
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
