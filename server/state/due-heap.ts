interface Entry<T> {
  at: number;
  item: T;
}

/** A binary min-heap of moments. Entries are never removed from the middle: the owner drops stale ones. */
export interface DueHeap<T> {
  push: (at: number, item: T) => void;
  /** The earliest entry that is due at `now`, taken out; undefined when none is. */
  take: (now: number) => T | undefined;
  readonly size: number;
}

export function createDueHeap<T>(): DueHeap<T> {
  const entries: Entry<T>[] = [];
  const timeOf = (index: number): number => entries[index]?.at ?? Number.POSITIVE_INFINITY;

  /** Moves the hole at `index` up to where `entry` belongs. */
  const rise = (entry: Entry<T>, index: number): void => {
    for (let at = index; ;) {
      const parent = (at - 1) >> 1;
      const above = at > 0 ? entries[parent] : undefined;
      if (!above || above.at <= entry.at) {
        entries[at] = entry;
        return;
      }
      entries[at] = above;
      at = parent;
    }
  };

  const sink = (entry: Entry<T>): void => {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const child = timeOf(left + 1) < timeOf(left) ? left + 1 : left;
      const below = entries[child];
      if (!below || below.at >= entry.at) {
        entries[at] = entry;
        return;
      }
      entries[at] = below;
      at = child;
    }
  };

  return {
    push: (at, item) => rise({ at, item }, entries.length),
    take: (now) => {
      const first = entries[0];
      if (!first || first.at > now) return undefined;
      const last = entries.pop();
      if (last && last !== first) sink(last);
      return first.item;
    },
    get size() {
      return entries.length;
    },
  };
}
