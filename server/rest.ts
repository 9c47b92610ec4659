/**
 * Lets work that takes long rest as long as it took, so that it never has more than half of the process; `times` as
 * long where other work goes before.
 */
export function createRest(elapsedMs: () => number, times: () => number = () => 1) {
  let restsUntil = -Infinity;
  return {
    /** Does nothing while it rests. */
    run: (work: () => unknown): void => {
      const startedAt = elapsedMs();
      if (startedAt < restsUntil) return;
      try {
        work();
      } finally {
        const endedAt = elapsedMs();
        restsUntil = endedAt + (endedAt - startedAt) * times();
      }
    },
  };
}
