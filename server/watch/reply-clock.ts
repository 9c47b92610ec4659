/** Clocks drift and jump: the quickest reply of longer ago says nothing any more. */
const WINDOW_MS = 30_000;

/** How long ago a reply's content was true, from the server's time in it. */
export interface ReplyClock {
  /**
   * Lateness (ms, never negative) of a reply made at `serverAt` by the server's clock, sent for at `sentAt` and
   * handled at `at` by ours. The quickest reply of the last minute counts as not late at all, because the
   * difference of the clocks is not known otherwise.
   */
  lateness: (reply: { serverAt: number; sentAt: number; at: number }) => number;
  /** Another server, another clock. */
  reset: () => void;
}

export function createReplyClock(): ReplyClock {
  let least = Number.POSITIVE_INFINITY;
  let leastBefore = Number.POSITIVE_INFINITY;
  let windowFrom = 0;
  return {
    lateness: ({ serverAt, sentAt, at }) => {
      if (at - windowFrom > WINDOW_MS || at < windowFrom) {
        leastBefore = least;
        least = Number.POSITIVE_INFINITY;
        windowFrom = at;
      }
      const difference = at - serverAt;
      least = Math.min(least, difference);
      const late = difference - Math.min(least, leastBefore);
      return Math.max(0, Math.min(late, at - sentAt));
    },
    reset: () => {
      least = leastBefore = Number.POSITIVE_INFINITY;
      windowFrom = 0;
    },
  };
}
