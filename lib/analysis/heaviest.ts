/** Some of many weighed items, and how much any of the others has weighed at most. */
export interface Heaviest<T> {
  kept: T[];
  dropped: T[];
  bound: number;
}

/**
 * Keeps the `keep` heaviest of `items`, of equal ones the first. What was kept can be merged with others like it
 * and be cut again: `bound` is then the sum of the bounds handed in, and whatever an item weighed in truth, it lies
 * between the weight that is kept of it (0 where it was dropped) and that plus the bound. So the heaviest are never
 * missed as long as they weigh more than the bound: a mergeable summary (Agarwal et al., Mergeable Summaries,
 * PODS 2012).
 */
export function keepHeaviest<T>(
  items: readonly T[],
  { weightOf, keep, bound }: { weightOf: (item: T) => number; keep: number; bound: number },
): Heaviest<T> {
  if (items.length <= keep) return { kept: [...items], dropped: [], bound };
  const weights = new Float64Array(items.length);
  for (const [i, item] of items.entries()) weights[i] = weightOf(item);
  const ascending = weights.toSorted();
  const least = ascending[items.length - keep] ?? 0;
  let room = keep - ascending.reduce((count, weight) => (weight > least ? count + 1 : count), 0);
  const kept: T[] = [];
  const dropped: T[] = [];
  let greatest = 0;
  for (const [i, item] of items.entries()) {
    const weight = weights[i] ?? 0;
    if (weight > least || (weight === least && room-- > 0)) {
      kept.push(item);
    } else {
      dropped.push(item);
      greatest = Math.max(greatest, weight);
    }
  }
  return { kept, dropped, bound: bound + greatest };
}
