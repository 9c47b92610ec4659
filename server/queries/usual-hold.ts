import type { Threshold, UsualHold, UsualLimit } from '@/lib/protocol/rules';
import { valueOf } from '@/server/analysers/thresholds';
import type { UsualHolds, UsualOfClass } from '@/server/analysers/usual-holds';

const told = ({ from }: UsualHolds, { class: name, p99Ms, holds }: UsualOfClass): UsualHold => ({
  ...{ class: name, p99Ms, holds, from },
});

/** Of a class of several namespaces, the one with most holds. */
export function usualHoldOf(usual: UsualHolds, lockClass: string): UsualHold {
  const [known] = usual.ofClass(lockClass);
  return told(usual, known ?? { class: lockClass, namespace: '', p99Ms: null, holds: 0 });
}

export const mostHeld = (usual: UsualHolds, limit: number): UsualHold[] =>
  usual.most(limit).map((each) => told(usual, each));

/** Where a threshold lies for the class, as the judge would have it. */
export const limitOf = (threshold: Threshold, usual: UsualHold): UsualLimit => ({
  ...usual,
  limitMs: valueOf(threshold, usual.p99Ms),
});
