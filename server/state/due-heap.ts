/** A binary min-heap of moments. One entry is never removed from the middle: the owner drops stale ones. */
export interface DueHeap<T> {
  push: (at: number, item: T) => void;
  /** Drops all entries but those of which this is true: as dear as pushing these anew. */
  keep: (isWanted: (at: number, item: T) => boolean) => void;
  /** The earliest entry that is due at `now`, taken out; undefined when none is. */
  take: (now: number) => T | undefined;
  readonly size: number;
}

const LEAST_ROOM = 64;

/** Times and items stand in two arrays: an object for each entry would cost four times as much. */
export function createDueHeap<T>(): DueHeap<T> {
  let times = new Float64Array(LEAST_ROOM);
  let items: T[] = [];
  const timeOf = (index: number): number =>
    index < items.length ? (times[index] ?? Infinity) : Infinity;

  const grow = (): void => {
    const larger = new Float64Array(times.length * 2);
    larger.set(times);
    times = larger;
  };

  const put = (index: number, at: number, item: T): void => {
    times[index] = at;
    items[index] = item;
  };

  /** Moves the hole at the end up to where an item that is due at `due` belongs. */
  const rise = (due: number, item: T): void => {
    let index = items.length;
    if (index >= times.length) grow();
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent];
      if (above === undefined || timeOf(parent) <= due) break;
      put(index, timeOf(parent), above);
      index = parent;
    }
    put(index, due, item);
  };

  const sink = (due: number, item: T): void => {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const child = timeOf(left + 1) < timeOf(left) ? left + 1 : left;
      const below = items[child];
      if (below === undefined || timeOf(child) >= due) break;
      put(index, timeOf(child), below);
      index = child;
    }
    put(index, due, item);
  };

  const keep = (isWanted: (at: number, item: T) => boolean): void => {
    const [oldTimes, oldItems] = [times, items];
    times = new Float64Array(LEAST_ROOM);
    items = [];
    for (const [index, item] of oldItems.entries()) {
      const at = oldTimes[index] ?? Infinity;
      if (isWanted(at, item)) rise(at, item);
    }
  };

  return {
    push: rise,
    keep,
    take: (now) => {
      if (timeOf(0) > now) return undefined;
      const first = items[0];
      const lastAt = timeOf(items.length - 1);
      const last = items.pop();
      if (last !== undefined && items.length > 0) sink(lastAt, last);
      return first;
    },
    get size() {
      return items.length;
    },
  };
}
