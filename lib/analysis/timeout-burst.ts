import type { Sketch } from './analysis-contract';
import { atLeast } from './timeout-rank';

const MINUTE_MS = 60_000;
/** Holds of so long are judged together: a burst is seen within it. */
export const BURST_WINDOW_MS = 5 * MINUTE_MS;
/** What a burst added is halved each time that this has passed since. */
const BURST_HALVES_MS = 10 * MINUTE_MS;
/** After six halvings nothing worth telling is left. */
export const BURST_LOOKS_BACK_MS = 6 * BURST_HALVES_MS;
/** One window in ten thousand is so by chance. */
const SIGNIFICANT = 1e-4;
/** Two long holds are an accident. */
const LEAST_ABOVE = 3;
/** Less than this above the week's is nothing that a lease should follow. */
const LEAST_RISE = 1.25;

/** Holds that ended within `BURST_WINDOW_MS` before `to`. */
export interface RecentHolds {
  /** Epoch ms. */
  to: number;
  holds: Sketch;
  /** Of these, how many did not end by their holder. */
  cut: number;
}

export interface Burst {
  /** End of the window that counts most now, epoch ms. */
  at: number;
  /** p99 of the holds in it, ms; where they were cut at work twice that. */
  p99Ms: number;
  holds: number;
  /** Of `holds`, those longer than the p99 of the whole time. */
  above: number;
  /** The p99 to reckon with now: that of the window, decayed towards that of the whole time. */
  raisedMs: number;
}

const isSignificant = (above: number, count: number): boolean =>
  above >= LEAST_ABOVE && atLeast(above, count, 0.01) < SIGNIFICANT;

/** p99 of those that ended by their holder: cut ones are taken for the longest. */
export function endedP99({ holds, cut }: Pick<RecentHolds, 'holds' | 'cut'>): number | null {
  const ended = holds.count - cut;
  return ended > 0 ? holds.quantile((Math.ceil(ended * 0.99) - 0.5) / holds.count) : null;
}

/** Null = these holds are nothing unusual. */
function riseOf(window: RecentHolds, usualP99Ms: number): Pick<Burst, 'p99Ms' | 'above'> | null {
  const { holds, cut } = window;
  const above = holds.above(usualP99Ms);
  const p99Ms = endedP99(window);
  const longestMs = holds.quantile(1) ?? 0;
  const wereAtWork = p99Ms === null || p99Ms > longestMs / 2;
  if (wereAtWork && isSignificant(cut, holds.count)) return { p99Ms: 2 * longestMs, above };
  if (p99Ms === null || !isSignificant(above - cut, holds.count)) return null;
  return { p99Ms, above: above - cut };
}

/**
 * What recent holds add to the p99 of a longer time, `usualP99Ms`; null = nothing. A window counts when more of its holds
 * are longer than that than chance would allow (binomial with 1 %, one-sided, p < 0.0001), at least three, and its own p99 is
 * a quarter above. Where so many were cut while at work, twice the length at which they were. It counts in full at once;
 * what it adds is halved every ten minutes after its end, and forgotten after an hour. Of several windows the one that
 * adds most now counts.
 */
export function burstOf(
  recent: readonly RecentHolds[],
  usualP99Ms: number,
  now: number,
): Burst | null {
  let most: Burst | null = null;
  for (const window of recent) {
    const ageMs = Math.max(0, now - window.to);
    const rise = riseOf(window, usualP99Ms);
    if (!rise || rise.p99Ms < usualP99Ms * LEAST_RISE || ageMs > BURST_LOOKS_BACK_MS) continue;
    const raisedMs = usualP99Ms + (rise.p99Ms - usualP99Ms) * 2 ** (-ageMs / BURST_HALVES_MS);
    if (most && raisedMs <= most.raisedMs) continue;
    most = { at: window.to, ...rise, holds: window.holds.count, raisedMs };
  }
  return most;
}
