/** Milliseconds that the main thread may be occupied at a time. */
const AT_MOST_MS = 2;

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
