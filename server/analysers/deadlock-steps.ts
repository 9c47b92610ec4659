import type { Incident, WaitEdge } from '@/lib/analysis/wait-incidents';
import type { Deadlock, DeadlockEdge } from '@/lib/protocol/deadlock';
import type { Evidence } from '@/lib/protocol/lock';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { LockTable } from '@/server/state/table-contract';
import { alertLock, clip, shortNameOf, weakest } from './subject';
import type { AwaitedLock, Holding, Waiting, WaitMap } from './deadlock-waits';

/** A renewal that is later than this many intervals no longer keeps the lease alive for ever. */
const RENEWING_INTERVALS = 2;

/** One edge of a deadlock with the records behind it, all present in the table now. */
export interface Step {
  edge: WaitEdge;
  lock: LockRecord;
  waiting: Waiting;
  /** Null where the other does not hold the lock but stands before in its queue. */
  holding: Holding | null;
  /** The other one, where it stands in the queue. */
  ahead: Waiting | null;
  source: NonNullable<DeadlockEdge['source']>;
  evidence: Evidence;
}

/** The instances of our client whose locks are those of a Redlock: who waits stands in the queue of every node. */
export const redlockInstances = (table: LockTable): ReadonlySet<string> =>
  new Set([...table.instances()].flatMap(([instance, { group }]) => (group ? [instance] : [])));

function sourceOf(
  { lock }: AwaitedLock,
  { isReported, owner }: Waiting,
  redlocks: ReadonlySet<string>,
): Step['source'] {
  if (lock.format.kind === 'read-write') return 'read-write';
  if (lock.format.kind === 'semaphore') return 'semaphore';
  if (redlocks.has(owner?.instance ?? '')) return 'redlock';
  return isReported ? 'report' : 'fair-queue';
}

/** The records behind each edge; those that are not there any more are left out. */
export function stepsOf(
  { edges }: Incident,
  waits: WaitMap,
  redlocks: ReadonlySet<string>,
): Step[] {
  return edges.flatMap((edge) => {
    const awaited = waits.get(edge.lock);
    const waiting = awaited?.waits.find(({ task }) => task === edge.owner);
    if (!awaited || !waiting) return [];
    const isHold = edge.via === 'hold';
    const holding = (isHold && awaited.holdings.find(({ task }) => task === edge.holder)) || null;
    const ahead = holding ? null : (awaited.waits.find(({ task }) => task === edge.holder) ?? null);
    // One that waits in two places may do so with two of its threads, and go on with one.
    const evidence = waits.several.has(edge.owner) ? 'inferred' : 'observed';
    const source = sourceOf(awaited, waiting, redlocks);
    return [{ edge, lock: awaited.lock, waiting, holding, ahead, source, evidence }];
  });
}

export function isRenewed(hold: HoldRecord, now: number): boolean {
  if (hold.lastRenewalAt === null) return false;
  const interval = hold.renewalIntervalMs;
  const patience = interval === null ? hold.leaseMs : interval * RENEWING_INTERVALS;
  return patience === null || now - hold.lastRenewalAt <= patience;
}

/** Most of a time to live that a read showed a moment after it was given. */
const LEASE_JITTER_MS = 100;

/**
 * No renewal was seen yet, but its library makes one by default and none is missed so far: one is due at a third of the
 * lease, and missed at two.
 */
export function isLikelyRenewed({ lock, holding }: Step, now: number): boolean {
  const hold = holding?.hold ?? null;
  const { format, raw } = lock;
  const { watchdog } = format;
  if (hold === null || watchdog === undefined || hold.renewals > 0) return false;
  if (raw !== null && raw.type !== format.type) return false;
  const { leaseMs, deadline, finishedAt } = hold;
  if (leaseMs === null || deadline === null || deadline === undefined) return false;
  if (finishedAt !== null) return false;
  const isOfLibrary =
    watchdog === 'any-lease' || Math.abs(leaseMs - watchdog.leaseMs) <= LEASE_JITTER_MS;
  return isOfLibrary && deadline - now >= leaseMs / 3;
}

/** When the hold ends by itself, null while it is renewed or has no expiry. */
export function freesItselfAt({ holding }: Step, now: number): number | null {
  if (!holding) return null;
  const { hold, deadline } = holding;
  return hold !== null && isRenewed(hold, now) ? null : deadline;
}

const appOf = (one: Waiting | Holding | null): string | null => one?.owner?.app ?? null;

function edgeOf(step: Step, now: number): DeadlockEdge {
  const { edge, lock, waiting, holding, ahead, source, evidence } = step;
  const ownerApp = appOf(waiting);
  const heldByApp = appOf(holding ?? ahead);
  return {
    owner: edge.owner,
    waitsFor: alertLock(lock),
    heldBy: edge.holder,
    ...(ownerApp !== null && { ownerApp }),
    ...(heldByApp !== null && { heldByApp }),
    waitingSince: waiting.since,
    deadline: freesItselfAt(step, now),
    renewed: holding?.hold ? isRenewed(holding.hold, now) : false,
    ...(isLikelyRenewed(step, now) && { likelyRenewed: true }),
    heldSince: holding?.hold?.since ?? null,
    source,
    needs: edge.needs,
    via: edge.via,
    evidence,
    checkedAt: lock.checked?.at ?? null,
  };
}

type Fresh = Pick<Deadlock, 'cycle' | 'evidence'>;

/** The edges as they are now. */
export const edgesOf = (steps: readonly Step[], now: number): Fresh => ({
  cycle: steps.map((step) => edgeOf(step, now)),
  evidence: weakest(steps.map(({ evidence }) => evidence)),
});

/** It is closed when its last wait or hold began; where that is unknown, when it was first met. */
export function closedAt(steps: readonly Step[], now: number): number {
  const begins = steps.flatMap(({ holding, waiting }) => [
    holding?.hold?.since ?? 0,
    waiting.since ?? now,
  ]);
  return Math.min(now, Math.max(...begins));
}

export const waiterName = ({ waiting, edge }: Step): string =>
  waiting.owner ? shortNameOf(waiting.owner) : clip(edge.owner);

export const holderName = ({ holding, ahead, edge }: Step): string => {
  const owner = (holding ?? ahead)?.owner;
  return owner ? shortNameOf(owner) : clip(edge.holder);
};

/** Of the steps that share a name, the first. */
export function firstOfEach(steps: readonly Step[], nameOf: (step: Step) => string): Step[] {
  const met = new Set<string>();
  return steps.filter((step) => {
    const name = nameOf(step);
    const isFirst = !met.has(name);
    met.add(name);
    return isFirst;
  });
}
