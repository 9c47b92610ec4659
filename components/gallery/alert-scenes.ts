import type { ErrorBody } from '@/lib/protocol/errors';
import { longIncident, manyRules, quietIncident, sampleIncident } from './alerts';
import { alertPage, sampleAlerts } from './incidents';
import { manyAlerts } from './many';
import type { SampleLiveOptions } from './sample-live';
import type { Scene } from './scenes';

type Queries = SampleLiveOptions['queries'];

const notFound: ErrorBody = { error: { code: 'NOT_FOUND', message: 'No such alert is known.' } };
const failure: ErrorBody = {
  error: { code: 'STORE_UNAVAILABLE', message: 'The history cannot be read: the disk is full.' },
};

/** Every second one is refused. */
const acts = (now: number): SampleLiveOptions['actions'] => ({
  'alert.acknowledge-many': () => ({
    results: sampleAlerts(now).map(({ id }, index) => ({
      id,
      outcome: index % 2 ? 'refused' : 'acknowledged',
      code: index % 2 ? 'CONFLICT' : null,
      message: index % 2 ? 'It has resolved meanwhile.' : null,
    })),
  }),
  'alert.acknowledge': (): ErrorBody => ({
    error: {
      code: 'AUDIT_UNAVAILABLE',
      message: 'The audit cannot be written, so nothing was done.',
    },
  }),
});

/** The pages about alerts, each in its usual and its awkward states. `base` answers all queries. */
export function alertScenes(base: Queries, now: number): Record<string, Scene> {
  const scene = (page: Scene['page'], queries: Queries = {}, more: Partial<Scene> = {}): Scene => ({
    page,
    role: 'operator',
    queries: { ...base, ...queries },
    actions: acts(now),
    ...more,
  });
  const without = (query: string): Queries =>
    Object.fromEntries(Object.entries(base).filter(([name]) => name !== query));
  const { items } = alertPage(sampleAlerts(now), { state: 'open' });
  return {
    alerts: scene('alerts'),
    'alerts-many': scene('alerts', { alerts: (params) => alertPage(manyAlerts(now), params) }),
    'alerts-none': scene('alerts', { alerts: () => ({ items: [] }) }),
    'alerts-one': scene('alerts', { alerts: () => ({ items: items.slice(0, 1) }) }),
    'alerts-failed': scene('alerts', { alerts: () => failure }),
    'alerts-viewer': scene('alerts', {}, { role: 'viewer' }),
    alert: scene('alert', { alert: () => sampleIncident(now) }),
    'alert-handed-over': scene(
      'alert',
      { alert: () => sampleIncident(now) },
      { at: now - 30 * 60_000 },
    ),
    'alert-long': scene('alert', { alert: () => longIncident(now) }),
    'alert-doubtful': scene('alert', { alert: () => quietIncident(now) }),
    'alert-viewer': scene('alert', { alert: () => sampleIncident(now) }, { role: 'viewer' }),
    'alert-missing': scene('alert', { alert: () => notFound }),
    'alert-failed': scene('alert', { alert: () => failure }),
    'alert-stale': scene('alert', {}, { loses: true }),
    'alert-loading': { ...scene('alert'), queries: without('alert') },
    rules: scene('rules', {}, { role: 'admin' }),
    'rules-many': scene('rules', { rules: () => manyRules(now) }, { role: 'admin' }),
    'rules-viewer': scene('rules', {}, { role: 'viewer' }),
    'rules-loading': { ...scene('rules'), queries: without('rules') },
    silences: scene('silences'),
    'silences-many': scene('silences', { rules: () => manyRules(now) }),
    'silences-none': scene('silences', { rules: () => ({ rules: [], silences: [] }) }),
    'silences-viewer': scene('silences', {}, { role: 'viewer' }),
  };
}
