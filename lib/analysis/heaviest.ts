/** Some of many weighed items, and how much any of the others has weighed at most. */
export interface Heaviest<T> {
  kept: T[];
  dropped: T[];
  bound: number;
}

const AT_ONCE = 2000;

/**
 * Keeps the `keep` heaviest of `items`, of equal ones the first. What was kept can be merged with others like it
 * and be cut again: `bound` is then the sum of the bounds handed in, and whatever an item weighed in truth, it lies
 * between the weight that is kept of it (0 where it was dropped) and that plus the bound. So the heaviest are never
 * missed as long as they weigh more than the bound: a mergeable summary (Agarwal et al., Mergeable Summaries,
 * PODS 2012). Returns at the end of a generator, which yields every few thousand items: of many it takes a while.
 */
export function* keepHeaviest<T>(
  items: readonly T[],
  { weightOf, keep, bound }: { weightOf: (item: T) => number; keep: number; bound: number },
): Generator<void, Heaviest<T>> {
  if (items.length <= keep) return { kept: [...items], dropped: [], bound };
  const weights = new Float64Array(items.length);
  for (const [i, item] of items.entries()) {
    if (i % AT_ONCE === 0) yield;
    weights[i] = weightOf(item);
  }
  yield;
  const ascending = weights.toSorted();
  yield;
  const least = ascending[items.length - keep] ?? 0;
  let room = keep - ascending.reduce((count, weight) => (weight > least ? count + 1 : count), 0);
  const kept: T[] = [];
  const dropped: T[] = [];
  let greatest = 0;
  for (const [i, item] of items.entries()) {
    if (i % AT_ONCE === 0) yield;
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
