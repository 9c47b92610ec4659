import type { Inversion, OrderSeen } from '@/lib/analysis/lock-order';
import { sentence } from '@/lib/messages/sentence';
import type { Deadlock, DeadlockEdge, OrderExample } from '@/lib/protocol/deadlock';
import type { Sentence } from '@/lib/protocol/sentence';
import type { IntendedOrder } from './analysis-contract';
import type { Finding } from './finding';
import { alertLock, clip, keyName, shortNameOf } from './subject';

/** Of a longer chain the first few are told; all are on the page. */
const TOLD_EXAMPLES = 4;

type Step = Inversion['steps'][number];

export const toExample = ({ owner, app, first, second, at }: OrderSeen): OrderExample => ({
  owner,
  ...(app !== null && { ownerApp: app }),
  first: alertLock(first),
  second: alertLock(second),
  at,
});

function edgeOf(step: Step, next: Step): DeadlockEdge {
  return {
    owner: step.owner,
    waitsFor: alertLock(step.second),
    heldBy: next.owner,
    ...(step.app !== null && { ownerApp: step.app }),
    ...(next.app !== null && { heldByApp: next.app }),
    waitingSince: null,
    deadline: null,
    renewed: false,
    heldSince: null,
    needs: 'and',
    evidence: 'inferred',
    checkedAt: null,
  };
}

/** What may come of it, in the form of what has. */
export function predictedOf(
  { id, classes, steps, since }: Inversion,
  target: string,
  intended: IntendedOrder | null,
): Deadlock {
  return {
    id,
    state: 'predicted',
    target,
    cycle: steps.map((step, i) => edgeOf(step, steps[(i + 1) % steps.length] ?? step)),
    since,
    resolvedAt: null,
    evidence: 'inferred',
    resolvesAt: null,
    victim: null,
    behind: 0,
    brokenBy: null,
    classes,
    examples: steps.map(toExample),
    intended,
  };
}

const orderName = ({ first, second }: OrderSeen): string =>
  `${clip(first.class)} → ${clip(second.class)}`;

function summaryOf({ classes, steps }: Inversion): Sentence[] {
  const [only] = classes;
  const examples = steps.slice(0, TOLD_EXAMPLES).map(({ owner, app, first, second, at }) =>
    sentence('order-inversion:example', {
      by: shortNameOf({ id: owner, app }),
      first: keyName(first.key),
      second: keyName(second.key),
      takenAt: at,
    }),
  );
  const what =
    classes.length === 1 && only !== undefined
      ? sentence('order-inversion:one-class', { class: clip(only) })
      : sentence('order-inversion:chain', { orders: steps.map(orderName).join(', ') });
  return [what, ...examples];
}

/** The order that the others should follow: that of the most takings, where two contradict each other. */
function remedyOf({ id, classes, steps }: Inversion): Sentence[] {
  const intend = sentence('order-inversion:intend', { id });
  const [only] = classes;
  if (classes.length === 1 && only !== undefined) {
    return [sentence('order-inversion:sort', { class: clip(only) }), intend];
  }
  const [rarest] = steps.toSorted((a, b) => a.times - b.times);
  if (!rarest) return [intend];
  if (steps.length > 2) {
    return [sentence('order-inversion:change', { order: orderName(rarest) }), intend];
  }
  const usual = steps.find((step) => step !== rarest) ?? rarest;
  const values = {
    first: clip(usual.first.class),
    second: clip(usual.second.class),
    count: usual.times,
    other: rarest.times,
  };
  return [sentence('order-inversion:one-order', values), intend];
}

export function findingOf(inversion: Inversion): Finding {
  const { id, classes, steps, since } = inversion;
  const locks = steps.flatMap(({ first, second }) => [alertLock(first), alertLock(second)]);
  const distinct = new Map(locks.map((lock) => [`${lock.db}:${lock.keyB64}`, lock]));
  return {
    id: `order-inversion:${id}`,
    code: 'order-inversion',
    severity: 'warning',
    subject: {
      kind: 'deadlock',
      label: classes.map(clip).join(', '),
      locks: [...distinct.values()],
      deadlockId: id,
    },
    summary: summaryOf(inversion),
    remedy: remedyOf(inversion),
    since,
    count: 1,
    // The orders were seen; that they can meet is concluded.
    evidence: 'inferred',
    moment: false,
  };
}
