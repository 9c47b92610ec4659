import { inOrderOfArrival, type Arrival } from './replay';

/** A hold that is over, as it was recorded. */
export interface RecordedHold {
  /** Which lock; equal text is the same lock. */
  lock: string;
  /** Null = not seen. */
  owner: string | null;
  /** Epoch ms. */
  start: number;
  end: number;
  /** What its owner had waited for it; 0 = nothing. */
  waitedMs: number;
  /** What the holder did it for; null where not told. */
  businessId: string | null;
}

/** A wait that ended without the lock. */
export interface RecordedLeave {
  start: number;
  end: number;
  businessId: string | null;
}

export interface RecordedArrival extends Arrival {
  /** What the lock was asked for; null where not told. */
  businessId: string | null;
}

/** What is replayed of one lock. */
export interface LockRecording {
  /** In order of arrival. */
  arrivals: RecordedArrival[];
  /** Mean time between the end of a hold and the start of the next, where the next waited meanwhile. */
  handoffMs: number;
  /** The first that waited did so behind a hold that is not in the recording and ended then, epoch ms. */
  busyUntil: number;
  /** Waiting as it was recorded, waiter-milliseconds. */
  waiterMs: number;
}

/**
 * Arrivals from holds (each came when it began minus what it waited) and from those that gave up, who would have held
 * for as long as the others do on average.
 */
export function recordingOf(
  holds: readonly RecordedHold[],
  leaves: readonly RecordedLeave[] = [],
): LockRecording {
  const byStart = holds.toSorted((a, b) => a.start - b.start);
  const heldMs = byStart.reduce((sum, { start, end }) => sum + (end - start), 0);
  const meanHoldMs = byStart.length === 0 ? 0 : heldMs / byStart.length;
  const entries: RecordedArrival[] = [
    ...byStart.map(({ start, end, waitedMs, businessId }) => ({
      at: start - waitedMs,
      holdMs: end - start,
      businessId,
    })),
    ...leaves.map(({ start, end, businessId }) => ({
      at: start,
      holdMs: meanHoldMs,
      leavesAt: end,
      businessId,
    })),
  ];
  const first = byStart[0];
  return {
    arrivals: inOrderOfArrival(entries),
    handoffMs: handoffOf(byStart),
    busyUntil: first && first.waitedMs > 0 ? first.start : Number.NEGATIVE_INFINITY,
    waiterMs:
      byStart.reduce((sum, { waitedMs }) => sum + waitedMs, 0) +
      leaves.reduce((sum, { start, end }) => sum + (end - start), 0),
  };
}

/** Clocks of milliseconds and reads that cross make some gaps negative: the mean keeps them, so that they cancel out. */
function handoffOf(byStart: readonly RecordedHold[]): number {
  let sum = 0;
  let count = 0;
  for (const [index, hold] of byStart.entries()) {
    const before = byStart[index - 1];
    if (!before || hold.waitedMs <= 0 || hold.start - hold.waitedMs >= before.end) continue;
    sum += hold.start - before.end;
    count += 1;
  }
  return count === 0 ? 0 : Math.max(0, sum / count);
}
