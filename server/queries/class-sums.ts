import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch, readSketch } from '@/lib/analysis/sketch';
import type { EndReason, Evidence } from '@/lib/protocol/lock';
import type { Percentiles } from '@/lib/protocol/measures';
import type { Rollup } from '@/server/store/store-contract';
import { inTurns } from './in-turns';

export type WaitSource = keyof Rollup['waitSketches'];
export const WAIT_SOURCES: readonly WaitSource[] = ['fair-queue', 'token-time'];

/** A place in a fair queue is seen; the time in a token is its client's word. */
export const WAIT_EVIDENCE: Record<WaitSource, Evidence> = {
  'fair-queue': 'observed',
  'token-time': 'inferred',
};

/** What one class did in a range: rollups added up. */
export interface ClassSum {
  class: string;
  namespace: string;
  formats: Set<string>;
  acquisitions: number;
  heldMs: number;
  /** Waiter-milliseconds; null where waiters cannot be observed. */
  waiterMs: number | null;
  ends: Partial<Record<EndReason, number>>;
  holds: Sketch;
  waits: Partial<Record<WaitSource, Sketch>>;
}

const emptySum = (rollup: Rollup): ClassSum => ({
  class: rollup.class,
  namespace: rollup.namespace,
  formats: new Set(),
  acquisitions: 0,
  heldMs: 0,
  waiterMs: null,
  ends: {},
  holds: createSketch(),
  waits: {},
});

function add(sum: ClassSum, rollup: Rollup): void {
  sum.formats.add(rollup.formatId);
  sum.acquisitions += rollup.acquisitions;
  sum.heldMs += rollup.heldMs;
  if (rollup.waiterMs !== null) sum.waiterMs = (sum.waiterMs ?? 0) + rollup.waiterMs;
  for (const reason of endReasons(rollup.ends)) {
    sum.ends[reason] = (sum.ends[reason] ?? 0) + (rollup.ends[reason] ?? 0);
  }
  if (rollup.holdSketch) sum.holds.merge(readSketch(rollup.holdSketch));
  for (const source of WAIT_SOURCES) {
    const bytes = rollup.waitSketches[source];
    if (bytes) (sum.waits[source] ??= createSketch()).merge(readSketch(bytes));
  }
}

/** The keys of an `ends` record are end reasons: `Object.keys` forgets that. */
export const endReasons = (ends: Partial<Record<EndReason, number>>): EndReason[] =>
  Object.keys(ends) as EndReason[];

/** One sum for each (namespace, class). */
export async function sumByClass(rollups: readonly Rollup[]): Promise<ClassSum[]> {
  const sums = new Map<string, ClassSum>();
  await inTurns(rollups, (rollup) => {
    const name = `${rollup.namespace}\n${rollup.class}`;
    const sum = sums.get(name) ?? emptySum(rollup);
    sums.set(name, sum);
    add(sum, rollup);
  });
  return [...sums.values()];
}

export const percentilesOf = (sketch: Sketch): Percentiles => ({
  p50: sketch.quantile(0.5),
  p95: sketch.quantile(0.95),
  p99: sketch.quantile(0.99),
  count: sketch.count,
});

export function mergedSketch(sketches: Iterable<Sketch | undefined>): Sketch {
  const merged = createSketch();
  for (const sketch of sketches) if (sketch) merged.merge(sketch);
  return merged;
}

/** All waits of a sum, whatever their source. */
export const waitsOf = (sum: ClassSum): Sketch =>
  mergedSketch(WAIT_SOURCES.map((source) => sum.waits[source]));

/** How well the waits of a sum are known; the weaker source decides. */
export function waitEvidence(sum: ClassSum): Evidence {
  if (sum.waits['token-time']) return 'inferred';
  return sum.waits['fair-queue'] || sum.waiterMs !== null ? 'observed' : 'unknown';
}
