import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch } from '@/lib/analysis/sketch';
import { WAIT_SOURCES } from '@/lib/protocol/closed-sets';
import type { Distribution, Quantiles, Waits } from '@/lib/protocol/measures';
import {
  addTimes,
  emptyTimes,
  mergedSketch,
  waitsOf,
  WAIT_EVIDENCE,
  type Times,
} from './class-sums';
import type { Figures } from './figures';
import type { HeatGrid } from './heat-grid';
import { inTurns } from './in-turns';
import { downTo, spanAt, type WatchedRange } from './watched-range';
import type { QueryContext } from './query-context';

export const quantilesOf = (sketch: Sketch): Quantiles => ({
  p50: sketch.quantile(0.5),
  p90: sketch.quantile(0.9),
  p95: sketch.quantile(0.95),
  p99: sketch.quantile(0.99),
  p999: sketch.quantile(0.999),
  count: sketch.count,
});

export const distributionOf = (sketch: Sketch): Distribution => ({
  buckets: sketch.buckets(),
  ...quantilesOf(sketch),
});

/** Adds distributions that are already merged; `all` are as many as there are classes. */
export async function totalTimes(all: Iterable<Times>): Promise<Times> {
  const total = emptyTimes();
  await inTurns(all, ({ holdTimes, waitTimes }) => {
    total.holdTimes.merge(holdTimes);
    for (const source of WAIT_SOURCES) {
      const sketch = waitTimes[source];
      if (sketch) (total.waitTimes[source] ??= createSketch()).merge(sketch);
    }
  });
  return total;
}

export const sourcesOf = ({ waitTimes }: Times): Waits['sources'] =>
  WAIT_SOURCES.map((source) => ({
    source,
    evidence: WAIT_EVIDENCE[source],
    count: waitTimes[source]?.count ?? 0,
  })).filter(({ count }) => count > 0);

/** The same waits, those that were seen apart from those that are inferred. */
export function byEvidence({ waitTimes }: Times): Waits['byEvidence'] {
  return (['observed', 'inferred'] as const).flatMap((evidence) => {
    const sources = WAIT_SOURCES.filter((source) => WAIT_EVIDENCE[source] === evidence);
    const sketch = mergedSketch(sources.map((source) => waitTimes[source]));
    return sketch.count === 0 ? [] : [{ evidence, ...distributionOf(sketch) }];
  });
}

const both = (times: Times): { waits: Quantiles; holds: Quantiles } => ({
  waits: quantilesOf(waitsOf(times)),
  holds: quantilesOf(times.holdTimes),
});

/** One entry for each step: null where it is not known, and of waits also where none can be seen. */
export async function seriesOf(
  { columns, spans }: HeatGrid,
  timesAt: ReadonlyMap<number, Times>,
  seesWaits: boolean,
): Promise<Waits['series']> {
  const series: Waits['series'] = [];
  await inTurns(columns.entries(), ([i, at]) => {
    if (spans[i] === null) return void series.push({ at, waits: null, holds: null });
    const { waits, holds } = both(timesAt.get(at) ?? emptyTimes());
    series.push({ at, waits: seesWaits ? waits : null, holds });
  });
  return series;
}

/** The times before and after `marker`, at the border of the nearest step that is kept; null outside of the range. */
export async function markerOf(
  context: QueryContext,
  figures: Figures,
  { from, to, marker }: WatchedRange & { marker: number | undefined },
): Promise<Waits['marker']> {
  if (marker === undefined) return null;
  const spanMs = spanAt(context, marker);
  const at = downTo(spanMs, marker + spanMs / 2);
  if (at <= from || at >= to) return null;
  const before = await timesWithin(figures, from, at);
  const after = await timesWithin(figures, at, to);
  return { at, before: both(before), after: both(after) };
}

async function timesWithin(figures: Figures, from: number, to: number): Promise<Times> {
  const times = emptyTimes();
  await inTurns(await figures.read({ from, to, stepMs: null }), (rollup) => {
    addTimes([times], rollup);
  });
  return times;
}
