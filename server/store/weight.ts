import type { Sums } from './history-contract';

/**
 * The `most` entries that matter most: those with the greatest shares of all waiting, holding and acquiring in
 * `entries`, added up. So that a lock which is the worst in one way stays, whatever the others do.
 */
export function heaviest<T extends Sums>(entries: readonly T[], most: number): T[] {
  if (entries.length <= most) return [...entries];
  const total = { waiterMs: 0, heldMs: 0, acquisitions: 0 };
  for (const { waiterMs, heldMs, acquisitions } of entries) {
    total.waiterMs += waiterMs ?? 0;
    total.heldMs += heldMs;
    total.acquisitions += acquisitions;
  }
  const share = (part: number, whole: number): number => (whole > 0 ? part / whole : 0);
  const weightOf = ({ waiterMs, heldMs, acquisitions }: Sums): number =>
    share(waiterMs ?? 0, total.waiterMs) +
    share(heldMs, total.heldMs) +
    share(acquisitions, total.acquisitions);
  return entries
    .map((entry) => ({ entry, weight: weightOf(entry) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, most)
    .map(({ entry }) => entry);
}
