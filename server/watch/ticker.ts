/** A task that runs again and again, never over itself. Its failures go to `onError`. */
export interface Ticker {
  stop: () => void;
}

/** The first run is after `ms`. Unref'd: a ticker does not keep the process alive. */
export function every(
  ms: number,
  task: () => Promise<void> | void,
  onError: (error: unknown) => void,
): Ticker {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    Promise.resolve()
      .then(task)
      .catch(onError)
      .finally(() => (running = false));
  }, ms);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

export const pause = async (ms: number): Promise<void> =>
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
