import { createSketch } from '@/lib/analysis/sketch';
import type { Sketch } from '@/lib/analysis/analysis-contract';
import type { Evidence } from '@/lib/protocol/lock';
import type { Waits } from '@/lib/protocol/measures';
import type { WaitsParams } from '@/lib/protocol/queries';
import {
  mergedSketch,
  noWaitReason,
  percentilesOf,
  sumByClass,
  waitEvidence,
  WAIT_EVIDENCE,
  WAIT_SOURCES,
  waitsOf,
  type ClassSum,
} from './class-sums';
import { gapsWithin } from './gaps';
import { holdsPending, mergeHolds } from './past-holds';
import { bytesFromPrintable } from './printed-key';
import type { QueryContext } from './query-context';
import { watchedRange } from './watched-range';

/** Holds read for the distribution of a single key. */
const MAX_KEY_HOLDS = 1000;

const distributionOf = (sketch: Sketch): Waits['holds'] => ({
  buckets: sketch.buckets(),
  ...percentilesOf(sketch),
});

function sourcesOf(sums: readonly ClassSum[]): Waits['sources'] {
  return WAIT_SOURCES.map((source) => ({
    source,
    evidence: WAIT_EVIDENCE[source],
    count: sums.reduce((count, sum) => count + (sum.waits[source]?.count ?? 0), 0),
  })).filter(({ count }) => count > 0);
}

/** Classes that never wait say nothing of those that may. */
function evidenceOf(sums: readonly ClassSum[]): Evidence {
  const waiting = sums.filter((sum) => noWaitReason(sum) !== 'never-waits');
  const all = (waiting.length > 0 ? waiting : sums).map(waitEvidence);
  if (all.includes('inferred')) return 'inferred';
  return all.includes('observed') ? 'observed' : 'unknown';
}

/** The classes of which no wait is seen, each with its reason. */
function notObservable(sums: readonly ClassSum[]): Waits['notObservable'] {
  return sums.flatMap((sum) => {
    const reason = noWaitReason(sum);
    return reason === null
      ? []
      : [{ class: sum.class, formats: [...sum.formats].toSorted(), reason }];
  });
}

/** Durations of one key's ended holds; waits are kept per class only. */
async function holdsOfKey(
  context: QueryContext,
  text: string,
  range: { from: number; to: number },
): Promise<Sketch> {
  const key = bytesFromPrintable(text);
  const query = { target: context.targetId, key, ...range, limit: MAX_KEY_HOLDS };
  const stored = await context.store.holds(query);
  const sketch = createSketch();
  for (const { past } of mergeHolds(
    stored,
    holdsPending(context, (row) => row.key === key),
  )) {
    const { start, end, notes } = past;
    if (end === null || notes.includes('touches-gap')) continue;
    if (end >= range.from && end <= range.to) sketch.add(end - start);
  }
  return sketch;
}

/**
 * How long owners waited and held, over the last hour by default. A class of which no wait is seen is
 * named in `notObservable` with the reason; except where it never waits, that is no class without waits.
 */
export async function waits(context: QueryContext, params: WaitsParams): Promise<Waits> {
  const { from, to, watchedFrom, rollups } = await watchedRange(context, params, {
    parts: 'sums-and-sketches',
  });
  const isWanted = (sum: ClassSum): boolean =>
    params.class === undefined || sum.class === params.class;
  const all = (await sumByClass(rollups)).filter(isWanted);
  const ofKey =
    params.key === undefined ? null : await holdsOfKey(context, params.key, { from, to });
  const sums = ofKey ? [] : all;
  const waited = mergedSketch(sums.map(waitsOf));
  return {
    ...distributionOf(waited),
    evidence: evidenceOf(sums),
    sources: sourcesOf(sums),
    notObservable: notObservable(sums),
    holds: distributionOf(ofKey ?? mergedSketch(sums.map((sum) => sum.holds))),
    byClass: sums.map((sum) => ({
      class: sum.class,
      waitMs: percentilesOf(waitsOf(sum)),
      holdMs: percentilesOf(sum.holds),
      evidence: waitEvidence(sum),
    })),
    from: watchedFrom,
    to,
    gaps: await gapsWithin(context, watchedFrom, to),
  };
}
