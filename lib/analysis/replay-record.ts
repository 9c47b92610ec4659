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

/** A hold of which it may not be known whether its owner had waited (null), as where nobody saw its owner. */
export type SeenHold = Omit<RecordedHold, 'waitedMs'> & { waitedMs: number | null };

/** A lock that is free for longer than this between two holds was waited for by nobody. */
const FREE_MS = 5;

/**
 * Holds of one lock with the waits that are not known filled in: where the lock was free before, nobody waited; else who
 * held it next came between those of the neighbours whose arrival is known, evenly. Oldest first.
 */
export function withWaits(holds: readonly SeenHold[]): RecordedHold[] {
  const byStart = holds.toSorted((a, b) => a.start - b.start);
  const filled: RecordedHold[] = [];
  for (const [index, hold] of byStart.entries()) {
    const { waitedMs } = hold;
    const before = filled.at(-1);
    if (waitedMs !== null) filled.push({ ...hold, waitedMs });
    else if (!before || hold.start - before.end > FREE_MS) filled.push({ ...hold, waitedMs: 0 });
    else {
      const next = byStart.findIndex((later, i) => i > index && later.waitedMs !== null);
      const known = byStart[next];
      const last = before.start - before.waitedMs;
      const until = known ? known.start - (known.waitedMs ?? 0) : hold.start;
      const arrival = last + Math.max(0, until - last) / (known ? next - index + 1 : 2);
      filled.push({ ...hold, waitedMs: Math.max(0, hold.start - arrival) });
    }
  }
  return filled;
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
