/**
 * The same items in a random order. Who runs after whom changes from time to time, so that nobody always gets the
 * machine as one certain other has left it.
 */
export function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
