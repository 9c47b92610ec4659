import type { ErrorBody } from '@/lib/protocol/errors';
import { sampleHeatmap } from './heat';
import type { SampleLiveOptions } from './sample-live';
import type { Scene } from './scenes';

type Queries = SampleLiveOptions['queries'];

const failure: ErrorBody = {
  error: { code: 'STORE_UNAVAILABLE', message: 'The history cannot be read: the disk is full.' },
};

const refused: SampleLiveOptions['actions'] = {
  'alert.acknowledge': (): ErrorBody => ({
    error: {
      code: 'AUDIT_UNAVAILABLE',
      message: 'The audit cannot be written, so nothing was done.',
    },
  }),
};

const nothingHeld = {
  held: 0,
  free: 0,
  coolingDown: 0,
  noExpiry: 0,
  orphanQueues: 0,
  waiting: null,
  waitingUnknownLocks: 0,
  acquisitionsPerMinute: null,
  lostPerMinute: null,
};

/** The pages beside the locks, each in its usual and its awkward states. `base` answers all queries. */
export function pageScenes(base: Queries, now: number): Record<string, Scene> {
  const scene = (page: Scene['page'], queries: Queries = {}, more: Partial<Scene> = {}): Scene => ({
    page,
    role: 'operator',
    queries: { ...base, ...queries },
    actions: refused,
    ...more,
  });
  const heat = (options: Omit<Parameters<typeof sampleHeatmap>[0], 'now'>): Scene =>
    scene('heatmap', { heatmap: () => sampleHeatmap({ now, ...options }) });
  const nothing = { items: [] };
  return {
    overview: scene('overview'),
    'overview-calm': scene('overview', {
      overview: () => ({
        alerts: [],
        alertCounts: { critical: 0, warning: 0, info: 0 },
        counters: nothingHeld,
        acquisitions: [],
        busiest: [],
        heatmap: sampleHeatmap({ now, rows: 0 }),
        targets: [],
      }),
    }),
    'overview-stale': scene('overview', {}, { loses: true }),
    heatmap: heat({ gaps: true, unwatched: 40 }),
    'heatmap-fresh': heat({ rows: 2, columns: 180, unwatched: 178 }),
    'heatmap-two-columns': heat({ rows: 2, columns: 2 }),
    'heatmap-dense': heat({ rows: 200, gaps: true }),
    'heatmap-many': heat({ rows: 5000, columns: 360, stepMs: 5000 }),
    'heatmap-waiters': heat({ metric: 'waiters' }),
    'heatmap-empty': heat({ rows: 0 }),
    'heatmap-failed': scene('heatmap', { heatmap: () => failure }),
    waits: scene('waits'),
    'waits-unknown': scene('waits', {
      waits: () => ({
        buckets: [],
        p50: null,
        p95: null,
        p99: null,
        count: 0,
        evidence: 'unknown',
        sources: [],
        notObservable: [{ class: 'order_sync:*', formats: ['redlock'], reason: 'polls' }],
        holds: { buckets: [{ le: 64, count: 12 }], p50: 40, p95: 60, p99: 63, count: 12 },
        byClass: [],
        from: now - 3_600_000,
        to: now,
        gaps: [],
      }),
    }),
    deadlocks: scene('deadlocks'),
    'deadlocks-none': scene('deadlocks', { deadlocks: () => nothing }),
    alerts: scene('alerts'),
    'alerts-none': scene('alerts', { alerts: () => nothing }),
    'alerts-viewer': scene('alerts', {}, { role: 'viewer' }),
    audit: scene('audit'),
    'audit-none': scene('audit', { audit: () => ({ items: [], cursor: null }) }),
    targets: scene('targets'),
    'targets-none': scene('targets', { targets: () => [] }),
    settings: scene('settings', {}, { role: 'admin' }),
  };
}
