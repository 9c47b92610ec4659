import type { EndReason, Hold, PastHold } from '@/lib/protocol/lock';

export interface TimelineBar {
  generation: number;
  owner: string | null;
  start: number;
  /** Null while it lasts. */
  end: number | null;
  reason: EndReason | null;
  /** Position and width as shares of the whole, 0 to 1. */
  left: number;
  width: number;
  /** The edge is where we began or ceased to look, not where the hold began or ended. */
  isStartUncertain: boolean;
  isEndUncertain: boolean;
}

export interface Timeline {
  from: number;
  to: number;
  /** Oldest first. */
  bars: TimelineBar[];
  /** Round times within the span. */
  ticks: { at: number; left: number }[];
}

const MAX_BARS = 40;
const WANTED_TICKS = 5;
const SECOND = 1000;
const STEPS_MS = [
  0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600,
  43_200, 86_400, 172_800, 604_800,
].map((seconds) => seconds * SECOND);

const UNCERTAIN_START = ['started-before-watch', 'started-in-gap', 'moved-in'] as const;
const UNCERTAIN_END = ['ended-in-gap'] as const;

/**
 * Lays the newest past holds and the present one on one line of time that ends at `now` (epoch ms).
 * Null when there is nothing to draw. `holds` newest first.
 */
export function layoutTimeline(
  holds: readonly PastHold[],
  current: Hold | null,
  now: number,
): Timeline | null {
  const shown = holds.slice(0, MAX_BARS).toReversed();
  const starts = [...shown.map((hold) => hold.start), ...(current ? [current.since] : [])];
  if (starts.length === 0) return null;
  const from = Math.min(...starts);
  const to = Math.max(now, from + SECOND);
  const share = (at: number): number => Math.min(1, Math.max(0, (at - from) / (to - from)));
  const bars = shown.map((hold) => pastBar(hold, share));
  if (current) {
    bars.push({
      generation: current.generation,
      owner: current.owner.id,
      start: current.since,
      end: null,
      reason: null,
      left: share(current.since),
      width: 1 - share(current.since),
      isStartUncertain: current.sinceEvidence !== 'observed',
      isEndUncertain: false,
    });
  }
  return { from, to, bars, ticks: ticksBetween(from, to).map((at) => ({ at, left: share(at) })) };
}

function pastBar(hold: PastHold, share: (at: number) => number): TimelineBar {
  const has = (notes: readonly string[]): boolean =>
    hold.notes.some((note) => notes.includes(note));
  const left = share(hold.start);
  return {
    generation: hold.generation,
    owner: hold.owner,
    start: hold.start,
    end: hold.end,
    reason: hold.endReason ?? 'unknown',
    left,
    width: share(hold.end ?? hold.start) - left,
    isStartUncertain: has(UNCERTAIN_START),
    isEndUncertain: has(UNCERTAIN_END) || hold.endReason === 'unknown',
  };
}

/** Round times between two, at most about {@link WANTED_TICKS}. */
function ticksBetween(from: number, to: number): number[] {
  const least = (to - from) / WANTED_TICKS;
  const step =
    STEPS_MS.find((each) => each >= least) ?? Math.ceil(least / 604_800_000) * 604_800_000;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
  return ticks;
}
