import type { Distribution, PastWait, Quantiles, Waits } from '@/lib/protocol/measures';
import type { PastHold } from '@/lib/protocol/lock';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import { WaitsParams } from '@/lib/protocol/queries';
import { CLASSES, createRandom } from './heat';

const MINUTE_MS = 60_000;
const STEP_MS = MINUTE_MS;
const STEPS = 60;
/** Steps of which nothing is known. */
const LOST = { from: 41, to: 45 };
/** From here on everybody waits longer. */
const SLOWER_FROM = 26;
const BUCKETS = Array.from({ length: 17 }, (_, power) => 2 ** power);

const quantiles = (p50: number, count: number): Quantiles =>
  count === 0
    ? { p50: null, p90: null, p95: null, p99: null, p999: null, count }
    : { p50, p90: p50 * 6.2, p95: p50 * 14, p99: p50 * 61, p999: p50 * 205, count };

function distribution(middle: number, height: number, random: () => number): Distribution {
  const buckets = BUCKETS.map((le, power) => ({
    le,
    count: Math.round(height * Math.exp(-((power - middle) ** 2) / 6) * (0.7 + random() * 0.6)),
  }));
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  return { ...quantiles(2 ** middle, count), buckets };
}

function series(from: number): Waits['series'] {
  const random = createRandom(19);
  return Array.from({ length: STEPS }, (_, step) => {
    const at = from + step * STEP_MS;
    const slow = step >= SLOWER_FROM ? 2.6 : 1;
    const waits = quantiles(24 * slow * (0.7 + random() * 0.7), Math.round(random() * 30));
    const holds = quantiles(180 * (0.8 + random() * 0.5), 60 + Math.round(random() * 50));
    if (step >= LOST.from && step < LOST.to) return { at, waits: null, holds: null };
    return { at, waits: step % 9 === 4 ? quantiles(0, 0) : waits, holds };
  });
}

const hold = (owner: string | null, start: number, end: number): PastHold => ({
  generation: start % 1000,
  owner,
  start,
  end,
  endReason: 'released',
  evidence: 'observed',
  renewals: 0,
  maxDepth: 1,
  endedBy: null,
  lateReleaseMs: null,
  notes: [],
});

const name = (key: string) => ({ db: 0, key, keyB64: toBase64Url(bytesFromText(key)) });

export function sampleSlowest(now: number, count = 6): PastWait[] {
  return Array.from({ length: count }, (_, index): PastWait => {
    const lengthMs = 41_000 / (index + 1);
    const end = now - (3 + index * 4) * MINUTE_MS;
    const start = end - lengthMs;
    const [namespace = '', lockClass = ''] = CLASSES[[2, 0, 2, 5, 6, 3][index % 6] ?? 0] ?? [];
    const part = (share: number): number => Math.round(start + share * lengthMs);
    const heldBy = [
      [hold('order-7 on 10.1.2.3', part(-0.2), part(0.62)), hold('order-2', part(0.64), end)],
      [hold('f3a90d22-7b1e-4e0f-8f44-1c6b5a9d8e70:12', part(-1), end)],
      [
        hold(null, part(0), part(0.3)),
        hold('batch-1', part(0.31), part(0.5)),
        hold('batch-2', part(0.5), part(0.7)),
        hold('batch-1', part(0.7), part(0.8)),
        hold('batch-3', part(0.8), part(0.9)),
        hold('batch-4', part(0.9), part(0.93)),
      ],
      [],
    ][index % 4];
    return {
      ...name(lockClass.replace('*', String(4711 + index))),
      class: lockClass,
      namespace,
      owner: index % 5 === 4 ? null : `5a1b2c3d-0000-4000-8000-123456789abc:${31 + index}`,
      start: Math.round(start),
      end,
      source: 'fair-queue',
      evidence: index % 3 === 1 ? 'inferred' : 'observed',
      outcome: index % 4 === 1 ? 'left' : 'granted',
      heldBy: heldBy ?? [],
      heldByMore: index % 4 === 2 ? 14 : 0,
    };
  });
}

function sampleClassRows(): Waits['byClass'] {
  return CLASSES.map(([namespace, lockClass], index) => ({
    class: lockClass,
    namespace,
    waitMs:
      index === 4
        ? { p50: null, p95: null, p99: null, count: 0 }
        : { p50: 4, p95: 812, p99: 9100 / (index + 1), count: 211 },
    holdMs: { p50: 42 * (index + 1), p95: 380 * (index + 1), p99: 2100 * (index + 1), count: 812 },
    evidence: index === 4 ? 'unknown' : index % 2 ? 'inferred' : 'observed',
  }));
}

/** The last hour, or before and after the marker that was asked for. */
export function sampleWaits(now: number, params?: unknown): Waits {
  const random = createRandom(3);
  const to = Math.floor(now / STEP_MS) * STEP_MS;
  const from = to - STEPS * STEP_MS;
  const { marker } = WaitsParams.parse(params ?? {});
  const observed = distribution(5, 190, random);
  const inferred = distribution(7, 60, random);
  const inferredAt = new Map(inferred.buckets.map(({ le, count }) => [le, count]));
  return {
    ...observed,
    buckets: observed.buckets.map(({ le, count }) => ({
      le,
      count: count + (inferredAt.get(le) ?? 0),
    })),
    count: observed.count + inferred.count,
    evidence: 'inferred',
    sources: [
      { source: 'fair-queue', evidence: 'observed', count: observed.count },
      { source: 'token-time', evidence: 'inferred', count: inferred.count },
    ],
    byEvidence: [
      { ...observed, evidence: 'observed' },
      { ...inferred, evidence: 'inferred' },
    ],
    notObservable: [
      { class: 'log_analysis:LOG-*', formats: ['redlock'], reason: 'polls' },
      { class: 'nightly-report', formats: ['shedlock'], reason: 'never-waits' },
      { class: 'checkout:*', formats: ['redisson'], reason: 'counted-only' },
    ],
    holds: distribution(8, 900, random),
    byClass: sampleClassRows(),
    stepMs: STEP_MS,
    series: series(from),
    slowest: sampleSlowest(now, 14),
    places: [
      {
        owner: '5a1b2c3d-0000-4000-8000-123456789abc:31',
        ...{ app: 'checkout-3', host: 'worker-12', ip: '10.1.2.31', pid: 4711 },
      },
    ],
    marker:
      marker === undefined
        ? null
        : {
            at: marker,
            before: { waits: quantiles(24, 312), holds: quantiles(190, 2410) },
            after: { waits: quantiles(62, 491), holds: quantiles(191, 2130) },
          },
    namespaces: [...new Set(CLASSES.map(([namespace]) => namespace))],
    from,
    to,
    gaps: [
      {
        from: from + LOST.from * STEP_MS + 12_000,
        to: from + LOST.to * STEP_MS - 20_000,
        reason: 'connection-lost',
      },
    ],
  };
}

const NO_WAITS: Distribution = { ...quantiles(0, 0), buckets: [] };

/** Locks are held, and of no wait is anything known. */
export const unknownWaits = (now: number): Waits => ({
  ...sampleWaits(now),
  ...NO_WAITS,
  evidence: 'unknown',
  sources: [],
  byEvidence: [],
  byClass: sampleClassRows().filter(({ evidence }) => evidence === 'unknown'),
  series: series(now - STEPS * STEP_MS).map((step) => ({ ...step, waits: null })),
  slowest: [],
  gaps: [],
});

/** Nothing was held and nobody waited. */
export const noWaits = (now: number): Waits => ({
  ...sampleWaits(now),
  ...NO_WAITS,
  holds: NO_WAITS,
  evidence: 'unknown',
  sources: [],
  byEvidence: [],
  notObservable: [],
  byClass: [],
  series: [],
  slowest: [],
  namespaces: [],
  gaps: [],
});
