const WINDOW_MS = 60_000;
/** Beyond so many in a minute, several are told as one. */
const CALM = 20;
/** While many come, one message is sent so often. */
const EVERY_MS = 10_000;
/** That are one message. */
const MOST_AT_ONCE = 200;

/** How many of the notices that wait are told as one message, so that a storm does not become a storm of messages. */
export function createPace() {
  let recent: { at: number; count: number }[] = [];
  return {
    sent: (count: number, at: number): void => void recent.push({ at, count }),
    /** 0 = wait a little: more are likely to come. */
    atOnce: (waiting: number, now: number): number => {
      recent = recent.filter(({ at }) => now - at < WINDOW_MS);
      const told = recent.reduce((sum, { count }) => sum + count, 0);
      if (told + waiting <= CALM) return 1;
      const last = recent.at(-1);
      if (told >= CALM && last && now - last.at < EVERY_MS) return 0;
      return Math.min(waiting, MOST_AT_ONCE);
    },
  };
}
