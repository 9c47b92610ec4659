import { configChecksSample } from './config-checks';
import type { ConfigurationPage, TimeoutAdvice, TimeoutsPage } from '@/lib/protocol/advice';
import { TIMEOUT_SILENCES } from '@/lib/protocol/closed-sets';

const DAY_MS = 86_400_000;
const MANY = 120;

/** A class of our own client whose lease is far too long. */
const aTimeout = (overrides: Partial<TimeoutAdvice> = {}): TimeoutAdvice => ({
  namespace: 'order_sync',
  class: 'qoder:lock:order_sync:*',
  formats: ['qoder'],
  recommendedMs: 1_834,
  rule: 'holds',
  verdict: 'too-long',
  confidence: 'good',
  leaseMs: { least: 60_000, usual: 60_000, most: 60_000, count: 1_204 },
  holdMs: {
    p50: 412,
    p99: 1_831,
    low: 1_820,
    high: 1_843,
    count: 41_022,
    cut: 12,
    isAtLeast: false,
  },
  burst: null,
  renewal: null,
  crash: { nowMs: 59_794, thenMs: 1_628 },
  publish: [
    {
      ...{ db: 0, hash: 'lockscope:advice', field: 'order_sync:*', nowMs: null },
      command: "redis-cli -h 10.0.0.7 -p 6379 -n 0 HSET lockscope:advice 'order_sync:*' 1834",
    },
  ],
  evidence: 'observed',
  ...overrides,
});

/** One of each rule, verdict and confidence. */
function samples(now: number): TimeoutAdvice[] {
  const { leaseMs, holdMs } = aTimeout();
  if (!leaseMs) throw new Error('the sample has a lease');
  const lease = (ms: number) => ({ ...leaseMs, least: ms, usual: ms, most: ms });
  return [
    aTimeout({
      ...{ namespace: 'invoice', class: 'invoice:*', formats: ['redis-py'], rule: 'cut' },
      ...{ verdict: 'too-short', confidence: 'low', recommendedMs: 20_004, evidence: 'inferred' },
      holdMs: { ...holdMs, p50: 4_100, p99: 10_000, cut: 633, isAtLeast: true },
      ...{ leaseMs: lease(10_000), crash: { nowMs: 7_950, thenMs: 17_954 }, publish: null },
    }),
    aTimeout({
      ...{ namespace: 'sync', class: 'sync:*', formats: ['redlock'], rule: 'burst' },
      ...{ verdict: 'too-short', confidence: 'fair', recommendedMs: 9_120, publish: null },
      burst: { at: now - 120_000, p99Ms: 10_400, holds: 402, above: 61, raisedMs: 9_117 },
      ...{ leaseMs: lease(1_500), crash: { nowMs: 1_294, thenMs: 8_914 } },
    }),
    aTimeout(),
    aTimeout({
      ...{ namespace: 'report', class: 'report:*', formats: ['redisson'], rule: 'renewals' },
      ...{ verdict: 'fits', recommendedMs: 30_000, publish: null, confidence: 'good' },
      ...{ renewal: { intervalMs: 10_000, share: 0.82 }, leaseMs: lease(30_000) },
    }),
    aTimeout({
      ...{ namespace: 'rebuild', class: 'qoder:lock:rebuild:*', rule: 'renewed-anyway' },
      ...{ verdict: 'fits', recommendedMs: 60_000 },
      publish: [{ db: 0, hash: 'lockscope:advice', field: 'rebuild:*', nowMs: 60_000 }],
    }),
    aTimeout({
      ...{ namespace: 'tick', class: 'tick:*', formats: ['redis-py'], rule: 'least' },
      ...{ verdict: 'fits', recommendedMs: 1_000, leaseMs: lease(1_000), publish: null },
      holdMs: { ...holdMs, p50: 3, p99: 11, low: 10, high: 12 },
      crash: { nowMs: 998, thenMs: 998 },
    }),
    aTimeout({
      ...{ namespace: 'job', class: 'job-lock:default:*', formats: ['shedlock'], sampled: 214 },
      ...{ verdict: 'unknown', leaseMs: null, publish: null, confidence: 'low' },
      holdMs: { ...holdMs, high: null, count: 214 },
      crash: { nowMs: null, thenMs: 1_628 },
    }),
  ];
}

const page = (now: number, items: TimeoutAdvice[]): TimeoutsPage => ({
  ...{ from: now - 7 * DAY_MS, to: now, coveredMs: 7 * DAY_MS, wantedMs: 7 * DAY_MS, items },
  jitter: { ms: 1.42, p50Ms: 0.31, p99Ms: 1.73, count: 600 },
  silent: TIMEOUT_SILENCES.map((because, n) => ({
    ...{ class: `class-${n}:*`, namespace: `class-${n}`, because, holds: 12 * (n + 1) },
  })),
  leftOut: 0,
  retry: { timeoutMs: 30_000, delayMs: 40_000, leastMs: 45_000, file: 'config/lock.yaml' },
  stale: [{ db: 0, hash: 'lockscope:advice', field: 'gone:*', leaseMs: 7_000 }],
});

export const sampleTimeouts = (now: number): TimeoutsPage => page(now, samples(now));

export const noTimeouts = (now: number): TimeoutsPage => ({
  ...page(now, []),
  ...{ silent: [], stale: [], jitter: null, coveredMs: 90_000 },
  retry: { timeoutMs: 30_000, delayMs: null, leastMs: 45_000, file: 'config/lock.yaml' },
});

export const manyTimeouts = (now: number): TimeoutsPage => ({
  ...page(
    now,
    Array.from({ length: MANY }, (_, n) =>
      aTimeout({
        ...{ class: `qoder:lock:class-${n}:*`, verdict: n < 5 ? 'too-long' : 'fits' },
        publish: [{ db: 0, hash: 'lockscope:advice', field: `class-${n}:*`, nowMs: 5_000 }],
      }),
    ),
  ),
  leftOut: 381,
  unreadable: {
    message: 'What is published could not be read.',
    sentences: [{ id: 'publish:unreachable', values: {} }],
  },
});

export const sampleConfiguration = (now: number): ConfigurationPage => ({
  at: now,
  checks: configChecksSample(),
});
