import type { Deadlock } from '@/lib/protocol/deadlock';

const waitOf = ({ owner, waitsFor }: Deadlock['cycle'][number]): string =>
  JSON.stringify([owner, waitsFor.db, waitsFor.keyB64]);

/**
 * The number of each edge's wait, from 1, in the order in which they began; those whose begin nobody saw come last, as
 * they stand. One wait for a lock of several holders is one number.
 */
export function numbersOf(cycle: Deadlock['cycle']): number[] {
  const since = new Map<string, number>();
  for (const edge of cycle) {
    const wait = waitOf(edge);
    if (!since.has(wait)) since.set(wait, edge.waitingSince ?? Infinity);
  }
  const inTime = [...since].toSorted(([, a], [, b]) => (a === b ? 0 : a - b));
  const numbers = new Map(inTime.map(([wait], place) => [wait, place + 1]));
  return cycle.map((edge) => numbers.get(waitOf(edge)) ?? 0);
}

export interface NumberedWait {
  number: number;
  /** One for each holder of the lock that is waited for; never empty. */
  edges: [Deadlock['cycle'][number], ...Deadlock['cycle']];
}

/** The waits in the order of their numbers. */
export function numberedWaits(cycle: Deadlock['cycle']): NumberedWait[] {
  const numbers = numbersOf(cycle);
  const waits = new Map<number, NumberedWait>();
  cycle.forEach((edge, index) => {
    const number = numbers[index] ?? 0;
    const known = waits.get(number);
    if (known) known.edges.push(edge);
    else waits.set(number, { number, edges: [edge] });
  });
  return [...waits.values()].toSorted((a, b) => a.number - b.number);
}
