import type { EndReason, PastHold } from '@/lib/protocol/lock';

export interface MomentBar {
  name: string;
  /** Null while it lasts. */
  reason: EndReason | null;
  /** Position and width as shares of the whole, 0 to 1. */
  left: number;
  width: number;
  isAtMoment: boolean;
}

export interface MomentTimeline {
  from: number;
  to: number;
  bars: MomentBar[];
  /** Where the moment is, 0 to 1. */
  moment: number;
}

/** How much is shown on either side of what the moment lies in, as a share of its length. */
const BESIDE = 1.25;
const LEAST_MS = 100;

/** The hold of the moment, or else the time that nobody held it. */
function around(holds: readonly PastHold[], at: number, now: number): { from: number; to: number } {
  const held = holdAt(holds, at);
  if (held) return { from: held.start, to: held.end ?? Math.max(now, at) };
  const before = holds.findLast(({ end }) => end !== null && end <= at);
  const after = holds.find(({ start }) => start > at);
  const lengthMs = Math.max(LEAST_MS, at - (before?.end ?? at), (after?.start ?? at) - at);
  return { from: before?.end ?? at - lengthMs, to: after?.start ?? at + lengthMs };
}

export const holdAt = (holds: readonly PastHold[], at: number): PastHold | undefined =>
  holds.findLast(({ start, end }) => start <= at && (end === null || at < end));

/** Lays holds on a line of time in which the moment's own is seen well. `holds` oldest first; `now` epoch ms. */
export function layoutMoment(
  holds: readonly PastHold[],
  at: number,
  now: number,
): MomentTimeline | null {
  if (holds.length === 0) return null;
  const middle = around(holds, at, now);
  const beside = Math.max(LEAST_MS, (middle.to - middle.from) * BESIDE);
  const from = middle.from - beside;
  const to = Math.min(middle.to + beside, Math.max(now, middle.to));
  const share = (time: number): number => Math.min(1, Math.max(0, (time - from) / (to - from)));
  const held = holdAt(holds, at);
  const bars = holds
    .filter(({ start, end }) => start < to && (end ?? now) > from)
    .map((hold) => ({
      name: `${hold.generation} ${hold.start}`,
      reason: hold.end === null ? null : (hold.endReason ?? 'unknown'),
      left: share(hold.start),
      width: share(hold.end ?? to) - share(hold.start),
      isAtMoment: hold === held,
    }));
  return { from, to, bars, moment: share(at) };
}
