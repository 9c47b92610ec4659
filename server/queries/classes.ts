import type { ClassPage, LockClass } from '@/lib/protocol/measures';
import type { SketchKind } from '@/server/store/history-contract';
import {
  HOLD_AND_WAIT_SKETCHES,
  percentilesOf,
  sumByClass,
  waiterEvidence,
  waitEvidence,
  waitsOf,
  type ClassSum,
} from './class-sums';
import { inTurns } from './in-turns';
import type { QueryContext } from './query-context';
import { watchedRange, type WatchedRange } from './watched-range';

interface Present {
  class: string;
  namespace: string;
  formats: Set<string>;
  locks: number;
  held: number;
}

const nameOf = (one: { namespace: string; class: string }): string =>
  `${one.namespace}\n${one.class}`;

/** Locks and holds of each class as they are now. */
function presentClasses(context: QueryContext): Map<string, Present> {
  const classes = new Map<string, Present>();
  for (const record of context.table.all()) {
    const name = nameOf(record);
    let present = classes.get(name);
    if (!present) {
      const { class: lockClass, namespace } = record;
      present = { class: lockClass, namespace, formats: new Set(), locks: 0, held: 0 };
      classes.set(name, present);
    }
    present.formats.add(record.format.id);
    present.locks++;
    if (record.state === 'held') present.held++;
  }
  return classes;
}

const NO_SAMPLES = { p50: null, p95: null, p99: null, count: 0 };

function toLockClass(
  windowMs: number,
  sum: ClassSum | undefined,
  present: Present | undefined,
): LockClass {
  const span = Math.max(1, windowMs);
  return {
    class: sum?.class ?? present?.class ?? '',
    namespace: sum?.namespace ?? present?.namespace ?? '',
    formats: [...new Set([...(sum?.formats ?? []), ...(present?.formats ?? [])])].toSorted(),
    held: present?.held ?? 0,
    locks: present?.locks ?? 0,
    acquisitions: sum?.acquisitions ?? 0,
    contention: sum && sum.waiterMs !== null ? sum.waiterMs / span : null,
    holdShare: (sum?.heldMs ?? 0) / span,
    holdMs: sum ? percentilesOf(sum.holdTimes) : NO_SAMPLES,
    waitMs: sum ? percentilesOf(waitsOf(sum)) : NO_SAMPLES,
    evidence: sum ? waiterEvidence(sum) : 'unknown',
    waitMsEvidence: sum ? waitEvidence(sum) : 'unknown',
    ends: sum?.ends ?? {},
  };
}

const byBusiness = (a: LockClass, b: LockClass): number =>
  (b.contention ?? 0) - (a.contention ?? 0) ||
  b.holdShare - a.holdShare ||
  b.acquisitions - a.acquisitions ||
  (a.class < b.class ? -1 : 1);

interface Asked {
  sketches: readonly SketchKind[];
  /** Only this one. */
  name?: { namespace: string; class: string };
}

/** What each class did in the range, the most contended first. */
async function classesWithin(
  context: QueryContext,
  { from, to, watchedFrom }: WatchedRange,
  { sketches, name }: Asked,
): Promise<LockClass[]> {
  const query = { level: 'class', ...name, from, to, stepMs: null, sketches } as const;
  const summed = await sumByClass(await context.history.rollups(query));
  const sums = new Map(summed.map((sum) => [nameOf(sum), sum]));
  const present = presentClasses(context);
  const names = name ? [nameOf(name)] : new Set([...sums.keys(), ...present.keys()]);
  const items: LockClass[] = [];
  await inTurns(names, (each) => {
    items.push(toLockClass(to - watchedFrom, sums.get(each), present.get(each)));
  });
  return items.toSorted(byBusiness);
}

/** The busiest classes of a range. Distributions, which are most of the work, are read of these alone. */
export async function busiestClasses(
  context: QueryContext,
  range: WatchedRange,
  limit: number,
): Promise<LockClass[]> {
  const ranked = await classesWithin(context, range, { sketches: [] });
  const busiest: LockClass[] = [];
  for (const { namespace, class: lockClass } of ranked.slice(0, limit)) {
    const name = { namespace, class: lockClass };
    const asked = { sketches: HOLD_AND_WAIT_SKETCHES, name };
    busiest.push(...(await classesWithin(context, range, asked)));
  }
  return busiest;
}

/** The classes over the last hour or the given range. */
export async function classes(
  context: QueryContext,
  params: { from?: number | undefined; to?: number | undefined },
): Promise<ClassPage> {
  const range = await watchedRange(context, params);
  const items = await classesWithin(context, range, { sketches: HOLD_AND_WAIT_SKETCHES });
  return { from: range.watchedFrom, to: range.to, items };
}
