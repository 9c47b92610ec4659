import type { Deadlock, DeadlockEdge } from '@/lib/protocol/deadlock';

type Cycle = Deadlock['cycle'];

/** When the first lease of the circle runs out and so breaks it; null when none does. */
export function firstDeadline({
  cycle,
  resolvesAt,
}: Pick<Deadlock, 'cycle' | 'resolvesAt'>): number | null {
  if (resolvesAt !== undefined) return resolvesAt;
  const deadlines = cycle
    .filter((wait) => !wait.renewed && wait.deadline !== null)
    .map((wait) => wait.deadline ?? Infinity);
  return deadlines.length === 0 ? null : Math.min(...deadlines);
}

export interface Victim {
  lock: DeadlockEdge['waitsFor'];
  owner: string;
  frees: number | null;
  lostMs: number | null;
}

/**
 * The lock that is suggested for release, as the server says; of a deadlock of an earlier build, whose holder joined
 * last, so that it has lost the least. Null without any wait.
 */
export function victimOf({ cycle, victim }: Pick<Deadlock, 'cycle' | 'victim'>): Victim | null {
  if (victim) return victim;
  const [first] = cycle;
  if (victim === null || !first) return null;
  let [latest, found] = [-Infinity, first];
  for (const wait of cycle) {
    const since = cycle.find(({ owner }) => owner === wait.heldBy)?.waitingSince ?? -Infinity;
    if (since > latest) [latest, found] = [since, wait];
  }
  return { lock: found.waitsFor, owner: found.heldBy, frees: null, lostMs: null };
}

export const isSameLock = (
  a: Cycle[number]['waitsFor'],
  b: Cycle[number]['waitsFor'] | undefined,
): boolean => b !== undefined && a.db === b.db && a.keyB64 === b.keyB64;
