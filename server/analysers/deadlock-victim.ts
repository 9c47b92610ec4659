import { freedBy, type WaitRequest } from '@/lib/analysis/wait-graph';
import { firstOfEach, freesItselfAt, isLikelyRenewed, type Step } from './deadlock-steps';

/** Judging one costs a walk over all that is stuck with it and behind it. */
const MOST_JUDGED = 50;
/** Of a large tangle fewer are judged, the cheapest: so many waits are walked over for one deadlock. */
const MOST_WALKED = 100_000;

/** How many holds of a deadlock are judged where `waits` are stuck with it and behind it. */
const judgedOf = (waits: number): number =>
  Math.max(1, Math.min(MOST_JUDGED, Math.floor(MOST_WALKED / Math.max(1, waits))));

/** The hold whose release is suggested. */
export interface Victim {
  step: Step;
  /** Waiters that get on, directly or after others, when it is released. */
  frees: number;
  /** How long its holder had worked when it began to wait, ms; null = unknown. */
  lostMs: number | null;
  /** Its process is gone: nothing more is lost than has been. */
  isDead: boolean;
}

/** Each hold of the deadlock once. */
const holdsOf = (steps: readonly Step[]): Step[] =>
  firstOfEach(steps, ({ edge }) => JSON.stringify([edge.lock, edge.holder])).filter(
    ({ holding }) => holding !== null,
  );

/** How many waits are walked over to judge it. */
export const walkedFor = (steps: readonly Step[], waits: readonly WaitRequest[]): number =>
  (1 + Math.min(judgedOf(waits.length), steps.length)) * waits.length;

/** Work stops where the holder begins to wait itself. */
function lostMsOf(
  { edge, holding }: Step,
  byOwner: ReadonlyMap<string, readonly Step[]>,
  now: number,
): number | null {
  const since = holding?.hold?.since ?? null;
  if (since === null) return null;
  const own = byOwner.get(edge.holder) ?? [];
  const until = Math.min(...own.map(({ waiting }) => waiting.since ?? now), now);
  return Math.max(0, until - since);
}

const costOf = ({ isDead, lostMs }: Omit<Victim, 'frees'>): number =>
  isDead ? -1 : (lostMs ?? Infinity);

const byNumber = (a: number, b: number): number => (a === b ? 0 : a - b);

/**
 * Whose release frees most waiters, and of those the one that loses the least work: a dead holder loses none, and of one
 * whose begin nobody saw it is not known. Null where nobody holds anything (a queue alone).
 */
export function victimOf(
  steps: readonly Step[],
  waits: readonly WaitRequest[],
  now: number,
): Victim | null {
  const byOwner = Map.groupBy(steps, ({ edge }) => edge.owner);
  const judged = holdsOf(steps)
    .map((step) => ({
      step,
      lostMs: lostMsOf(step, byOwner, now),
      isDead: step.holding?.owner?.liveness === 'not-seen',
    }))
    .toSorted((a, b) => byNumber(costOf(a), costOf(b)))
    .slice(0, judgedOf(waits.length))
    .map((one): Victim => {
      const { lock, holder } = one.step.edge;
      return { ...one, frees: freedBy(waits, [{ lock, holder }]) };
    });
  // The sort is stable: among equals the cheapest stays first.
  return judged.toSorted((a, b) => b.frees - a.frees)[0] ?? null;
}

/** Its own waits alone: each needs one of the others that it waits for to go on. */
function waitsOfSteps(steps: readonly Step[]): WaitRequest[] {
  const groups = Map.groupBy(steps, ({ edge: { owner, lock, via } }) =>
    JSON.stringify([owner, lock, via]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { owner, lock, via } = first.edge;
    return [{ owner, lock, via, holders: group.map(({ edge }) => edge.holder), needs: 1 }];
  });
}

export interface SelfEnd {
  at: number;
  step: Step;
}

/**
 * When the first lease ends by which somebody gets on, unless it is renewed before; null = none does, or its library is
 * likely to renew it.
 */
export function endsItself(steps: readonly Step[], now: number): SelfEnd | null {
  const ends = holdsOf(steps)
    .filter((step) => !isLikelyRenewed(step, now))
    .map((step) => ({ step, at: freesItselfAt(step, now) }))
    .filter((end): end is SelfEnd => end.at !== null)
    .toSorted((a, b) => a.at - b.at);
  const [first] = ends;
  if (!first || first.step.edge.needs === 'and') return first ?? null;
  const requests = waitsOfSteps(steps);
  return (
    ends.slice(0, MOST_JUDGED).find((_, i) => {
      const gone = ends.slice(0, i + 1).map(({ step: { edge } }) => edge);
      return freedBy(requests, gone) > 0;
    }) ?? null
  );
}
