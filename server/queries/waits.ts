import { fromBase64Url } from '@/lib/protocol/bytes';
import type { Waits } from '@/lib/protocol/measures';
import type { WaitsParams } from '@/lib/protocol/queries';
import {
  emptyTimes,
  evidenceOf,
  noWaitReason,
  percentilesOf,
  sumByClass,
  waitEvidence,
  waitsOf,
  type ClassSum,
  type Times,
} from './class-sums';
import { figuresOf } from './figures';
import { gapsWithin } from './gaps';
import { gridOf, niceStepMs } from './heat-grid';
import { inTurns } from './in-turns';
import type { QueryContext } from './query-context';
import { slowestWaits } from './slowest-waits';
import { placedOwners } from './owner-places';
import { isEverything, subjectOf, type Subject } from './subject';
import {
  byEvidence,
  distributionOf,
  markerOf,
  seriesOf,
  sourcesOf,
  totalTimes,
} from './wait-times';
import { spanAt, watchedRange } from './watched-range';

/** Steps of the answer: each is two distributions of five percentiles. */
const MOST_STEPS = 120;

/** The classes of which no wait is seen, each with its reason. */
function notObservable(sums: readonly ClassSum[]): Waits['notObservable'] {
  return sums.flatMap((sum) => {
    const reason = noWaitReason(sum);
    return reason === null
      ? []
      : [{ class: sum.class, formats: [...sum.formats].toSorted(), reason }];
  });
}

async function byClass(sums: readonly ClassSum[]): Promise<Waits['byClass']> {
  const classes: Waits['byClass'] = [];
  await inTurns(sums, (sum) => {
    classes.push({
      class: sum.class,
      namespace: sum.namespace,
      waitMs: percentilesOf(waitsOf(sum)),
      holdMs: percentilesOf(sum.holdTimes),
      evidence: waitEvidence(sum),
    });
  });
  return classes;
}

/** Where those run who waited, or held a lock meanwhile. */
function placesOf(context: QueryContext, slowest: Waits['slowest']): Waits['places'] {
  const locks = slowest.map(({ db, keyB64 }) => ({ db, key: fromBase64Url(keyB64) ?? '' }));
  const owners = slowest.flatMap(({ owner, heldBy }) => [
    owner,
    ...heldBy.map((hold) => hold.owner),
  ]);
  return placedOwners(context, locks, owners);
}

/** All namespaces with holds or waits in the range. */
async function namespacesOf(
  context: QueryContext,
  subject: Subject,
  { from, to, sums }: { from: number; to: number; sums: readonly ClassSum[] },
): Promise<string[]> {
  const named: readonly { namespace: string }[] = isEverything(subject)
    ? sums
    : await context.history.rollups({ level: 'class', from, to, stepMs: null, sketches: [] });
  return [...new Set(named.map(({ namespace }) => namespace))].toSorted();
}

/**
 * How long owners waited and held, over the last hour by default. A class of which no wait is seen is
 * named in `notObservable` with the reason; except where it never waits, that is no class without waits.
 * Of a lock that is not known at all the evidence is `unknown`. Throws INVALID_INPUT.
 */
export async function waits(context: QueryContext, params: WaitsParams): Promise<Waits> {
  const subject = subjectOf(context, params);
  const watched = await watchedRange(context, params);
  const { from, to } = watched;
  const gaps = await gapsWithin(context, from, to);
  const figures = await figuresOf(context, subject, { ...watched, gaps });
  const range = { from, to, watchedFrom: figures.knownFrom };
  // The first step may begin before the range does.
  const stepMs = niceStepMs(to - from, spanAt(context, from), MOST_STEPS - 1);
  const grid = gridOf(range, stepMs, gaps);
  const timesAt = new Map<number, Times>();
  const sums = await sumByClass(await figures.read({ from, to, stepMs }), ({ step }) => {
    const times = timesAt.get(step) ?? emptyTimes();
    timesAt.set(step, times);
    return times;
  });
  const total = await totalTimes(sums);
  const evidence = evidenceOf(sums);
  const slowest = await slowestWaits(context, subject, { from, to, gaps });
  return {
    ...distributionOf(waitsOf(total)),
    evidence,
    sources: sourcesOf(total),
    byEvidence: byEvidence(total),
    notObservable: notObservable(sums),
    holds: distributionOf(total.holdTimes),
    byClass: await byClass(sums),
    stepMs,
    series: await seriesOf(grid, timesAt, evidence !== 'unknown'),
    slowest,
    places: placesOf(context, slowest),
    marker: await markerOf(context, figures, { ...range, marker: params.marker }),
    namespaces: await namespacesOf(context, subject, { from, to, sums }),
    from: range.watchedFrom,
    to,
    gaps,
  };
}
