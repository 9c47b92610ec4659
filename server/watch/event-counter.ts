const MIN_WINDOW_MS = 1_000;

/** How many events came, when the last, and how many a second of late. */
export interface EventCounter {
  count: (at: number) => void;
  /** Closes the window of the rate once it is long enough. */
  measure: (now: number) => void;
  readonly total: number;
  readonly perSecond: number;
  readonly lastAt: number | null;
}

export function createEventCounter(): EventCounter {
  let total = 0;
  let perSecond = 0;
  let lastAt: number | null = null;
  let windowStart = 0;
  let totalAtStart = 0;
  return {
    count: (at) => {
      total++;
      lastAt = at;
    },
    measure: (now) => {
      const elapsed = now - windowStart;
      if (elapsed < MIN_WINDOW_MS) return;
      perSecond = (1000 * (total - totalAtStart)) / elapsed;
      windowStart = now;
      totalAtStart = total;
    },
    get total() {
      return total;
    },
    get perSecond() {
      return perSecond;
    },
    get lastAt() {
      return lastAt;
    },
  };
}
