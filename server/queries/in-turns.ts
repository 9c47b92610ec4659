/** Adding up this many rollups with their sketches takes a few milliseconds. */
const AT_ONCE = 250;

/** Calls `work` for each item in order and lets the event loop go on between small batches. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  for (let from = 0; from < items.length; from += AT_ONCE) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    for (const item of items.slice(from, from + AT_ONCE)) work(item);
  }
}
