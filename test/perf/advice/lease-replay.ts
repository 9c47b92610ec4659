import { createSketch } from '@/lib/analysis/sketch';
import type { Sketch } from '@/lib/analysis/analysis-contract';
import { adviseLeaseOf, LEAST_LEASE_MS } from '@/lib/analysis/timeout';
import {
  BURST_LOOKS_BACK_MS,
  BURST_WINDOW_MS,
  type RecentHolds,
} from '@/lib/analysis/timeout-burst';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  worksOf,
  type LeaseWorkload,
  type Work,
} from './lease-workloads';

const HISTORY_DAYS = 7;
/** What the console remembers of the week for so long (`advice-memory.ts`). */
const WEEK_EVERY_MS = 5 * MINUTE_MS;
/** Lock clients read what is published again after so long (`lease-advice.ts`). */
const READ_EVERY_MS = 30_000;
/** One hold in so many ends with the death of its holder. */
const CRASHES = 1 / 200;
/** Stalls in a second of holding: one a minute. */
const STALLS_PER_MS = 1 / MINUTE_MS;
/** p99 − p50 of round trips, as within one data centre. */
const JITTER_MS = 1.5;
const THIRDS = 3;

/** The lease that a hold of that time gets. */
type Lease = (at: number) => number;

export interface Fate {
  /** How long the lock stayed held after its holder died; null = nobody died. */
  afterCrashMs: number | null;
  /** The lease ended under a holder that lived. */
  isLost: boolean;
  /** As the recorder sees it. */
  heldMs: number;
  isCut: boolean;
}

/** What becomes of one hold under a lease, renewed at each third of it while its holder lives, or not at all. */
export function fateOf({ workMs, fate }: Work, leaseMs: number, isRenewed = true): Fate {
  const everyMs = leaseMs / THIRDS;
  const renewedAt = (ms: number): number => (isRenewed ? Math.floor(ms / everyMs) * everyMs : 0);
  if (fate.crash < CRASHES) {
    const diedMs = fate.when * workMs;
    if (isRenewed || diedMs < leaseMs) {
      const heldMs = renewedAt(diedMs) + leaseMs;
      return { afterCrashMs: heldMs - diedMs, isLost: false, heldMs, isCut: true };
    }
  }
  if (!isRenewed && workMs > leaseMs) {
    return { afterCrashMs: null, isLost: true, heldMs: leaseMs, isCut: true };
  }
  // No renewal is sent while the holder stands still.
  const stallAt = fate.stallAt * workMs;
  const isStalled = fate.stall < workMs * STALLS_PER_MS;
  const endMs = renewedAt(stallAt) + leaseMs;
  if (isStalled && stallAt + fate.stallMs > endMs) {
    return { afterCrashMs: null, isLost: true, heldMs: endMs, isCut: true };
  }
  const heldMs = workMs + (isStalled ? fate.stallMs : 0);
  return { afterCrashMs: null, isLost: false, heldMs, isCut: false };
}

interface Bucket {
  holds: Sketch;
  cut: number;
}

const emptyBucket = (): Bucket => ({ holds: createSketch(), cut: 0 });

function merged(buckets: Iterable<Bucket | undefined>): Bucket {
  const sum = emptyBucket();
  for (const bucket of buckets) {
    if (!bucket) continue;
    sum.holds.merge(bucket.holds);
    sum.cut += bucket.cut;
  }
  return sum;
}

/**
 * What the console would recommend as time goes on: it knows holds that are over, no others. Its week is renewed every
 * five minutes, its last hour every minute, and clients read what is published half a minute later.
 */
export function createFollower() {
  const hours = new Map<number, Bucket>();
  const minutes = new Map<number, Bucket>();
  const open: { end: number; heldMs: number; isCut: boolean }[] = [];
  let lease: { at: number; ms: number } | null = null;
  let week: { at: number; sum: Bucket } | null = null;

  const add = (into: Map<number, Bucket>, index: number, heldMs: number, isCut: boolean): void => {
    const bucket = into.get(index) ?? emptyBucket();
    into.set(index, bucket);
    bucket.holds.add(heldMs);
    if (isCut) bucket.cut += 1;
  };

  /** Takes in what has ended by `now`. */
  const settle = (now: number): void => {
    for (let i = open.length - 1; i >= 0; i--) {
      const hold = open[i];
      if (!hold || hold.end > now) continue;
      open.splice(i, 1);
      add(hours, Math.floor(hold.end / HOUR_MS), hold.heldMs, hold.isCut);
      add(minutes, Math.floor(hold.end / MINUTE_MS), hold.heldMs, hold.isCut);
    }
  };

  const weekAt = (now: number): Bucket => {
    if (week && now - week.at < WEEK_EVERY_MS) return week.sum;
    const last = Math.floor(now / HOUR_MS);
    const wanted = Array.from({ length: HISTORY_DAYS * 24 + 1 }, (_, n) => hours.get(last - n));
    week = { at: now, sum: merged(wanted) };
    return week.sum;
  };

  const recentAt = (now: number): RecentHolds[] =>
    Array.from({ length: BURST_LOOKS_BACK_MS / BURST_WINDOW_MS }, (_, age) => {
      const to = now - age * BURST_WINDOW_MS;
      const last = Math.floor(to / MINUTE_MS) - 1;
      const steps = Array.from({ length: BURST_WINDOW_MS / MINUTE_MS }, (_step, n) => last - n);
      return { to, ...merged(steps.map((step) => minutes.get(step))) };
    });

  return {
    /** A hold that began at `at` and is over `heldMs` later. */
    record: (at: number, { heldMs, isCut }: Fate): void =>
      void open.push({ end: at + heldMs, heldMs, isCut }),
    /** The lease that a client uses at `at`, when its lease was `usedMs` before. */
    leaseAt: (at: number, usedMs: number): number => {
      const now = Math.floor((at - READ_EVERY_MS) / MINUTE_MS) * MINUTE_MS;
      if (lease && lease.at === now) return lease.ms;
      settle(now);
      const { holds, cut } = weekAt(now);
      const advice = adviseLeaseOf(
        {
          ...{ holds, cut, recent: recentAt(now), coveredMs: HISTORY_DAYS * DAY_MS },
          ...{ jitterMs: JITTER_MS, leaseMs: usedMs, renewal: null, renewsByThirds: true },
        },
        now,
      );
      lease = { at: now, ms: typeof advice === 'string' ? usedMs : advice.recommendedMs };
      return lease.ms;
    },
  };
}

export interface LeaseSums {
  afterCrashMs: number;
  crashes: number;
  holds: number;
  lost: number;
  /** The same without renewal: what is lost when only the length of the lease protects. */
  lostUnrenewed: number;
}

export interface LeaseOutcome {
  /** Under the lease that services get by default, 30 s. */
  byDefault: LeaseSums;
  /** Under ten times the mean of the class, and no less than the least that is advised. */
  byMean: LeaseSums;
  /** Under what is recommended, as it moves. */
  advised: LeaseSums;
  leaseMs: { byMean: number; least: number; most: number };
}

const DEFAULT_LEASE_MS = 30_000;
const MEANS = 10;

const emptySums = (): LeaseSums => ({
  ...{ afterCrashMs: 0, crashes: 0, holds: 0, lost: 0, lostUnrenewed: 0 },
});

function add(sums: LeaseSums, work: Work, leaseMs: number): void {
  const { afterCrashMs, isLost } = fateOf(work, leaseMs);
  sums.holds += 1;
  sums.lost += isLost ? 1 : 0;
  sums.lostUnrenewed += fateOf(work, leaseMs, false).isLost ? 1 : 0;
  if (afterCrashMs === null) return;
  sums.crashes += 1;
  sums.afterCrashMs += afterCrashMs;
}

/**
 * A week is recorded under the lease of 30 s, then another day comes, held under each of the three leases. The mean is
 * that of the recorded week.
 */
export function replayLeases(
  workload: LeaseWorkload,
  options: { perSecond: number; seed: number; days: number },
): LeaseOutcome {
  const follower = createFollower();
  const [byDefault, byMean, advised] = [emptySums(), emptySums(), emptySums()];
  const from = HISTORY_DAYS * DAY_MS;
  let [count, totalMs, usedMs] = [0, 0, DEFAULT_LEASE_MS];
  const leases = { least: Infinity, most: 0 };
  const meanLease: Lease = () => Math.max(LEAST_LEASE_MS, (MEANS * totalMs) / count);
  for (const work of worksOf(workload, { ...options, days: HISTORY_DAYS + options.days })) {
    if (work.at < from) {
      count += 1;
      totalMs += work.workMs;
      follower.record(work.at, fateOf(work, DEFAULT_LEASE_MS));
      continue;
    }
    usedMs = follower.leaseAt(work.at, usedMs);
    leases.least = Math.min(leases.least, usedMs);
    leases.most = Math.max(leases.most, usedMs);
    add(byDefault, work, DEFAULT_LEASE_MS);
    add(byMean, work, meanLease(work.at));
    add(advised, work, usedMs);
    follower.record(work.at, fateOf(work, usedMs));
  }
  return { byDefault, byMean, advised, leaseMs: { byMean: meanLease(0), ...leases } };
}
