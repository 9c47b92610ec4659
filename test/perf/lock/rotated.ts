/** The same items in the same order, beginning with item `by`. */
export function rotated<T>(items: readonly T[], by: number): T[] {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
}
