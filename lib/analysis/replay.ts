/** One owner that asked for a lock. */
export interface Arrival {
  /** When it asked, epoch ms. */
  at: number;
  /** How long it held the lock, or would have. */
  holdMs: number;
  /** When it gives up if the lock has not been granted; left out = it waits for ever. */
  leavesAt?: number;
}

export interface Replayed {
  /** Waiter-milliseconds: the waiting of all, those that gave up included. */
  waiterMs: number;
  /** What each waited in ms, zeros included, in no particular order. */
  waits: Float64Array;
  /** How many gave up. */
  left: number;
}

export interface ReplayRules {
  /** From the end of one hold to the start of the next where somebody waits. */
  handoffMs: number;
  /** The lock is held by somebody else until then, epoch ms. */
  busyUntil?: number;
}

/** Oldest first; equal moments keep their order. */
export const inOrderOfArrival = <A extends Arrival>(arrivals: readonly A[]): A[] =>
  arrivals.toSorted((a, b) => a.at - b.at);

/**
 * A lock that serves first come, first served: Lindley's recursion (The theory of queues with a single server, Math.
 * Proc. Camb. Phil. Soc. 48, 1952), wait(n+1) = max(0, wait(n) + hold(n) − time between the two), with a hand-off gap for
 * whoever waited. Another order than the recorded one moves waits from one owner to another; their sum stays as long as
 * the order does not follow the lengths of holds (Kleinrock, Queueing Systems II, 1976, conservation law).
 * `arrivals` in order of arrival.
 */
export function replayLock(arrivals: readonly Arrival[], rules: ReplayRules): Replayed {
  return replaySegments(arrivals, { ...rules, segments: 1, segmentOf: () => 0 });
}

/**
 * The same arrivals at `segments` locks in place of one. `segmentOf` tells by position which of them (0…segments − 1) an
 * arrival goes to. `arrivals` in order of arrival.
 */
export function replaySegments(
  arrivals: readonly Arrival[],
  rules: ReplayRules & { segments: number; segmentOf: (index: number) => number },
): Replayed {
  const freeAt = new Float64Array(rules.segments).fill(rules.busyUntil ?? Number.NEGATIVE_INFINITY);
  const waits = new Float64Array(arrivals.length);
  let waiterMs = 0;
  let left = 0;
  for (const [index, { at, holdMs, leavesAt }] of arrivals.entries()) {
    const segment = rules.segmentOf(index);
    const free = freeAt[segment] ?? Number.NEGATIVE_INFINITY;
    const start = free <= at ? at : free + rules.handoffMs;
    const isGone = leavesAt !== undefined && leavesAt < start;
    const waitMs = (isGone ? leavesAt : start) - at;
    waits[index] = waitMs;
    waiterMs += waitMs;
    if (isGone) left += 1;
    else freeAt[segment] = start + holdMs;
  }
  return { waiterMs, waits, left };
}

/** Several locks as one result. */
export function sumReplayed(parts: readonly Replayed[]): Replayed {
  const waits = new Float64Array(parts.reduce((count, part) => count + part.waits.length, 0));
  let at = 0;
  for (const part of parts) {
    waits.set(part.waits, at);
    at += part.waits.length;
  }
  return {
    waiterMs: parts.reduce((sum, part) => sum + part.waiterMs, 0),
    left: parts.reduce((sum, part) => sum + part.left, 0),
    waits,
  };
}
