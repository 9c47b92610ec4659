import { dropOf, WANTED_DROP } from '@/lib/analysis/advice-split';
import { nestedPairs, replayGrouped } from '@/lib/analysis/replay-group';
import type { RecordedHold } from '@/lib/analysis/replay-record';
import { withOwners } from '@/lib/analysis/replay-unseen';
import { stableHash } from '@/lib/analysis/stable-hash';
import type { Advice } from '@/lib/protocol/measures';
import { isReproduced, MOST_HOLDS } from './advice-rules';
import {
  percentilesOfMs,
  sampleHolds,
  turn,
  type ClassName,
  type HoldsSample,
} from './advice-sample';
import type { ServerContext } from './query-context';

/** Newest holds of all classes among which pairs are looked for. */
const LOOKED_AT = 2500;
/** Owners that held both at once, of those looked at. */
const LEAST_TIMES = 30;
/** Of the holds of the rarer of both classes, how many are held together with the other. */
const LEAST_SHARE = 0.5;
const MOST_PAIRS = 3;
/** An inner wait counts when it makes up so much of what the outer locks are held. */
const INSIDE_SHARE = 0.1;

/** Two classes of which one owner often holds a lock each at once, the one taken first before the other. */
export interface ClassPair {
  outer: ClassName;
  inner: ClassName;
  /** The outer locks are held while their holders wait for the inner ones. */
  waitsInside: boolean;
}

export const classId = ({ namespace, class: lockClass }: ClassName): string =>
  `${namespace}\n${lockClass}`;

/** Pairs of classes among the newest holds of the range, the most frequent first. */
export async function findPairs(
  context: ServerContext,
  range: { from: number; to: number },
): Promise<ClassPair[]> {
  const { holds, names } = await sampleHolds(context, {}, { ...range, limit: LOOKED_AT });
  await turn();
  const idOf = ({ lock }: RecordedHold): string => {
    const name = names.get(lock);
    return name ? classId(name) : '';
  };
  const classes = new Map([...names.values()].map((name) => [classId(name), name]));
  const counts = Map.groupBy(holds, idOf);
  const found: ClassPair[] = [];
  for (const { outer, inner, times, heldMs, insideMs } of nestedPairs(holds, idOf)) {
    const [outerName, innerName] = [classes.get(outer), classes.get(inner)];
    const rarer = Math.min(counts.get(outer)?.length ?? 0, counts.get(inner)?.length ?? 0);
    if (!outerName || !innerName || times < LEAST_TIMES || times < rarer * LEAST_SHARE) continue;
    const waitsInside = insideMs >= heldMs * INSIDE_SHARE;
    found.push({ outer: outerName, inner: innerName, waitsInside });
  }
  return found.slice(0, MOST_PAIRS);
}

/** Both samples from where both are whole. */
function commonPart(samples: readonly HoldsSample[]): { from: number; holds: RecordedHold[] } {
  const from = Math.max(...samples.map((sample) => sample.from));
  return { from, holds: samples.flatMap(({ holds }) => holds.filter(({ end }) => end >= from)) };
}

/** What taking the locks of both classes as one would bring; null where that is not enough, or not known. */
export async function adviseGroup(
  context: ServerContext,
  { outer, inner }: ClassPair,
  range: { from: number; to: number },
): Promise<Advice | null> {
  const limits = { ...range, limit: MOST_HOLDS };
  const samples = [
    await sampleHolds(context, outer, limits),
    await sampleHolds(context, inner, limits),
  ];
  await turn();
  const { from, holds: seen } = commonPart(samples);
  const isOuter = ({ lock }: RecordedHold): boolean => samples[0]?.names.has(lock) === true;
  const holds = withOwners(seen, isOuter);
  const recordedMs = holds.reduce((sum, { waitedMs }) => sum + waitedMs, 0);
  await turn();
  const { now, grouped, together } = replayGrouped(holds);
  const drop = dropOf(now.waiterMs, grouped.waiterMs);
  if (drop < WANTED_DROP || !isReproduced(recordedMs, now.waiterMs)) return null;
  await turn();
  const spanMs = Math.max(1, range.to - from);
  return {
    id: stableHash(`group\n${classId(outer)}\n${classId(inner)}`),
    kind: 'group',
    namespace: outer.namespace,
    classes: [outer.class, inner.class],
    segments: null,
    contentionNow: now.waiterMs / spanMs,
    contentionThen: grouped.waiterMs / spanMs,
    drop,
    options: [],
    waitMsThen: percentilesOfMs(grouped.waits),
    basis: {
      from,
      to: range.to,
      arrivals: holds.length,
      together,
      recorded: recordedMs / spanMs,
      holdMs: percentilesOfMs(holds.map(({ start, end }) => end - start)),
      waitMs: percentilesOfMs(holds.map(({ waitedMs }) => waitedMs)),
    },
    assumes: 'held-together',
    evidence: samples.some(({ evidence }) => evidence === 'inferred') ? 'inferred' : 'observed',
  };
}
