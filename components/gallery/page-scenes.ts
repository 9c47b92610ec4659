import type { ErrorBody } from '@/lib/protocol/errors';
import { manyAdvice, noAdvice, silentAdvice } from './advice';
import { manyTimeouts, noTimeouts } from './timeouts';
import { noBlame, sampleBlame } from './blame';
import { sampleHeatmap } from './heat';
import { heatmapAnswers } from './heat-answers';
import { manyPins, manyProposals, noPins, runningDiscovery } from './libraries';
import { manyAudit, manyDeadlocks, manyTargets, manyWaits, sampleUsers } from './many';
import type { SampleLiveOptions } from './sample-live';
import type { Scene } from './scenes';
import { lostTargets } from './targets';
import { manyNotify, noNotify, notifyActions, viewedNotify } from './notify';
import { noWaits, unknownWaits } from './waits';

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

const MANY_USERS = 300;

/** An answer that does not come. */
const loading = new Promise<never>(() => undefined);

const usersOf = (count: number) => () =>
  Promise.resolve({ ok: true as const, value: sampleUsers(count) });

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

/** The query that a page is made of bears its name. */
const without = (queries: Queries, name: string): Queries =>
  Object.fromEntries(Object.entries(queries).filter(([query]) => query !== name));

const notifyScenes = (
  scene: (page: Scene['page'], queries?: Queries, more?: Partial<Scene>) => Scene,
  now: number,
): Record<string, Scene> => {
  const admin = { role: 'admin', actions: notifyActions } as const;
  const usual = scene('notifications', {}, admin);
  return {
    notifications: usual,
    'notifications-none': scene('notifications', { notify: noNotify }, admin),
    'notifications-many': scene('notifications', { notify: () => manyNotify(now) }, admin),
    'notifications-viewer': scene(
      'notifications',
      { notify: () => viewedNotify(now) },
      { role: 'viewer' },
    ),
    'notifications-failed': scene('notifications', { notify: () => failure }, admin),
    'notifications-loading': { ...usual, queries: without(usual.queries, 'notify') },
    'notifications-stale': scene('notifications', {}, { ...admin, loses: true }),
  };
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
    scene('heatmap', { heatmap: heatmapAnswers({ now, ...options }) });
  const lost = (page: Scene['page'], queries: Queries = {}, more: Partial<Scene> = {}): Scene =>
    scene(page, { ...queries, targets: () => lostTargets(now) }, more);
  /** What every page must bear: no answer yet, the console out of reach, Redis out of reach. */
  const statesOf = (page: Scene['page'], more: Partial<Scene> = {}): Record<string, Scene> => ({
    [`${page}-loading`]: { ...scene(page, {}, more), queries: without(base, page) },
    [`${page}-stale`]: scene(page, {}, { ...more, loses: true }),
    [`${page}-lost`]: lost(page, {}, more),
  });
  return {
    overview: scene('overview'),
    'overview-calm': scene('overview', {
      overview: () => ({
        alerts: [],
        alertCounts: { critical: 0, warning: 0, info: 0 },
        counters: nothingHeld,
        acquisitions: [],
        lost: [],
        busiest: [],
        heatmap: sampleHeatmap({ now, rows: 0 }),
        targets: [],
      }),
    }),
    ...statesOf('overview'),
    ...statesOf('heatmap'),
    heatmap: heat({ gaps: true, unwatched: 40 }),
    'heatmap-fresh': heat({ rows: 2, columns: 180, unwatched: 178 }),
    'heatmap-two-columns': heat({ rows: 2, columns: 2 }),
    'heatmap-dense': heat({ rows: 200, gaps: true }),
    'heatmap-many': heat({ rows: 5000, columns: 360, stepMs: 5000, packed: true }),
    'heatmap-waiters': heat({ metric: 'waiters' }),
    'heatmap-others': heat({ rows: 40, group: 'lock', others: true }),
    'heatmap-empty': heat({ rows: 0 }),
    'heatmap-failed': scene('heatmap', { heatmap: () => failure }),
    ...statesOf('waits'),
    waits: scene('waits'),
    'waits-many': scene('waits', { waits: () => manyWaits(now) }),
    'waits-unknown': scene('waits', { waits: () => unknownWaits(now) }),
    'waits-none': scene('waits', { waits: () => noWaits(now) }),
    'waits-failed': scene('waits', { waits: () => failure }),
    ...statesOf('blame'),
    blame: scene('blame'),
    'blame-many': scene('blame', { blame: () => sampleBlame(now, 1000) }),
    'blame-none': scene('blame', { blame: () => noBlame(now, false) }),
    'blame-blind': scene('blame', { blame: () => noBlame(now, true) }),
    'blame-failed': scene('blame', { blame: () => failure }),
    ...statesOf('advice'),
    advice: scene('advice'),
    ...statesOf('timeouts'),
    timeouts: scene('timeouts'),
    'timeouts-many': scene('timeouts', { timeouts: () => manyTimeouts(now) }),
    'timeouts-none': scene('timeouts', { timeouts: () => noTimeouts(now) }),
    ...statesOf('configuration'),
    configuration: scene('configuration'),
    'advice-many': scene('advice', { advice: () => manyAdvice(now) }),
    'advice-none': scene('advice', { advice: () => noAdvice(now) }),
    'advice-silent': scene('advice', { advice: () => silentAdvice(now) }),
    'advice-failed': scene('advice', { advice: () => failure }),
    ...statesOf('deadlocks'),
    deadlocks: scene('deadlocks'),
    'deadlocks-none': scene('deadlocks', { deadlocks: () => [] }),
    'deadlocks-lost-none': lost('deadlocks', { deadlocks: () => [] }),
    'deadlocks-many': scene('deadlocks', { deadlocks: () => manyDeadlocks(now) }),
    ...statesOf('alerts'),
    ...statesOf('audit'),
    audit: scene('audit'),
    'audit-many': scene('audit', { audit: () => ({ items: manyAudit(now), cursor: '1' }) }),
    'audit-none': scene('audit', { audit: () => ({ items: [], cursor: null }) }),
    ...statesOf('libraries'),
    libraries: scene('libraries'),
    'libraries-many': scene('libraries', {
      libraries: () => manyPins(now),
      discovery: () => manyProposals(now),
    }),
    'libraries-none': scene('libraries', { libraries: () => noPins(now) }),
    'libraries-running': scene('libraries', { discovery: () => runningDiscovery(now) }),
    'libraries-viewer': scene('libraries', {}, { role: 'viewer' }),
    'libraries-failed': scene('libraries', { libraries: () => failure }),
    ...notifyScenes(scene, now),
    ...statesOf('targets'),
    targets: scene('targets'),
    'targets-many': scene('targets', { targets: () => manyTargets(now) }),
    'targets-none': scene('targets', { targets: () => [] }),
    ...statesOf('settings', { role: 'admin', loadUsers: () => loading }),
    settings: scene('settings', {}, { role: 'admin', loadUsers: usersOf(3) }),
    'settings-many': scene('settings', {}, { role: 'admin', loadUsers: usersOf(MANY_USERS) }),
  };
}
