import type {
  TIMEOUT_CONFIDENCES,
  TIMEOUT_RULES,
  TIMEOUT_SILENCES,
  TIMEOUT_VERDICTS,
} from '@/lib/protocol/closed-sets';
import type { Sketch } from './analysis-contract';
import { burstOf, endedP99, type Burst, type RecentHolds } from './timeout-burst';
import { quantileRanks } from './timeout-rank';

const DAY_MS = 86_400_000;
/** The time that holds are wanted of. */
export const WANTED_MS = 7 * DAY_MS;
/** Of fewer holds nothing is said. */
const LEAST_HOLDS = 30;
/** A process that stands still for a collection of garbage must not lose its lock. */
export const LEAST_LEASE_MS = 1_000;
const MOST_LEASE_MS = DAY_MS;
/** A client that renews at each third of its lease needs none longer: it would only make a crash dearer. */
const RENEWED_LEASE_MS = 60_000;
/** From this share of holds on that were cut, the p99 is among them. */
const CUT_SHARE = 0.01;
/** Where more than this end with their lease, locks are left to it. */
const LEFT_SHARE = 0.5;
const RENEWED_SHARE = 0.5;
/** Three renewals to a lease, so that one may be late and one lost. */
const RENEWALS_PER_LEASE = 3;
/** A lease more than so many times the p99 is too long. */
const TOO_LONG = 10;

/** What is known of how long the locks of a class are held, and for how long they are leased. */
export interface LeaseEvidence {
  /** Lengths of holds (ms) of both of whose ends were seen, those that were cut included. */
  holds: Sketch;
  /** Of these, how many did not end by their holder: they would have been longer. */
  cut: number;
  /** The last hour in windows. */
  recent: readonly RecentHolds[];
  /** How much of the last seven days was watched, ms. */
  coveredMs: number;
  /** p99 − p50 of round trips to Redis, ms; null = not measured yet. */
  jitterMs: number | null;
  /** The lease that its locks have now, ms; null = none was seen. */
  leaseMs: number | null;
  /** Holds that were seen to be renewed: how often, and which share of holds. */
  renewal: { intervalMs: number; share: number } | null;
  /** Its client renews at each third of whatever lease it is told. */
  renewsByThirds: boolean;
}

export interface LeaseAdviceOf {
  recommendedMs: number;
  rule: (typeof TIMEOUT_RULES)[number];
  p50Ms: number;
  p99Ms: number;
  /** Between which the p99 lies with 95 %; `highMs` null = it cannot be bounded. */
  lowMs: number;
  highMs: number | null;
  /** The true p99 is this or longer: holds were cut before. */
  isAtLeast: boolean;
  confidence: (typeof TIMEOUT_CONFIDENCES)[number];
  burst: Burst | null;
  verdict: (typeof TIMEOUT_VERDICTS)[number];
  /** How long a lock stays held on average after its holder died: with the lease as it is, and as recommended. */
  crash: { nowMs: number | null; thenMs: number };
}

/** The p99 of the `count` shortest holds, with its interval. */
function p99Of(holds: Sketch, count: number) {
  const { low, high } = quantileRanks(0.99, count);
  const at = (rank: number): number => holds.quantile((rank - 0.5) / holds.count) ?? 0;
  return {
    p99Ms: at(Math.ceil(count * 0.99)),
    lowMs: at(low),
    highMs: high === null ? null : at(high),
  };
}

/**
 * Whether holds that were cut were at work: then others end not far below the lease. Where none comes near it, who was
 * cut had died or left the lock to its lease, and says nothing of how long the work takes.
 */
function wereAtWork({ holds, cut, leaseMs }: LeaseEvidence): boolean {
  if (cut / holds.count < CUT_SHARE) return false;
  const p99Ms = endedP99({ holds, cut });
  return leaseMs === null || p99Ms === null || p99Ms > leaseMs / 2;
}

function confidenceOf(
  evidence: LeaseEvidence,
  { p99Ms, highMs }: { p99Ms: number; highMs: number | null },
): LeaseAdviceOf['confidence'] {
  if (highMs === null || evidence.coveredMs < DAY_MS) return 'low';
  const isNarrow = highMs <= p99Ms * 1.5;
  // A minute of those seven days may always be missing at their end.
  return isNarrow && evidence.coveredMs >= WANTED_MS * 0.99 && evidence.jitterMs !== null
    ? 'good'
    : 'fair';
}

const clamped = (leaseMs: number, mostMs: number): number =>
  Math.ceil(Math.min(mostMs, Math.max(LEAST_LEASE_MS, leaseMs)));

type Measured = Pick<LeaseAdviceOf, 'p99Ms' | 'burst' | 'isAtLeast'>;

/** What the lengths of the holds alone would ask for. */
function leaseByHolds(
  { jitterMs, leaseMs, renewsByThirds }: LeaseEvidence,
  { p99Ms, burst, isAtLeast }: Measured,
): Pick<LeaseAdviceOf, 'recommendedMs' | 'rule'> {
  const lastsMs = isAtLeast ? 2 * Math.max(p99Ms, leaseMs ?? 0) : (burst?.raisedMs ?? p99Ms);
  const wantedMs = lastsMs + 2 * (jitterMs ?? 0);
  if (renewsByThirds && wantedMs > RENEWED_LEASE_MS) {
    return { recommendedMs: RENEWED_LEASE_MS, rule: 'renewed-anyway' };
  }
  if (wantedMs < LEAST_LEASE_MS) return { recommendedMs: LEAST_LEASE_MS, rule: 'least' };
  const rule = isAtLeast ? 'cut' : burst ? 'burst' : 'holds';
  return { recommendedMs: clamped(wantedMs, MOST_LEASE_MS), rule };
}

function leaseOf(
  evidence: LeaseEvidence,
  measured: Measured,
): Pick<LeaseAdviceOf, 'recommendedMs' | 'rule'> {
  const { renewal, renewsByThirds } = evidence;
  const byHolds = leaseByHolds(evidence, measured);
  if (!renewal || renewsByThirds) return byHolds;
  const renewedMs = clamped(RENEWALS_PER_LEASE * renewal.intervalMs, MOST_LEASE_MS);
  const isLimit = renewal.share >= RENEWED_SHARE || renewedMs < byHolds.recommendedMs;
  return isLimit ? { recommendedMs: renewedMs, rule: 'renewals' } : byHolds;
}

/** Renewed holds lose the time since the last renewal, on average half an interval; others half of a usual hold. */
function leftAfterCrash(
  leaseMs: number,
  { renewal, renewsByThirds }: LeaseEvidence,
  p50Ms: number,
): number {
  if (!renewal || renewal.share < RENEWED_SHARE) return Math.max(0, leaseMs - p50Ms / 2);
  const intervalMs = renewsByThirds ? leaseMs / RENEWALS_PER_LEASE : renewal.intervalMs;
  return Math.max(0, leaseMs - intervalMs / 2);
}

function verdictOf(
  { leaseMs, renewsByThirds, renewal }: LeaseEvidence,
  { p99Ms, recommendedMs, rule }: Pick<LeaseAdviceOf, 'p99Ms' | 'recommendedMs' | 'rule'>,
): LeaseAdviceOf['verdict'] {
  if (leaseMs === null) return 'unknown';
  if (rule === 'cut') return 'too-short';
  const isRenewed = renewsByThirds || renewal !== null;
  // A renewed lease ends early only where there is no room for one late renewal.
  const neededMs = isRenewed ? (renewal && !renewsByThirds ? 2 * renewal.intervalMs : 0) : p99Ms;
  if (leaseMs < neededMs) return 'too-short';
  const usedMs = rule === 'renewals' ? recommendedMs : p99Ms;
  return leaseMs > usedMs * TOO_LONG && leaseMs > recommendedMs ? 'too-long' : 'fits';
}

/**
 * How long a class should lease its locks, or why that cannot be said. The lease is the p99 of its holds + 2 × the jitter
 * of the network, so that it ends soon after a crash and not before the work; where recent holds are longer it
 * follows them at once (`burstOf`). Holds that were cut before their end count as longer than all that ended (they are
 * censored on the right): from one in a hundred on the p99 is only bounded from below, and twice the lease is advised, the
 * usual step of a search without an upper bound. Where holds are renewed, the lease does not limit them: three
 * renewals to a lease. Never below 1 s.
 */
export function adviseLeaseOf(
  evidence: LeaseEvidence,
  now: number,
): LeaseAdviceOf | Extract<(typeof TIMEOUT_SILENCES)[number], 'too-few' | 'left-to-lease'> {
  const { holds, cut, recent } = evidence;
  if (holds.count < LEAST_HOLDS) return 'too-few';
  if (cut / holds.count > LEFT_SHARE) return 'left-to-lease';
  const isAtLeast = wereAtWork(evidence);
  const measured = p99Of(holds, isAtLeast ? holds.count : holds.count - cut);
  const burst = burstOf(recent, measured.p99Ms, now);
  const p50Ms = holds.quantile(0.5) ?? 0;
  const { recommendedMs, rule } = leaseOf(evidence, { ...measured, burst, isAtLeast });
  return {
    ...{ recommendedMs, rule, p50Ms, ...measured, isAtLeast, burst },
    confidence: isAtLeast ? 'low' : confidenceOf(evidence, measured),
    verdict: verdictOf(evidence, { ...measured, recommendedMs, rule }),
    crash: {
      nowMs: evidence.leaseMs === null ? null : leftAfterCrash(evidence.leaseMs, evidence, p50Ms),
      thenMs: leftAfterCrash(recommendedMs, evidence, p50Ms),
    },
  };
}
