import type { ServerContext } from './queries/query-context';

const escapeLabel = (text: string): string =>
  text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');

type Sample = [labels: Record<string, string>, value: number];

function family(name: string, type: 'gauge' | 'counter', help: string, samples: Sample[]): string {
  const lines = samples.map(([labels, value]) => {
    const text = Object.entries(labels).map(([key, label]) => `${key}="${escapeLabel(label)}"`);
    return `${name}${text.length > 0 ? `{${text.join(',')}}` : ''} ${value}`;
  });
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n');
}

/** Prometheus text of what the table, the watch and the alerts hold now. Bounded cardinality: no lock names. */
export function renderMetrics({ table, watch, alerts, store, recorder, targetId }: ServerContext) {
  const target = { target: targetId };
  const { held, free, coolingDown, orphanQueues } = table.counts;
  const status = watch.status();
  const open = new Map<string, number>();
  for (const alert of alerts.open()) open.set(alert.code, (open.get(alert.code) ?? 0) + 1);
  return [
    family('lockscope_locks', 'gauge', 'Locks by state.', [
      [{ ...target, state: 'held' }, held],
      [{ ...target, state: 'free' }, free],
      [{ ...target, state: 'cooling-down' }, coolingDown],
      [{ ...target, state: 'orphan-queue' }, orphanQueues],
    ]),
    family('lockscope_alerts', 'gauge', 'Open alerts by code.', [
      ...[...open].map(([code, count]): Sample => [{ ...target, code }, count]),
    ]),
    family(
      'lockscope_node_connected',
      'gauge',
      'Whether the node is connected.',
      status.nodes.map((node): Sample => [{ ...target, node: node.addr }, node.connected ? 1 : 0]),
    ),
    family(
      'lockscope_events_total',
      'counter',
      'Keyspace events received.',
      status.nodes.map((node): Sample => [{ ...target, node: node.addr }, node.eventsTotal]),
    ),
    family(
      'lockscope_gaps',
      'gauge',
      'Gaps in the event stream that are remembered.',
      status.nodes.map((node): Sample => [{ ...target, node: node.addr }, node.gaps.length]),
    ),
    family('lockscope_store_ok', 'gauge', 'Whether history can be written.', [
      [{}, store.health.ok ? 1 : 0],
    ]),
    family('lockscope_history_rows_lost_total', 'counter', 'History rows given up.', [
      [{}, recorder.lostRows],
    ]),
    '',
  ].join('\n');
}
