import type { ClassPage, LockClass } from '@/lib/protocol/measures';
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

/** Locks and holds of each class as they are now. */
function presentClasses(context: QueryContext): Map<string, Present> {
  const classes = new Map<string, Present>();
  for (const record of context.table.all()) {
    const name = `${record.namespace}\n${record.class}`;
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

/** What each class did in the range, the most contended first. */
export async function classesOf(context: QueryContext, range: WatchedRange): Promise<ClassPage> {
  const { from, to, watchedFrom } = range;
  const rollups = await context.history.rollups({
    ...{ level: 'class', from, to, stepMs: null },
    sketches: HOLD_AND_WAIT_SKETCHES,
  });
  const summed = await sumByClass(rollups);
  const sums = new Map(summed.map((sum) => [`${sum.namespace}\n${sum.class}`, sum]));
  const present = presentClasses(context);
  const items: LockClass[] = [];
  await inTurns(new Set([...sums.keys(), ...present.keys()]), (name) => {
    items.push(toLockClass(to - watchedFrom, sums.get(name), present.get(name)));
  });
  return { from: watchedFrom, to, items: items.toSorted(byBusiness) };
}

/** The classes over the last hour or the given range. */
export async function classes(
  context: QueryContext,
  params: { from?: number | undefined; to?: number | undefined },
): Promise<ClassPage> {
  return await classesOf(context, await watchedRange(context, params));
}
