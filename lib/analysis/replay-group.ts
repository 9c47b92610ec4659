import { inOrderOfArrival, replayLock, sumReplayed, type Arrival, type Replayed } from './replay';
import { recordingOf, type RecordedHold } from './replay-record';

/** What one owner held without a break, one lock at least: nested, or overlapping. */
export interface HeldTogether {
  /** The first is the one that was taken first. */
  holds: RecordedHold[];
  start: number;
  end: number;
}

/** Of two that began in the same millisecond, the one asked for first is the outer one: the inner is asked for inside. */
const inOrderOfTaking = (a: RecordedHold, b: RecordedHold): number =>
  a.start - b.start || b.waitedMs - a.waitedMs || b.end - a.end;

/**
 * Joins holds of the same owner that overlap in time. Those of owners that nobody saw stay alone. Oldest first.
 */
export function heldTogether(holds: readonly RecordedHold[]): HeldTogether[] {
  const open = new Map<string, HeldTogether>();
  const runs: HeldTogether[] = [];
  for (const hold of holds.toSorted(inOrderOfTaking)) {
    const run = hold.owner === null ? undefined : open.get(hold.owner);
    if (run && hold.start < run.end) {
      run.holds.push(hold);
      run.end = Math.max(run.end, hold.end);
      continue;
    }
    const begun = { holds: [hold], start: hold.start, end: hold.end };
    if (hold.owner !== null) open.set(hold.owner, begun);
    runs.push(begun);
  }
  return runs;
}

/** Two names, the one taken first before the other, of which one owner had a lock each at once. */
export interface NestedPair {
  outer: string;
  inner: string;
  times: number;
  /** How long the outer locks were held in these cases, and how much of it their holders waited for the inner ones. */
  heldMs: number;
  insideMs: number;
}

/** How long was waited for a lock while the first one of the run was held already. */
const insideMsOf = ({ start, waitedMs }: RecordedHold, run: HeldTogether): number =>
  Math.min(waitedMs, start - run.start);

/**
 * The pairs of what `nameOf` tells of holds, most frequent first; a name is no pair with itself. Of two names there is one
 * pair: the outer one is that which was taken first more often.
 */
export function nestedPairs(
  holds: readonly RecordedHold[],
  nameOf: (hold: RecordedHold) => string,
): NestedPair[] {
  const pairs = new Map<string, NestedPair & { reversed: number }>();
  for (const run of heldTogether(holds)) {
    const [first, ...others] = run.holds;
    if (!first || others.length === 0) continue;
    const outer = nameOf(first);
    const met = new Set([outer]);
    for (const hold of others) {
      const inner = nameOf(hold);
      if (met.has(inner)) continue;
      met.add(inner);
      const id = [outer, inner].toSorted().join('\n');
      const pair = pairs.get(id) ?? { outer, inner, times: 0, heldMs: 0, insideMs: 0, reversed: 0 };
      pair.times += 1;
      pair.heldMs += first.end - first.start;
      pair.insideMs += insideMsOf(hold, run);
      pair.reversed += outer === pair.outer ? 0 : 1;
      pairs.set(id, pair);
    }
  }
  return [...pairs.values()]
    .map(({ reversed, ...pair }) =>
      reversed * 2 > pair.times ? { ...pair, outer: pair.inner, inner: pair.outer } : pair,
    )
    .toSorted((a, b) => b.times - a.times);
}

/** For each lock the group that it is in: locks that one owner ever had at once are in one, as are theirs. */
function groupsOf(runs: readonly HeldTogether[]): (lock: string) => string {
  const parent = new Map<string, string>();
  const find = (lock: string): string => {
    let root = lock;
    for (let up = parent.get(root); up !== undefined; up = parent.get(root)) root = up;
    return root;
  };
  for (const { holds } of runs) {
    const [first, ...others] = holds;
    if (!first) continue;
    for (const { lock } of others) {
      const [a, b] = [find(first.lock), find(lock)];
      if (a !== b) parent.set(b, a);
    }
  }
  return find;
}

/**
 * One arrival for all that was held together: it comes when the first lock was asked for, and holds for as long as the
 * whole took, less what was waited inside for the further locks.
 */
function arrivalOf(run: HeldTogether): Arrival {
  const { holds, start, end } = run;
  const insideMs = holds.slice(1).reduce((sum, hold) => sum + insideMsOf(hold, run), 0);
  return { at: start - (holds[0]?.waitedMs ?? 0), holdMs: Math.max(0, end - start - insideMs) };
}

export interface GroupReplay {
  now: Replayed;
  grouped: Replayed;
  /** How often one owner had several at once, and how many groups of locks that makes. */
  together: number;
  groups: number;
}

/**
 * Each lock by itself as it was recorded, and the same owners with one lock for each group of locks that are held at
 * once, taken once. What a lock costs to take and to give back is not known, and stays in.
 */
export function replayGrouped(holds: readonly RecordedHold[]): GroupReplay {
  const runs = heldTogether(holds);
  const groupOf = groupsOf(runs);
  const arrivals = Map.groupBy(runs, ({ holds: [first] }) => groupOf(first?.lock ?? ''));
  const locks = [...Map.groupBy(holds, ({ lock }) => lock).values()].map((of) => recordingOf(of));
  // The slowest of them: what is not known of the one lock is not to make it look better.
  const handoffMs = locks.reduce((most, { handoffMs: ms }) => Math.max(most, ms), 0);
  return {
    now: sumReplayed(locks.map((lock) => replayLock(lock.arrivals, lock))),
    grouped: sumReplayed(
      [...arrivals.values()].map((of) =>
        replayLock(inOrderOfArrival(of.map(arrivalOf)), { handoffMs }),
      ),
    ),
    together: runs.filter(({ holds: of }) => of.length > 1).length,
    groups: arrivals.size,
  };
}
