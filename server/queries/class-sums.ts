import type { Sketch } from '@/lib/analysis/analysis-contract';
import { createSketch, mergeBytes } from '@/lib/analysis/sketch';
import { formatTable } from '@/lib/formats';
import { pattern } from '@/lib/formats/pattern';
import { WAIT_SOURCES } from '@/lib/protocol/closed-sets';
import type { Evidence } from '@/lib/protocol/lock';
import type { Percentiles, WaitSource, Waits } from '@/lib/protocol/measures';
import type { Rollup, SketchKind, Sums } from '@/server/store/history-contract';
import { addSums, emptySums } from '@/server/store/sums';
import { inTurns } from './in-turns';

/** The distributions from which holds and waits are told. */
export const HOLD_AND_WAIT_SKETCHES: readonly SketchKind[] = ['hold', ...WAIT_SOURCES];

/** A place in a queue is seen and a report was measured; the time in a token is its client's word alone. */
export const WAIT_EVIDENCE: Record<WaitSource, Evidence> = {
  'fair-queue': 'observed',
  report: 'observed',
  'token-time': 'inferred',
};

const FORMATS = new Map(formatTable.formats.map((format) => [format.id, format]));

type NoWaitReason = Waits['notObservable'][number]['reason'];

/** What one class did in a range: rollups added up. */
export interface ClassSum extends Sums {
  class: string;
  namespace: string;
  formats: Set<string>;
  holdTimes: Sketch;
  /** Of each source that timed a wait. */
  waitTimes: Partial<Record<WaitSource, Sketch>>;
}

/** Distributions into which those of rollups are merged. */
export type Times = Pick<ClassSum, 'holdTimes' | 'waitTimes'>;

export const emptyTimes = (): Times => ({ holdTimes: createSketch(), waitTimes: {} });

/** Merges the distributions of a rollup into each of `all`. Throws INTERNAL for bytes that no sketch wrote. */
export function addTimes(all: readonly Times[], { sketches }: Pick<Rollup, 'sketches'>): void {
  if (sketches.hold) {
    mergeBytes(
      sketches.hold,
      all.map(({ holdTimes }) => holdTimes),
    );
  }
  for (const source of WAIT_SOURCES) {
    const bytes = sketches[source];
    if (!bytes) continue;
    mergeBytes(
      bytes,
      all.map(({ waitTimes }) => (waitTimes[source] ??= createSketch())),
    );
  }
}

const nameOf = ({ namespace, class: lockClass }: Pick<Rollup, 'namespace' | 'class'>): string =>
  `${namespace}\n${lockClass}`;

const emptySum = ({ class: lockClass, namespace }: Rollup): ClassSum => ({
  class: lockClass,
  namespace,
  formats: new Set(),
  ...emptySums(),
  ...emptyTimes(),
});

/**
 * One sum for each (namespace, class). A declared key is of no known library until its value is read: where others of
 * its class are, that is left out of `formats`. `beside` names further distributions that a rollup is merged into.
 */
export async function sumByClass(
  rollups: readonly Rollup[],
  beside?: (rollup: Rollup) => Times,
): Promise<ClassSum[]> {
  const sums = new Map<string, ClassSum>();
  await inTurns(rollups, (rollup) => {
    const name = nameOf(rollup);
    const sum = sums.get(name) ?? emptySum(rollup);
    sums.set(name, sum);
    sum.formats.add(rollup.formatId);
    addSums(sum, rollup);
    addTimes(beside ? [sum, beside(rollup)] : [sum], rollup);
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

/** All waits, whatever their source. */
export function waitsOf({ waitTimes }: Pick<Times, 'waitTimes'>): Sketch {
  const [first, ...rest] = WAIT_SOURCES.flatMap((source) => waitTimes[source] ?? []);
  return first && rest.length === 0 ? first : mergedSketch([first, ...rest]);
}

/** How well the number of waiters of a sum is known; the weaker source decides. */
export function waiterEvidence({
  waitTimes,
  waiterMs,
}: Pick<ClassSum, 'waitTimes' | 'waiterMs'>): Evidence {
  if (waitTimes['token-time']) return 'inferred';
  return waitTimes['fair-queue'] || waitTimes.report || waiterMs !== null ? 'observed' : 'unknown';
}

/** Why no single wait of a sum can be seen; null when waits are timed. */
export function noWaitReason(
  sum: Pick<ClassSum, 'waitTimes' | 'waiterMs' | 'formats'>,
): NoWaitReason | null {
  if (WAIT_SOURCES.some((source) => sum.waitTimes[source])) return null;
  const formats = [...sum.formats].flatMap((id) => FORMATS.get(id) ?? []);
  const ways: string[] = formats.map(({ waiters }) => waiters);
  // History may name a format that this version does not know: of that nothing is known.
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
  return sum.waitTimes['token-time'] ? 'inferred' : 'observed';
}

/** Classes that never wait say nothing of those that may. */
export function evidenceOf(sums: readonly ClassSum[]): Evidence {
  const waiting = sums.filter((sum) => noWaitReason(sum) !== 'never-waits');
  const all = (waiting.length > 0 ? waiting : sums).map(waitEvidence);
  if (all.includes('inferred')) return 'inferred';
  return all.includes('observed') ? 'observed' : 'unknown';
}
