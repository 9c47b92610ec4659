import type { WaitEdge } from '@/lib/analysis/wait-graph';
import { sentence } from '@/lib/messages/sentence';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { Sentence } from '@/lib/protocol/sentence';
import type { HoldRecord, LockRecord, WaiterRecord } from '@/server/state/lock-record';
import type { View } from './analyser';
import type { Finding } from './finding';
import { alertLock, clip, keyName, shortNameOf } from './subject';

/** A renewal that is later than this many intervals no longer keeps the lease alive for ever. */
const RENEWING_INTERVALS = 2;
const NAMED_IN_SUMMARY = 6;

/** One step of a cycle with the records behind it, all present in the table now. */
export interface Step {
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

export function deadlockOf(
  id: string,
  steps: readonly Step[],
  view: View,
  since: number,
): Deadlock {
  return {
    id,
    state: 'confirmed',
    target: view.target.id,
    cycle: steps.map(({ edge, lock, hold, waiter }) => ({
      owner: edge.owner,
      waitsFor: alertLock(lock),
      heldBy: edge.holder,
      ...appsOf({ edge, hold, waiter }),
      waitingSince: waiter?.since ?? null,
      deadline: freesItselfAt(hold, view.now),
      renewed: isRenewed(hold, view.now),
    })),
    since,
    resolvedAt: null,
    evidence: 'observed',
  };
}

function appsOf({ edge, hold, waiter }: Pick<Step, 'edge' | 'hold' | 'waiter'>) {
  const ownerApp = waiter?.by.app ?? null;
  // A cycle through one of several readers names another than the hold does.
  const heldByApp = hold.owner?.id === edge.holder ? hold.owner.app : null;
  return { ...(ownerApp !== null && { ownerApp }), ...(heldByApp !== null && { heldByApp }) };
}

/** The cycle is closed when its last wait or hold began; where that is unknown, when it was first met. */
export function closedAt(steps: readonly Step[], now: number): number {
  const begins = steps.flatMap(({ hold, waiter }) => [hold.since, waiter?.since ?? now]);
  return Math.min(now, Math.max(...begins));
}

const waiterName = ({ waiter, edge }: Step): string =>
  waiter ? shortNameOf(waiter.by) : clip(edge.owner);

const holderName = ({ hold: { owner }, edge }: Step): string =>
  owner?.id === edge.holder ? shortNameOf(owner) : clip(edge.holder);

function summaryOf(steps: readonly Step[], now: number): Sentence[] {
  const named = steps.slice(0, NAMED_IN_SUMMARY);
  const path = named.map((step) => `${waiterName(step)} → ${keyName(step.lock.key)}`);
  const waits = steps.map(({ waiter }) => waiter?.since ?? now);
  const values = {
    path: path.join(' → '),
    first: steps[0] ? waiterName(steps[0]) : '',
    oldestMs: now - Math.min(...waits),
  };
  return steps.length > named.length
    ? [sentence('deadlock:long-cycle', { ...values, count: steps.length })]
    : [sentence('deadlock:cycle', values)];
}

/** Whose holder began to wait last: it has lost the least. The page of deadlocks suggests the same. */
function cheapestRelease(steps: readonly Step[]) {
  let [cheapest] = steps;
  let latest = -Infinity;
  for (const step of steps) {
    const holder = steps.find(({ edge }) => edge.owner === step.edge.holder);
    const since = holder?.waiter?.since ?? -Infinity;
    if (since > latest) [cheapest, latest] = [step, since];
  }
  return { cheapest, isKnown: latest > -Infinity };
}

function remedyOf(steps: readonly Step[], now: number): Sentence[] {
  const { cheapest, isKnown } = cheapestRelease(steps);
  if (!cheapest) return [];
  const names = {
    key: keyName(cheapest.lock.key),
    owner: holderName(cheapest),
    waiter: waiterName(cheapest),
  };
  const [next] = steps
    .map(({ lock: waited, hold }) => ({ waited, at: freesItselfAt(hold, now) }))
    .filter((one): one is { waited: LockRecord; at: number } => one.at !== null)
    .toSorted((a, b) => a.at - b.at);
  const otherwise = next
    ? sentence('deadlock:ends', { endsAt: next.at, key: keyName(next.waited.key) })
    : sentence('deadlock:endless', {});
  const release = sentence(isKnown ? 'deadlock:release' : 'deadlock:release-any', names);
  return [release, otherwise, sentence('deadlock:order', {})];
}

export function findingOf(deadlock: Deadlock, steps: readonly Step[], now: number): Finding {
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
