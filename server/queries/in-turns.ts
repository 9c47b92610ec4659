/** Well below what anybody else of this process would notice, and long enough to get on. */
const TURN_MS = 2;

/** Calls `work` for each item in order and lets the event loop go on every 2 ms. */
export async function inTurns<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  let end = performance.now() + TURN_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < end) continue;
    await new Promise((resolve) => setImmediate(resolve));
    end = performance.now() + TURN_MS;
  }
}
