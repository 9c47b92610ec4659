import { formatTable } from '@/lib/formats';
import type { LockKind } from '@/lib/protocol/lock';
import type { Advice, AdvicePage } from '@/lib/protocol/measures';
import type { AdviceParams } from '@/lib/protocol/queries';
import { adviseGroup, classId, findPairs, type ClassPair } from './advice-group';
import { BUSY_WAITERS, LEAST_WAITS, MOST_CLASSES, type Silence } from './advice-rules';
import { adviseSplit, type HotLock } from './advice-split';
import { noWaitReason, sumByClass, type ClassSum } from './class-sums';
import type { QueryContext } from './query-context';
import { watchedRange } from './watched-range';

/** A lock is hot when so much of its class's waiting is for it alone. */
const HOT_SHARE = 0.25;
/** A class whose waiters nobody sees is busy when so much of the time one of its locks is held. */
const BUSY_HOLD_SHARE = 0.1;
const MOST_UNSEEN = 10;

/** Kinds of which several hold at once. */
const SHARED: readonly LockKind[] = ['semaphore', 'read-write', 'latch'];

interface Range {
  from: number;
  to: number;
}

const waitingOf = ({ waitMs, waiterMs }: { waitMs: number | null; waiterMs: number | null }) =>
  Math.max(waitMs ?? 0, waiterMs ?? 0);

const isShared = ({ formats }: ClassSum): boolean =>
  formatTable.formats.some(({ id, kind }) => formats.has(id) && SHARED.includes(kind));

const isUnseen = (sum: ClassSum): boolean =>
  (sum.waits ?? 0) === 0 && ['polls', 'counted-only'].includes(noWaitReason(sum) ?? '');

/** The locks of a class for which most is waited, or why there is none. */
async function hotLocks(
  context: QueryContext,
  sum: ClassSum,
  range: Range,
): Promise<HotLock[] | Silence> {
  if (isShared(sum)) return 'several-holders';
  if ((sum.waits ?? 0) < LEAST_WAITS) return 'too-few';
  const { namespace, class: lockClass } = sum;
  const query = { level: 'lock', namespace, class: lockClass, stepMs: null, sketches: [] } as const;
  const locks = await context.history.rollups({ ...query, ...range });
  const hot = locks.flatMap((sums): HotLock[] => {
    const isHot = waitingOf(sums) >= waitingOf(sum) * HOT_SHARE && (sums.waits ?? 0) >= LEAST_WAITS;
    return sums.lock && isHot ? [{ lock: sums.lock, sums }] : [];
  });
  return hot.length === 0 ? 'spread' : hot;
}

/** Advice about one class by itself, or why there is none. */
async function adviseClass(
  context: QueryContext,
  sum: ClassSum,
  { range, pairs }: { range: Range; pairs: readonly ClassPair[] },
): Promise<Advice[] | Silence> {
  const hot = await hotLocks(context, sum, range);
  if (!Array.isArray(hot)) return hot;
  const id = classId(sum);
  if (pairs.some(({ outer, waitsInside }) => waitsInside && classId(outer) === id)) {
    return 'waits-inside';
  }
  const advised: Advice[] = [];
  let silence: Silence = 'nothing-helps';
  for (const each of hot) {
    const answer = await adviseSplit(context, each, range);
    if (typeof answer === 'string') silence = answer;
    else advised.push(answer);
  }
  return advised.length === 0 ? silence : advised;
}

async function adviseGroups(
  context: QueryContext,
  pairs: readonly ClassPair[],
  range: Range,
): Promise<{ advice: Advice; pair: ClassPair }[]> {
  const found: { advice: Advice; pair: ClassPair }[] = [];
  for (const pair of pairs) {
    const advice = await adviseGroup(context, pair, range);
    if (advice) found.push({ advice, pair });
  }
  return found;
}

async function adviceOf(context: QueryContext, params: AdviceParams): Promise<AdvicePage> {
  const { watchedFrom: from, to } = await watchedRange(context, params);
  const range = { from, to };
  const query = { level: 'class', stepMs: null, sketches: [] } as const;
  const sums = await sumByClass(await context.history.rollups({ ...query, ...range }));
  const spanMs = Math.max(1, to - from);
  const waiting = sums
    .filter((sum) => !isUnseen(sum) && waitingOf(sum) >= spanMs * BUSY_WAITERS)
    .toSorted((a, b) => waitingOf(b) - waitingOf(a))
    .slice(0, MOST_CLASSES);
  const isAwaited = new Set(waiting.filter((sum) => !isShared(sum)).map(classId));
  const pairs = (waiting.length === 0 ? [] : await findPairs(context, range)).filter(
    ({ outer, inner }) => isAwaited.has(classId(outer)) || isAwaited.has(classId(inner)),
  );
  const groups = await adviseGroups(context, pairs, range);
  const grouped = new Set(groups.flatMap(({ pair }) => [classId(pair.outer), classId(pair.inner)]));
  const items = groups.map(({ advice }) => advice);
  const silent: AdvicePage['silent'] = [];
  for (const sum of waiting) {
    const answer = await adviseClass(context, sum, { range, pairs });
    if (typeof answer !== 'string') items.push(...answer);
    else if (!grouped.has(classId(sum))) silent.push(silenceOf(sum, answer));
  }
  const unseen = sums
    .filter((sum) => isUnseen(sum) && sum.heldMs >= spanMs * BUSY_HOLD_SHARE)
    .toSorted((a, b) => b.heldMs - a.heldMs)
    .slice(0, MOST_UNSEEN);
  silent.push(...unseen.map((sum) => silenceOf(sum, 'waits-unknown')));
  const spared = (advice: Advice): number => advice.contentionNow - advice.contentionThen;
  return { from, to, items: items.toSorted((a, b) => spared(b) - spared(a)), silent };
}

const silenceOf = (
  { class: lockClass, namespace }: ClassSum,
  because: Silence,
): AdvicePage['silent'][number] => ({ class: lockClass, namespace, because });

/**
 * How locks for which much is waited had better be cut, by a replay of what was recorded of them: the last hour by
 * default. Advice is given from a drop of contention by 42 % on; a busy class without one is named with the reason.
 * Answers are remembered for ten seconds. Throws INVALID_INPUT for a range that ends before it begins.
 */
export const advice = (context: QueryContext, params: AdviceParams): Promise<AdvicePage> =>
  context.adviceMemory.contention.get(
    `${params.from ?? ''}…${params.to ?? ''}`,
    context.now(),
    () => adviceOf(context, params),
  );
