/** Occupied for this long the main thread is given back; a pause of the collector may come on top. */
const AT_MOST_MS = 1;

/** Lets the event loop go on when it has been occupied for long enough; otherwise returns at once. */
export function createTurns(): { isDue: () => boolean; next: () => Promise<void> } {
  let since = performance.now();
  return {
    isDue: () => performance.now() - since >= AT_MOST_MS,
    next: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;

/** Sorted at once: half a millisecond. */
const RUN = 500;

/** The items in order, as `toSorted` gives them: sorted in short runs, which are then merged. */
export async function sortedInTurns<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  turns: Turns,
): Promise<T[]> {
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare));
    if (turns.isDue()) await turns.next();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let i = 0; i < runs.length; i += 2) {
      merged.push(await mergedInTurns(runs[i] ?? [], runs[i + 1] ?? [], { compare, turns }));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedInTurns<T>(
  a: readonly T[],
  b: readonly T[],
  { compare, turns }: { compare: (a: T, b: T) => number; turns: Turns },
): Promise<T[]> {
  const merged: T[] = [];
  const [ones, others] = [a[Symbol.iterator](), b[Symbol.iterator]()];
  let [one, other] = [ones.next(), others.next()];
  while (!one.done || !other.done) {
    if (!one.done && (other.done || compare(one.value, other.value) <= 0)) {
      merged.push(one.value);
      one = ones.next();
    } else if (!other.done) {
      merged.push(other.value);
      other = others.next();
    }
    if (merged.length % RUN === 0 && turns.isDue()) await turns.next();
  }
  return merged;
}
