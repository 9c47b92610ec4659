/**
 * Waits until `condition` returns something truthy and returns it; fails with the last value after
 * `timeoutMs`. The only way a test waits for the world. A limit ends what hangs, also on a machine ten times as slow, and
 * says nothing of how fast it should have been.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + timeoutMs;
  let last: T;
  do {
    last = await condition();
    if (last) return last as NonNullable<T>;
    await new Promise((resolve) => setTimeout(resolve, 15));
  } while (Date.now() < end);
  throw new Error(`not within ${timeoutMs} ms: ${what} (last: ${JSON.stringify(last)})`);
}
