/** So many go at once, one of this many: a map is walked over all that went before its first entry. */
const PART = 20;

/** How many of `most` stay when the oldest go. */
export const leftOf = (most: number): number => Math.ceil(most - most / PART);

/** What is kept, of maps and sets alike, the oldest first. */
interface Kept<K> {
  readonly size: number;
  keys: () => Iterable<K>;
  delete: (key: K) => boolean;
}

/**
 * The keys that are to go where there are more than `most`, the oldest ones; none where there are not. Several at
 * once, because looking for one takes the longer the more have gone.
 */
export function oldestBeyond<K>(kept: Omit<Kept<K>, 'delete'>, most: number): K[] {
  if (kept.size <= most) return [];
  const left = leftOf(most);
  const going: K[] = [];
  for (const key of kept.keys()) {
    if (kept.size - going.length <= left) break;
    going.push(key);
  }
  return going;
}

/** Lets {@link oldestBeyond} go, and tells who went. */
export function dropOldest<K>(kept: Kept<K>, most: number): K[] {
  const going = oldestBeyond(kept, most);
  for (const key of going) kept.delete(key);
  return going;
}
