import type { LockClass, Overview, Series } from '@/lib/protocol/measures';
import { CLASSES, createRandom, sampleHeatmap } from './heat';
import { sampleAlerts } from './incidents';

const STEP_MS = 10_000;

export function sampleClasses(): LockClass[] {
  return CLASSES.map(([namespace, name], index) => ({
    class: name,
    namespace,
    formats: index === 4 ? ['redlock', 'redis-py'] : [index % 2 ? 'redisson' : 'redisson-fair'],
    held: [3, 0, 14, 8, 0, 1, 1, 0][index] ?? 0,
    locks: [120, 4, 40_312, 10, 77, 12, 1, 1][index] ?? 0,
    acquisitions: [8211, 12, 190_422, 4410, 0, 77, 3, 1][index] ?? 0,
    contention: index === 4 ? null : ([0.4, 0, 6.2, 1.1, 0, 0.02, 0.9, 0][index] ?? 0),
    holdShare: [0.4, 0.01, 7.2, 2.4, 0, 0.2, 0.97, 0.001][index] ?? 0,
    holdMs: { p50: 42 * (index + 1), p95: 380 * (index + 1), p99: 2100 * (index + 1), count: 812 },
    waitMs:
      index === 4
        ? { p50: null, p95: null, p99: null, count: 0 }
        : { p50: 4, p95: 812, p99: 9100, count: 211 },
    evidence: index === 4 ? 'unknown' : index % 2 ? 'inferred' : 'observed',
    waitMsEvidence: index === 4 ? 'unknown' : index % 2 ? 'inferred' : 'observed',
    ends: { released: 800, 'lease-ended': index },
  }));
}

/** Half an hour in which something was missed. */
const series = (now: number, valueAt: (step: number) => number): Series =>
  Array.from({ length: 180 }, (_, step) => ({
    at: now - (180 - step) * STEP_MS,
    value: step > 110 && step < 117 ? null : valueAt(step),
  }));

export function sampleOverview(now: number): Overview {
  const alerts = sampleAlerts(now).filter((alert) => alert.state === 'firing');
  const random = createRandom(11);
  return {
    alerts,
    alertCounts: { critical: 2, warning: 3, info: 0 },
    counters: {
      held: 27,
      free: 40_510,
      coolingDown: 3,
      noExpiry: 1,
      orphanQueues: 0,
      waiting: 12,
      waitingUnknownLocks: 9,
      acquisitionsPerMinute: 3174,
      lostPerMinute: 0.4,
    },
    acquisitions: series(now, (step) =>
      Math.round(400 + 200 * Math.sin(step / 9) + random() * 160),
    ),
    lost: series(now, (step) => (step % 31 === 4 || step > 172 ? 1 + (step % 3) : 0)),
    busiest: sampleClasses().slice(0, 6),
    heatmap: sampleHeatmap({ now, gaps: true }),
    targets: [
      {
        id: 'default',
        connected: true,
        blind: true,
        sight: 'part',
        eventsPerSecond: 812,
        sweeping: true,
      },
      {
        id: 'cache-2',
        connected: false,
        blind: true,
        sight: 'nothing',
        eventsPerSecond: 0,
        sweeping: false,
      },
    ],
  };
}
