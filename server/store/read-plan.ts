import { ceilTo, covers, floorTo, type TierState } from './tier-states';

/** Steps of one span to be read: those that begin in [from, to). */
export interface Run {
  spanMs: number;
  from: number;
  to: number;
}

interface Range {
  from: number;
  to: number;
  /** Steps are added up to these; null = to one. */
  stepMs: number | null;
}

/**
 * Which steps of which span tell a range: the longest that fit into it and into `stepMs`, shorter ones at its ends,
 * and longer ones where nothing shorter is kept. Every moment is told once.
 */
export function planRuns(states: readonly TierState[], range: Range): Run[] {
  const runs: Run[] = [];
  let at = range.from;
  while (at < range.to) {
    const run = nextRun(states, range, at);
    if (!run) {
      // Nothing is kept of this time.
      at = Math.min(...states.map(({ from }) => (from > at ? from : Infinity)));
      continue;
    }
    const last = runs.at(-1);
    if (last && last.spanMs === run.spanMs && last.to === run.from) last.to = run.to;
    // A step that reaches back over what is told already would tell that twice.
    else if (!last || run.from >= last.to) runs.push(run);
    at = run.to;
  }
  return runs;
}

function nextRun(states: readonly TierState[], range: Range, at: number): Run | null {
  const covering = states.filter((state) => covers(state, at));
  const fits = ({ spanMs }: TierState, from: number): boolean =>
    from % spanMs === 0 &&
    from + spanMs <= range.to &&
    (range.stepMs === null || range.stepMs % spanMs === 0);
  const longest = covering.findLast((state) => fits(state, at));
  if (longest) {
    const { spanMs, until } = longest;
    const longer = states
      .filter((state) => state.spanMs > spanMs)
      .map((state) => ({ state, at: ceilTo(Math.max(at + 1, state.from), state.spanMs) }))
      .filter((next) => covers(next.state, next.at) && fits(next.state, next.at))
      .map((next) => next.at);
    const to = Math.min(until, floorTo(range.to, spanMs), ...longer);
    return { spanMs, from: at, to: Math.max(ceilTo(to, spanMs), at + spanMs) };
  }
  const [shortest] = covering;
  if (!shortest) return null;
  const step = floorTo(at, shortest.spanMs);
  return { spanMs: shortest.spanMs, from: step, to: step + shortest.spanMs };
}
