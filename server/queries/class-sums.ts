import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch, readSketch } from '@/lib/analysis/sketch';
import { formatTable } from '@/lib/formats';
import { pattern } from '@/lib/formats/pattern';
import type { EndReason, Evidence } from '@/lib/protocol/lock';
import type { Percentiles, Waits } from '@/lib/protocol/measures';
import type { Rollup } from '@/server/store/store-contract';
import { inTurns } from './in-turns';

export type WaitSource = keyof Rollup['waitSketches'];
export const WAIT_SOURCES: readonly WaitSource[] = ['fair-queue', 'report', 'token-time'];

/** A place in a queue is seen and a report was measured; the time in a token is its client's word alone. */
export const WAIT_EVIDENCE: Record<WaitSource, Evidence> = {
  'fair-queue': 'observed',
  report: 'observed',
  'token-time': 'inferred',
};

type NoWaitReason = Waits['notObservable'][number]['reason'];

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

/**
 * One sum for each (namespace, class). A declared key is of no known library until its value is read: where others of
 * its class are, that is left out of `formats`.
 */
export async function sumByClass(rollups: readonly Rollup[]): Promise<ClassSum[]> {
  const sums = new Map<string, ClassSum>();
  await inTurns(rollups, (rollup) => {
    const name = `${rollup.namespace}\n${rollup.class}`;
    const sum = sums.get(name) ?? emptySum(rollup);
    sums.set(name, sum);
    add(sum, rollup);
  });
  for (const { formats } of sums.values()) if (formats.size > 1) formats.delete(pattern.id);
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

/** How well the number of waiters of a sum is known; the weaker source decides. */
export function waiterEvidence(sum: ClassSum): Evidence {
  if (sum.waits['token-time']) return 'inferred';
  return sum.waits['fair-queue'] || sum.waits.report || sum.waiterMs !== null
    ? 'observed'
    : 'unknown';
}

/** Why no single wait of a sum can be seen; null when waits are timed. */
export function noWaitReason(sum: ClassSum): NoWaitReason | null {
  if (WAIT_SOURCES.some((source) => sum.waits[source])) return null;
  // History may name a format that this version does not know: of that nothing is known.
  const formats = formatTable.formats.filter(({ id }) => sum.formats.has(id));
  const ways: string[] = formats.map(({ waiters }) => waiters);
  if (formats.length < sum.formats.size) ways.push('poll');
  // Values of another type may have waiters of another kind; a sum in which some were counted had these.
  if (sum.waiterMs === null) {
    ways.push(
      ...formats.flatMap(({ byType }) => Object.values(byType ?? {}).map((of) => of.waiters)),
    );
  }
  if (ways.includes('poll')) return 'polls';
  if (ways.includes('pubsub')) return 'counted-only';
  return ways.includes('fair-queue') ? null : 'never-waits';
}

/** How well the waits of a sum are known. That a library never waits is known of it, and not seen. */
export function waitEvidence(sum: ClassSum): Evidence {
  const reason = noWaitReason(sum);
  if (reason !== null) return reason === 'never-waits' ? 'inferred' : 'unknown';
  return sum.waits['token-time'] ? 'inferred' : 'observed';
}
