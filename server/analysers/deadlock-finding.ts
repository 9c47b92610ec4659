import { sentence } from '@/lib/messages/sentence';
import type { Deadlock } from '@/lib/protocol/deadlock';
import type { Sentence } from '@/lib/protocol/sentence';
import { firstOfEach, holderName, isLikelyRenewed, waiterName, type Step } from './deadlock-steps';
import type { SelfEnd, Victim } from './deadlock-victim';
import type { Finding } from './finding';
import { LISTED_LOCKS, alertLock, keyName } from './subject';

const NAMED_IN_SUMMARY = 6;

/** What is told of a deadlock beside its edges. */
export interface About {
  victim: Victim | null;
  ends: SelfEnd | null;
  behind: number;
}

/** A cycle: each owner waits for one other. */
const isCycle = (steps: readonly Step[]): boolean =>
  new Set(steps.map(({ edge }) => edge.owner)).size === steps.length;

/** The first edge of each owner's wait, in the order of waiting. */
const waitsOf = (steps: readonly Step[]): Step[] =>
  firstOfEach(steps, ({ edge }) => JSON.stringify([edge.owner, edge.lock]));

function pathOf(steps: readonly Step[], now: number): Sentence {
  const waits = waitsOf(steps);
  const named = waits.slice(0, NAMED_IN_SUMMARY);
  const count = new Set(steps.map(({ edge }) => edge.owner)).size;
  const oldestMs = now - Math.min(...steps.map(({ waiting }) => waiting.since ?? now));
  const arrows = named.map((step) => `${waiterName(step)} → ${keyName(step.lock.key)}`);
  if (!isCycle(steps)) {
    const path = arrows.join(', ') + (waits.length > named.length ? ', …' : '');
    return sentence('deadlock:knot', { path, count, oldestMs });
  }
  const first = steps[0] ? waiterName(steps[0]) : '';
  const values = { path: arrows.join(' → '), first, oldestMs };
  return waits.length > named.length
    ? sentence('deadlock:long-cycle', { ...values, count })
    : sentence('deadlock:cycle', values);
}

function releaseOf({ step, frees, lostMs, isDead }: Victim): Sentence {
  const values = { key: keyName(step.lock.key), owner: holderName(step), count: frees };
  if (isDead) return sentence('deadlock:release-dead', values);
  return lostMs === null
    ? sentence('deadlock:release-any', values)
    : sentence('deadlock:release', { ...values, lostMs });
}

/** Where a renewal is expected that nobody has seen yet, that is said. */
function otherwiseOf(steps: readonly Step[], ends: SelfEnd | null, now: number): Sentence {
  if (ends) {
    return sentence('deadlock:ends', { endsAt: ends.at, key: keyName(ends.step.lock.key) });
  }
  const likely = steps.find((step) => isLikelyRenewed(step, now));
  if (!likely) return sentence('deadlock:endless', {});
  const { key, format } = likely.lock;
  return sentence('deadlock:unlikely', { key: keyName(key), library: format.name });
}

function remedyOf({ victim, ends }: About, steps: readonly Step[], now: number): Sentence[] {
  const otherwise = otherwiseOf(steps, ends, now);
  return [...(victim ? [releaseOf(victim)] : []), otherwise, sentence('deadlock:order', {})];
}

export const findingIdOf = ({ id }: Pick<Deadlock, 'id'>): string => `deadlock:${id}`;

export function findingOf(
  deadlock: Deadlock,
  steps: readonly Step[],
  { now, ...about }: About & { now: number },
): Finding {
  const locks = [...new Set(steps.map(({ lock }) => lock))];
  const { behind } = about;
  const more = behind > 0 ? [sentence('deadlock:behind', { count: behind })] : [];
  return {
    id: findingIdOf(deadlock),
    code: 'deadlock',
    severity: 'critical',
    subject: {
      kind: 'deadlock',
      label: locks.map(({ key }) => keyName(key)).join(', '),
      locks: locks.slice(0, LISTED_LOCKS).map(alertLock),
      deadlockId: deadlock.id,
    },
    summary: [pathOf(steps, now), ...more],
    remedy: remedyOf(about, steps, now),
    since: deadlock.since,
    count: 1,
    evidence: deadlock.evidence,
    moment: false,
  };
}
