import {
  adviseLeaseOf,
  WANTED_MS,
  type LeaseAdviceOf,
  type LeaseEvidence,
} from '@/lib/analysis/timeout';
import type { RecentHolds } from '@/lib/analysis/timeout-burst';
import { formatTable } from '@/lib/formats';
import { qoder } from '@/lib/formats/qoder';
import type { PublishedLease, TimeoutAdvice, TimeoutsPage } from '@/lib/protocol/advice';
import type { LockKind } from '@/lib/protocol/lock';
import { classId } from './advice-group';
import {
  placeId,
  publishedBefore,
  publishLine,
  readPublished,
  type Published,
} from './advice-published';
import type { ClassSum } from './class-sums';
import { gapMsWithin, gapsWithin } from './gaps';
import { inTurns } from './in-turns';
import type { QueryContext, ServerContext } from './query-context';
import {
  cutOf,
  holdsOfWork,
  keepsOnPurpose,
  leasesByClass,
  recentHolds,
  weekRange,
  weekSums,
  type ClassLeases,
} from './timeout-evidence';
import type { WatchedRange } from './watched-range';

/** Classes told of, the most used first. */
const MOST_CLASSES = 500;
/** Classes whose holds are looked at one by one. */
const MOST_SINGLE_CLASSES = 10;
/** Seed: a retry that comes before the other's lock has timed out meets it still held. */
const RETRY_PER_TIMEOUT = 1.5;

/** Kinds of which several hold at once: the key's hold is then nobody's own. */
const SHARED: ReadonlySet<LockKind> = new Set(['semaphore', 'read-write', 'latch']);
const SHARED_FORMATS = new Set(
  formatTable.formats.filter(({ kind }) => SHARED.has(kind)).map(({ id }) => id),
);

type Silent = TimeoutsPage['silent'][number];

/** What all classes are judged with. */
interface Basis {
  range: WatchedRange;
  coveredMs: number;
  jitterMs: number | null;
  recent: ReadonlyMap<string, RecentHolds[]>;
  leases: ReadonlyMap<string, ClassLeases>;
  now: number;
}

interface Judged {
  sum: ClassSum;
  evidence: LeaseEvidence;
  advice: LeaseAdviceOf;
  sampled?: number;
}

export function retryOf({
  config: { provider },
}: {
  config: Pick<ServerContext['config'], 'provider'>;
}): TimeoutsPage['retry'] {
  const { lockTimeoutMs, retryDelayMs, file } = provider;
  const leastMs = Math.ceil(lockTimeoutMs * RETRY_PER_TIMEOUT);
  return { timeoutMs: lockTimeoutMs, delayMs: retryDelayMs, leastMs, file };
}

function jitterOf({ watch }: ServerContext): TimeoutsPage['jitter'] {
  const { roundTrip } = watch.status();
  return roundTrip ? { ...roundTrip, ms: roundTrip.p99Ms - roundTrip.p50Ms } : null;
}

const silence = (
  { class: lockClass, namespace, holdTimes }: ClassSum,
  because: Silent['because'],
): Silent => ({ class: lockClass, namespace, because, holds: holdTimes.count });

function evidenceOf(
  sum: ClassSum,
  basis: Basis,
  holds: Pick<LeaseEvidence, 'holds' | 'cut'>,
): LeaseEvidence {
  const { recent, leases, coveredMs, jitterMs } = basis;
  const seen = leases.get(classId(sum));
  return {
    ...holds,
    // The sums of a class that keeps locks on purpose count that time as held, in a window as in a week.
    recent: keepsOnPurpose(sum) ? [] : (recent.get(classId(sum)) ?? []),
    ...{ coveredMs, jitterMs },
    leaseMs: seen?.leaseMs?.usual ?? null,
    renewal: seen?.renewal ?? null,
    renewsByThirds: sum.formats.has(qoder.id),
  };
}

/** A class by its sums, or where these tell nothing of the work, by its newest holds one by one. */
async function judge(
  context: QueryContext,
  sum: ClassSum,
  { basis, mayLookClosely }: { basis: Basis; mayLookClosely: boolean },
): Promise<Judged | Silent> {
  if ([...sum.formats].some((id) => SHARED_FORMATS.has(id))) return silence(sum, 'several-holders');
  const { count } = sum.holdTimes;
  let holds = { holds: sum.holdTimes, cut: Math.min(count, cutOf(sum)) };
  let sampled: number | undefined;
  if (keepsOnPurpose(sum)) {
    if (!mayLookClosely) return silence(sum, 'kept-on-purpose');
    const { seen, ...single } = await holdsOfWork(context, sum, basis.range);
    if (single.holds.count === 0 && seen > 0) return silence(sum, 'kept-on-purpose');
    holds = single;
    sampled = single.holds.count;
  }
  const evidence = evidenceOf(sum, basis, holds);
  const advice = adviseLeaseOf(evidence, basis.now);
  if (typeof advice === 'string') return silence(sum, advice);
  return { sum, evidence, advice, ...(sampled !== undefined && { sampled }) };
}

function toItem(
  { sum, evidence, advice, sampled }: Judged,
  { leases }: Basis,
  { published, dbs, url }: { published: Published; dbs: readonly number[]; url: string },
): TimeoutAdvice {
  const { recommendedMs, rule, verdict, confidence, burst, crash } = advice;
  const { p50Ms: p50, p99Ms: p99, lowMs: low, highMs: high, isAtLeast } = advice;
  const seen = leases.get(classId(sum));
  const places = sum.formats.has(qoder.id)
    ? published.placesOf(sum, seen && seen.dbs.size > 0 ? seen.dbs : dbs)
    : null;
  return {
    namespace: sum.namespace,
    class: sum.class,
    formats: [...sum.formats].toSorted(),
    ...{ recommendedMs, rule, verdict, confidence, burst, crash },
    leaseMs: seen?.leaseMs ?? null,
    holdMs: { p50, p99, low, high, count: evidence.holds.count, cut: evidence.cut, isAtLeast },
    ...(sampled !== undefined && { sampled }),
    renewal: evidence.renewal,
    publish:
      places?.map((place) => ({
        ...place,
        nowMs: published.leases.get(placeId(place)) ?? null,
        command: publishLine(url, { ...place, leaseMs: recommendedMs }),
      })) ?? null,
    // How long a hold lasted is seen; what its work would have needed where it was cut is not.
    evidence: isAtLeast || sampled !== undefined ? 'inferred' : 'observed',
  };
}

const RANK: Record<TimeoutAdvice['verdict'], number> = {
  'too-short': 0,
  'too-long': 1,
  fits: 2,
  unknown: 3,
};

const costOf = ({ crash, holdMs }: TimeoutAdvice): number =>
  ((crash.nowMs ?? 0) - crash.thenMs) * holdMs.count;

const bySeverity = (a: TimeoutAdvice, b: TimeoutAdvice): number =>
  RANK[a.verdict] - RANK[b.verdict] || costOf(b) - costOf(a) || (a.class < b.class ? -1 : 1);

async function basisOf(context: QueryContext): Promise<Basis> {
  const now = context.now();
  const range = await weekRange(context);
  const gaps = await gapsWithin(context, range.watchedFrom, range.to);
  return {
    range,
    coveredMs: range.to - range.watchedFrom - gapMsWithin(gaps, range.watchedFrom, range.to),
    jitterMs: jitterOf(context)?.ms ?? null,
    recent: await recentHolds(context, now),
    leases: await leasesByClass(context.table),
    now,
  };
}

async function judgeAll(
  context: QueryContext,
  sums: readonly ClassSum[],
  basis: Basis,
): Promise<{ judged: Judged[]; silent: Silent[] }> {
  const judged: Judged[] = [];
  const silent: Silent[] = [];
  let looked = 0;
  for (const sum of sums) {
    const mayLookClosely = looked < MOST_SINGLE_CLASSES;
    if (keepsOnPurpose(sum)) looked += 1;
    const answer = await judge(context, sum, { basis, mayLookClosely });
    if ('because' in answer) silent.push(answer);
    else judged.push(answer);
  }
  return { judged, silent };
}

/** What this console published, is there as it wrote it, and is recommended no more. */
async function staleOf(
  context: ServerContext,
  published: Published,
  items: readonly TimeoutAdvice[],
): Promise<PublishedLease[]> {
  const wanted = new Set(items.flatMap(({ publish }) => publish ?? []).map(placeId));
  const before = await publishedBefore(context);
  return before.filter(
    (lease) =>
      !wanted.has(placeId(lease)) && published.leases.get(placeId(lease)) === lease.leaseMs,
  );
}

async function timeoutsOf(context: QueryContext): Promise<TimeoutsPage> {
  const basis = await basisOf(context);
  const { range, coveredMs } = basis;
  const all = await weekSums(context, range);
  const used = all
    .filter(({ holdTimes }) => holdTimes.count > 0)
    .toSorted((a, b) => b.holdTimes.count - a.holdTimes.count);
  const { judged, silent } = await judgeAll(context, used.slice(0, MOST_CLASSES), basis);
  const ours = judged.filter(({ sum }) => sum.formats.has(qoder.id));
  const dbs = context.watch.status().dbs;
  const before = await publishedBefore(context);
  const namespaces = [
    ...ours.map(({ sum }) => sum.namespace),
    ...before.flatMap(({ hash }) => hash.split(':').slice(2).join(':') || []),
  ];
  const published = await readPublished(context, namespaces, [
    ...dbs,
    ...before.map(({ db }) => db),
  ]);
  const items: TimeoutAdvice[] = [];
  const { url } = context.config.redis;
  await inTurns(judged, (one) => void items.push(toItem(one, basis, { published, dbs, url })));
  const { unreadable } = published;
  return {
    ...{ from: range.watchedFrom, to: range.to, coveredMs, wantedMs: WANTED_MS },
    jitter: jitterOf(context),
    items: items.toSorted(bySeverity),
    silent,
    leftOut: Math.max(0, used.length - MOST_CLASSES),
    retry: retryOf(context),
    stale: await staleOf(context, published, items),
    ...(unreadable && {
      unreadable: { message: unreadable.text, sentences: unreadable.sentences },
    }),
  };
}

/**
 * For how long each class should lease its locks, from the holds of the last seven days and the jitter of the network, with
 * what is published of that for the lock clients. Answers are remembered for ten seconds; what is usual in the week
 * for five minutes, and bursts are seen within ten seconds.
 */
export const timeouts = (context: QueryContext): Promise<TimeoutsPage> =>
  context.adviceMemory.timeouts.get('', context.now(), () => timeoutsOf(context));
