/**
 * Runs `task` every `ms`, never overlapping itself: a turn that falls into a running one is skipped. An
 * error is printed once per distinct message and the next turn tries again. Returns the stop function.
 */
export function repeat(ms: number, task: () => unknown): () => void {
  let isRunning = false;
  let lastMessage: string | null = null;
  const turn = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    try {
      await task();
      lastMessage = null;
    } catch (error) {
      const message = error instanceof Error ? (error.stack ?? error.message) : `${error}`;
      if (message !== lastMessage) console.error(message);
      lastMessage = message;
    } finally {
      isRunning = false;
    }
  };
  const timer = setInterval(() => void turn(), ms);
  timer.unref();
  return () => clearInterval(timer);
}
