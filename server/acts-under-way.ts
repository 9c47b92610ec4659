/** Acts that somebody waits for. A stop lets them end before it takes Redis and the store away. */
export interface ActsUnderWay {
  run: <T>(act: () => Promise<T>) => Promise<T>;
  /** Resolves when none is left, or after `ms`. */
  answered: (ms: number) => Promise<void>;
}

export function createActsUnderWay(): ActsUnderWay {
  const acts = new Set<Promise<unknown>>();
  return {
    run: async (act) => {
      const running = act();
      acts.add(running);
      try {
        return await running;
      } finally {
        acts.delete(running);
      }
    },
    answered: async (ms) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
      await Promise.race([Promise.allSettled(acts), late]);
      clearTimeout(timer);
      // Whoever awaited one goes on first, to audit its outcome and to write its answer.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
