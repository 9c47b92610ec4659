import type { SessionView } from '@/lib/protocol/session';
import type { ErrorBody } from '@/lib/protocol/errors';
import type { LoadUsers } from '@/components/settings/user-list';
import type { Lock, LockDetail } from '@/lib/protocol/lock';
import { sampleAdvice } from './advice';
import { sampleConfiguration, sampleTimeouts } from './timeouts';
import { alertScenes } from './alert-scenes';
import { sampleDryRun, sampleIncident, sampleRules } from './alerts';
import { sampleDetail } from './lock-details';
import { lockScenes } from './lock-scenes';
import { LocksParams } from '@/lib/protocol/queries';
import { sampleDiscovery, sampleLibraries } from './libraries';
import { fairLock, hostileLocks, manyLock, sampleLocks } from './locks';
import { sampleBlame } from './blame';
import { heatmapAnswers, sampleHeatCell } from './heat-answers';
import { alertPage, sampleAlerts, sampleAudit, sampleDeadlocks } from './incidents';
import { sampleClasses, sampleOverview } from './measures';
import { sampleNotify } from './notify';
import { pageScenes } from './page-scenes';
import { sampleHistory, samplePast, samplePastLock } from './past';
import { pastScenes } from './past-scenes';
import { sharedLocks } from './shared-locks';
import { lostTargets, sampleTargets } from './targets';
import type { SampleLiveOptions } from './sample-live';
import { traceScenes } from './trace-scenes';
import { sampleChains, sampleOrders, samplePredicted } from './wait-graphs';
import { sampleWaits } from './waits';
import { pastTraces, sampleTrace } from './traces';

/** Which page a scene is of. */
export type ScenePage =
  | 'locks'
  | 'lock'
  | 'overview'
  | 'heatmap'
  | 'waits'
  | 'blame'
  | 'advice'
  | 'timeouts'
  | 'configuration'
  | 'traces'
  | 'trace'
  | 'deadlocks'
  | 'alerts'
  | 'alert'
  | 'rules'
  | 'silences'
  | 'audit'
  | 'libraries'
  | 'notifications'
  | 'targets'
  | 'settings';

export interface Scene extends Omit<SampleLiveOptions, 'session'> {
  page: ScenePage;
  role: SessionView['role'];
  /** The users of the settings page, which are no live query. */
  loadUsers?: LoadUsers;
  /** The moment of the past that the page shows, epoch ms. */
  at?: number | undefined;
}

const MANY = 100_000;

const failure: ErrorBody = {
  error: {
    code: 'STORE_UNAVAILABLE',
    message: 'The history cannot be read: the disk under /var/lib/lockscope is full.',
  },
};

function listOf(rows: readonly Lock[], all = rows.length): (params: unknown) => unknown {
  return (params) => {
    const { cursor, limit = 200 } = LocksParams.parse(params);
    const offset = Number(cursor ?? 0);
    const items = rows.slice(offset, offset + limit);
    return { items, total: rows.length, all, offset, cursor: null, connected: true };
  };
}

function listOfMany(now: number): (params: unknown) => unknown {
  return (params) => {
    const { cursor, limit = 200 } = LocksParams.parse(params);
    const offset = Number(cursor ?? 0);
    const items = Array.from({ length: Math.min(limit, MANY - offset) }, (_, row) =>
      manyLock(offset + row, now),
    );
    return { items, total: MANY, all: MANY, offset, cursor: null, connected: true };
  };
}

const measures = (now: number): SampleLiveOptions['queries'] => ({
  overview: () => sampleOverview(now),
  classes: () => ({ from: now - 3_600_000, to: now, items: sampleClasses() }),
  heatmap: heatmapAnswers({ now }),
  'heat-cell': sampleHeatCell,
  waits: (params) => sampleWaits(now, params),
  blame: () => sampleBlame(now),
  advice: () => sampleAdvice(now),
  timeouts: () => sampleTimeouts(now),
  configuration: () => sampleConfiguration(now),
  past: () => samplePast(now),
  'past-lock': () => samplePastLock(now),
  history: () => sampleHistory(now),
  deadlocks: () => [...sampleDeadlocks(now), ...samplePredicted(now)],
  chains: () => sampleChains(now),
  orders: () => sampleOrders(now),
  alerts: (params) => alertPage(sampleAlerts(now), params),
  alert: () => sampleIncident(now),
  rules: () => sampleRules(now),
  'rule-dry-run': () => sampleDryRun(now),
  audit: () => ({ items: sampleAudit(now), cursor: null }),
  targets: () => sampleTargets(now),
  libraries: () => sampleLibraries(now),
  notify: () => sampleNotify(now),
  discovery: () => sampleDiscovery(now),
  traces: () => ({ items: pastTraces(now) }),
  trace: () => sampleTrace(now),
});

const releases: SampleLiveOptions['actions'] = {
  'lock.release': () => ({
    outcome: 'released',
    wokeWaiters: 2,
    cameBack: false,
    watchedForMs: 3000,
    holderNoticed: 'stopped-renewing',
  }),
  'lock.drop-waiter': () => ({ outcome: 'dropped', wokeNext: true }),
  'lock.wake': () => ({ outcome: 'woken', wokeWaiters: 2 }),
  'lock.remove-member': () => ({ outcome: 'removed', wokeWaiters: 1 }),
};

const conflict = (now: number): SampleLiveOptions['actions'] => ({
  'lock.release': (): ErrorBody => ({
    error: {
      code: 'CONFLICT',
      message: 'The holder has changed.',
      details: { holder: 'f3a90d22-7b1e-4e0f-8f44-1c6b5a9d8e70:12', since: now - 400 },
    },
  }),
});

const bulk = (now: number): SampleLiveOptions['actions'] => ({
  'lock.release-preview': () => ({
    items: sampleLocks(now).filter((lock) => lock.hold),
    total: 9,
    excluded: [{ key: 'bull:mail:17:lock', because: 'BullMQ’s own tools do it better.' }],
  }),
  'lock.release-many': () => ({
    results: sampleLocks(now)
      .filter((lock) => lock.hold)
      .map((lock, index) => ({
        keyB64: lock.keyB64,
        db: lock.db,
        outcome: index % 4 === 1 ? 'refused' : 'released',
        code: index % 4 === 1 ? 'CONFLICT' : null,
        message: index % 4 === 1 ? 'The holder has changed.' : null,
      })),
  }),
});

/** Every scene by its name; the names are the addresses under /gallery. `now` in epoch ms. */
export function scenes(now: number): Record<string, Scene> {
  const base = measures(now);
  const locks = (queries: SampleLiveOptions['queries'], more: Partial<Scene> = {}): Scene => ({
    page: 'locks',
    role: 'operator',
    queries: { ...base, ...queries },
    actions: bulk(now),
    ...more,
  });
  const lockPage = (
    shown: Lock,
    detail: Partial<LockDetail> = {},
    more: Partial<Scene> = {},
  ): Scene => ({
    page: 'lock',
    role: 'operator',
    queries: { ...base, lock: () => sampleDetail(shown, now, detail) },
    actions: releases,
    ...more,
  });
  const lock = (shown: Lock, more: Partial<Scene> = {}): Scene => lockPage(shown, {}, more);
  const [fair, noExpiry, cooling, , orphan, free, broken] = sampleLocks(now);
  const [long, markup] = hostileLocks(now);
  const held = fair ?? fairLock(now);
  return {
    locks: locks({ locks: listOf([...sampleLocks(now), ...sharedLocks(now)]) }),
    'locks-many': locks({ locks: listOfMany(now) }),
    'locks-none-seen': locks({ locks: listOf([]) }),
    'locks-no-match': locks({ locks: listOf([], 214) }),
    'locks-loading': locks({}),
    'locks-failed': locks({ locks: () => failure }),
    'locks-stale': locks({ locks: listOf(sampleLocks(now)) }, { loses: true }),
    'locks-lost': locks({ locks: listOf(sampleLocks(now)), targets: () => lostTargets(now) }),
    'locks-lost-none': locks({ locks: listOf([]), targets: () => lostTargets(now) }),
    'lock-fair': lock(held),
    'lock-conflict': lock(held, { actions: conflict(now) }),
    'lock-viewer': lock(held, { role: 'viewer' }),
    'lock-stale': lock(held, { loses: true }),
    'lock-lost': lock(held, {
      queries: { ...base, lock: () => sampleDetail(held, now), targets: () => lostTargets(now) },
    }),
    'lock-no-expiry': lock(noExpiry ?? held),
    'lock-cooling-down': lock(cooling ?? held),
    'lock-orphan-queue': lock(orphan ?? held),
    'lock-free': lock(free ?? held),
    'lock-broken': lock(broken ?? held),
    ...lockScenes(lockPage, now),
    'lock-long-key': lock(long ?? held),
    'lock-markup-key': lock(markup ?? held),
    'lock-failed': lock(held, { queries: { ...base, lock: () => failure } }),
    ...pageScenes(base, now),
    ...alertScenes(base, now),
    ...traceScenes(base, now),
    ...pastScenes(base, now),
  };
}
