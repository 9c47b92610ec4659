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

/** The classes most held, each name once, without those of `but`. */
export function mostHeld(
  usual: UsualHolds,
  limit: number,
  but: ReadonlySet<string> = new Set(),
): UsualHold[] {
  const names = new Set(but);
  const most: UsualHold[] = [];
  for (const each of usual.all()) {
    if (most.length >= limit) break;
    if (names.has(each.class)) continue;
    names.add(each.class);
    most.push(told(usual, each));
  }
  return most;
}

/** Where a threshold lies for the class, as the judge would have it. */
export const limitOf = (threshold: Threshold, usual: UsualHold): UsualLimit => ({
  ...usual,
  limitMs: valueOf(threshold, usual.p99Ms),
});
