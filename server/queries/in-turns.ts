/** Well below what anybody else of this process would notice, and with a pause of the collector still. */
const TURN_MS = 1;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Calls `work` for each item in order, in turns of a millisecond between which the event loop goes on. */
export async function inTurns<T>(items: Iterable<T>, work: (item: T) => void): Promise<void> {
  await nextTurn();
  let end = performance.now() + TURN_MS;
  for (const item of items) {
    work(item);
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MS;
  }
}
