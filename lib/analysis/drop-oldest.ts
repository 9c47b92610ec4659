/** So many go at once, one of this many: a map is walked over all that went before its first entry. */
const PART = 10;

/**
 * The keys that are to go where there are more than `most`, the oldest ones; none where there are not. Several at
 * once, because looking for one takes the longer the more have gone.
 */
export function oldestBeyond<K>(keys: Pick<Map<K, unknown>, 'size' | 'keys'>, most: number): K[] {
  if (keys.size <= most) return [];
  const left = Math.ceil(most - most / PART);
  const going: K[] = [];
  for (const key of keys.keys()) {
    if (keys.size - going.length <= left) break;
    going.push(key);
  }
  return going;
}
