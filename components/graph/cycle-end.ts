import type { Deadlock } from '@/lib/protocol/deadlock';

type Cycle = Deadlock['cycle'];

/** When the first lease of the circle runs out and so breaks it; null when none does. */
export function firstDeadline(cycle: Cycle): number | null {
  const deadlines = cycle
    .filter((wait) => !wait.renewed && wait.deadline !== null)
    .map((wait) => wait.deadline ?? Infinity);
  return deadlines.length === 0 ? null : Math.min(...deadlines);
}

/**
 * The wait whose lock is suggested for release: its holder joined the circle last, so it has lost the
 * least. The holder of `cycle[i]` is the owner of the next wait. 0 when no wait's begin was seen.
 */
export function suggestedVictim(cycle: Cycle): number {
  let latest = -Infinity;
  let victim = 0;
  cycle.forEach((wait, index) => {
    const holder = cycle.find((other) => other.owner === wait.heldBy);
    const since = holder?.waitingSince ?? -Infinity;
    if (since > latest) {
      latest = since;
      victim = index;
    }
  });
  return victim;
}
