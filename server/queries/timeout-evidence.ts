import { createSketch, mergeBytes } from '@/lib/analysis/sketch';
import type { Sketch } from '@/lib/analysis/analysis-contract';
import { WANTED_MS } from '@/lib/analysis/timeout';
import {
  BURST_LOOKS_BACK_MS,
  BURST_WINDOW_MS,
  type RecentHolds,
} from '@/lib/analysis/timeout-burst';
import { formatTable } from '@/lib/formats';
import type { EndReason } from '@/lib/protocol/lock';
import { isMeasured } from '@/server/state/hold-end';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Sums } from '@/server/store/history-contract';
import { classId } from './advice-group';
import { sampleRows, type ClassName } from './advice-sample';
import { sumByClass, type ClassSum } from './class-sums';
import { inTurns } from './in-turns';
import type { QueryContext } from './query-context';
import { spanAt, watchedRange, type WatchedRange } from './watched-range';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Who hands a lock over grants it for so long at first, until the next holder has answered. */
const HANDED_OVER_MS = 1_500;
/** Leases looked at for each class. */
const MOST_LEASES = 2_000;
/** Single holds of a class whose sums tell nothing of its work. */
const MOST_SINGLE = 5_000;

/** Ends by which a hold was cut: its work was not over. Those that a gap hides have no length either. */
const CUT_REASONS: readonly EndReason[] = [
  'lease-ended',
  'overwritten',
  'evicted',
  'vanished',
  'force-released',
];

export const cutOf = ({ ends }: Pick<Sums, 'ends'>): number =>
  CUT_REASONS.reduce((count, reason) => count + (ends[reason] ?? 0), 0);

export const weekRange = (context: QueryContext): Promise<WatchedRange> =>
  watchedRange(context, {}, WANTED_MS);

/** What each class did in the last seven days; remembered for five minutes, and within the first day not at all. */
export function weekSums(
  context: QueryContext,
  { from, to, watchedFrom }: WatchedRange,
): Promise<ClassSum[]> {
  const compute = async (): Promise<ClassSum[]> => {
    const query = { level: 'class', stepMs: null, sketches: ['hold'] } as const;
    return await sumByClass(await context.history.rollups({ ...query, from, to }));
  };
  const isYoung = to - watchedFrom < DAY_MS;
  return isYoung ? compute() : context.adviceMemory.week.get('', context.now(), compute);
}

/** The last hour of each class in windows of five minutes, counted back from now. */
export async function recentHolds(
  context: QueryContext,
  now: number,
): Promise<Map<string, RecentHolds[]>> {
  const from = now - BURST_LOOKS_BACK_MS;
  const stepMs = Math.max(MINUTE_MS, spanAt(context, from));
  const query = { level: 'class', stepMs, sketches: ['hold'] } as const;
  const begin = Math.floor(from / stepMs) * stepMs;
  const windows = new Map<string, Map<number, RecentHolds>>();
  await inTurns(await context.history.rollups({ ...query, from: begin, to: now }), (rollup) => {
    const age = Math.floor(Math.max(0, now - rollup.step) / BURST_WINDOW_MS);
    const ofClass = windows.get(classId(rollup)) ?? new Map<number, RecentHolds>();
    windows.set(classId(rollup), ofClass);
    const to = now - age * BURST_WINDOW_MS;
    const window = ofClass.get(age) ?? { to, holds: createSketch(), cut: 0 };
    ofClass.set(age, window);
    if (rollup.sketches.hold) mergeBytes(rollup.sketches.hold, [window.holds]);
    window.cut = Math.min(window.holds.count, window.cut + cutOf(rollup));
  });
  return new Map([...windows].map(([id, ofClass]) => [id, [...ofClass.values()]]));
}

/** What the lock table shows of the leases of one class. */
export interface ClassLeases {
  leaseMs: { least: number; usual: number; most: number; count: number } | null;
  renewal: { intervalMs: number; share: number } | null;
  /** Dbs in which its locks are. */
  dbs: ReadonlySet<number>;
}

interface Seen {
  leases: number[];
  intervals: number[];
  holds: number;
  renewed: number;
  dbs: Set<number>;
}

const medianOf = (sorted: readonly number[]): number => sorted[(sorted.length - 1) >> 1] ?? 0;

const isUsualLease = ({ leaseMs, notes }: HoldRecord, { format }: LockRecord): boolean =>
  leaseMs !== null &&
  !notes.has('lease-shortened') &&
  !notes.has('finished-kept') &&
  !(format.handsOver === true && leaseMs <= HANDED_OVER_MS);

function addLock(seen: Seen, lock: LockRecord): void {
  seen.dbs.add(lock.db);
  for (const hold of [...(lock.hold ? [lock.hold] : []), ...lock.ended]) {
    if (seen.holds >= MOST_LEASES) return;
    seen.holds += 1;
    if (hold.renewals > 0) seen.renewed += 1;
    if (hold.renewalIntervalMs !== null) seen.intervals.push(hold.renewalIntervalMs);
    if (hold.leaseMs !== null && isUsualLease(hold, lock)) seen.leases.push(hold.leaseMs);
  }
}

function toLeases({ leases, intervals, holds, renewed, dbs }: Seen): ClassLeases {
  const sorted = leases.toSorted((a, b) => a - b);
  const [least] = sorted;
  const most = sorted.at(-1);
  const isSeen = least !== undefined && most !== undefined;
  return {
    leaseMs: isSeen ? { least, usual: medianOf(sorted), most, count: sorted.length } : null,
    renewal:
      intervals.length > 0
        ? {
            intervalMs: medianOf(intervals.toSorted((a, b) => a - b)),
            share: renewed / holds,
          }
        : null,
    dbs,
  };
}

/** Leases and renewals of the holds that the table still knows, by class. */
export async function leasesByClass(
  table: Pick<QueryContext['table'], 'all'>,
): Promise<Map<string, ClassLeases>> {
  const classes = new Map<string, Seen>();
  await inTurns(table.all(), (lock) => {
    const id = classId(lock);
    let seen = classes.get(id);
    if (!seen) {
      seen = { leases: [], intervals: [], holds: 0, renewed: 0, dbs: new Set() };
      classes.set(id, seen);
    }
    addLock(seen, lock);
  });
  return new Map([...classes].map(([id, seen]) => [id, toLeases(seen)]));
}

/** Formats that keep a lock after the work: the sums of their holds count that time as held. */
const KEEPS_ON_PURPOSE = new Set(
  formatTable.formats
    .filter(({ shorterLeaseMeansFinished }) => shorterLeaseMeansFinished)
    .map(({ id }) => id),
);

export const keepsOnPurpose = ({ formats }: Pick<ClassSum, 'formats'>): boolean =>
  [...formats].some((id) => KEEPS_ON_PURPOSE.has(id));

/** The newest holds of a class one by one, without those that were kept after the work. */
export async function holdsOfWork(
  context: QueryContext,
  { namespace, class: lockClass }: ClassName,
  { from, to }: { from: number; to: number },
): Promise<{ holds: Sketch; cut: number; seen: number }> {
  const subject = { namespace, class: lockClass };
  const { rows } = await sampleRows(context, subject, { from, to, limit: MOST_SINGLE });
  const holds = createSketch();
  let cut = 0;
  await inTurns(rows, ({ past: { start, end, endReason, notes } }) => {
    if (end === null || notes.includes('finished-kept')) return;
    if (notes.length > 0 && !isMeasured({ notes: new Set(notes) })) return;
    holds.add(end - start);
    if (endReason !== null && CUT_REASONS.includes(endReason)) cut += 1;
  });
  return { holds, cut, seen: rows.length };
}
