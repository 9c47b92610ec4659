import { sightOfTarget } from '@/lib/analysis/target-sight';
import type { Alert } from '@/lib/protocol/alert';
import { TARGET_SIGHTS } from '@/lib/protocol/closed-sets';
import type { Target, TargetNode } from '@/lib/protocol/target';
import type { ServerContext } from '@/server/queries/query-context';
import type { ToldClasses } from './class-totals';
import type { Family, Sample } from './exposition';

type Context = Pick<ServerContext, 'targetId' | 'table' | 'watch' | 'alerts'>;

/** What is watched, whether it is seen, and what is wrong with it. */
export function targetFamilies(
  { targetId: target, table, watch, alerts }: Context,
  gaps: ToldClasses['gaps'],
): Family[] {
  const status = watch.status();
  return [
    locksFamily(target, table.counts),
    sightFamily(target, status),
    ...nodeFamilies(target, status.nodes),
    ...gapFamilies(target, gaps),
    alertsFamily(target, alerts.open()),
  ];
}

function locksFamily(target: string, counts: Context['table']['counts']): Family {
  const states = [
    ['held', counts.held],
    ['free', counts.free],
    ['cooling-down', counts.coolingDown],
    ['orphan-queue', counts.orphanQueues],
  ] as const;
  return {
    name: 'lockscope_locks',
    type: 'gauge',
    help: 'Locks known, by their state; free ones are remembered for a while.',
    samples: states.map(([state, value]) => ({ labels: { target, state }, value })),
  };
}

function sightFamily(target: string, status: Target): Family {
  const sight = sightOfTarget(status);
  return {
    name: 'lockscope_target_sight',
    type: 'gauge',
    help: 'How much of what happens in Redis reaches the console: 1 for what is the case now, 0 for the others.',
    samples: TARGET_SIGHTS.map((each) => ({
      labels: { target, sight: each },
      value: each === sight ? 1 : 0,
    })),
  };
}

type NodeFigure = Omit<Family, 'samples' | 'type'> & {
  type: 'gauge' | 'counter';
  /** Null = not known. */
  value: (node: TargetNode) => number | null;
};

const inSeconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

const NODE_FIGURES: readonly NodeFigure[] = [
  {
    name: 'lockscope_node_connected',
    type: 'gauge',
    help: 'Whether the node is connected.',
    value: ({ connected }) => (connected ? 1 : 0),
  },
  {
    name: 'lockscope_node_events',
    type: 'counter',
    help: 'Keyspace events received from the node.',
    value: ({ eventsTotal }) => eventsTotal,
  },
  {
    name: 'lockscope_node_last_event_timestamp_seconds',
    type: 'gauge',
    help: 'When the last keyspace event came.',
    value: ({ lastEventAt }) => inSeconds(lastEventAt),
  },
  {
    name: 'lockscope_node_event_delay_seconds',
    type: 'gauge',
    help: 'From the write of the last canary to its event: how late the console hears of anything.',
    value: ({ canaryMs }) => inSeconds(canaryMs),
  },
  {
    name: 'lockscope_node_canary_timestamp_seconds',
    type: 'gauge',
    help: 'When the last canary proved what can be seen.',
    value: ({ canaryAt }) => inSeconds(canaryAt),
  },
  {
    name: 'lockscope_node_in_gap',
    type: 'gauge',
    help: 'Whether events of the node may be missed right now.',
    value: ({ gaps }) => (gaps.some(({ to }) => to === null) ? 1 : 0),
  },
];

function nodeFamilies(target: string, nodes: readonly TargetNode[]): Family[] {
  const info: Sample[] = nodes.map(({ addr, role, version }) => ({
    labels: { target, node: addr, role, version: version ?? 'unknown' },
    value: 1,
  }));
  return [
    {
      name: 'lockscope_node',
      type: 'info',
      help: 'A server of the target, its role and its version.',
      samples: info,
    },
    ...NODE_FIGURES.map(({ value: valueOf, ...family }) => ({
      ...family,
      samples: nodes.flatMap((node) => {
        const value = valueOf(node);
        return value === null ? [] : [{ labels: { target, node: node.addr }, value }];
      }),
    })),
  ];
}

function gapFamilies(target: string, gaps: ToldClasses['gaps']): Family[] {
  const samples = (value: (gap: { count: number; ms: number }) => number): Sample[] =>
    [...gaps].map(([reason, gap]) => ({ labels: { target, reason }, value: value(gap) }));
  return [
    {
      name: 'lockscope_gaps',
      type: 'counter',
      help: 'Spans that ended in which events may have been missed, by why.',
      samples: samples(({ count }) => count),
    },
    {
      name: 'lockscope_gap_seconds',
      type: 'counter',
      help: 'Length of those spans.',
      samples: samples(({ ms }) => ms / 1000),
    },
  ];
}

function alertsFamily(target: string, open: readonly Alert[]): Family {
  const counts = new Map<string, Sample>();
  for (const { code, severity, state } of open) {
    const labels = { target, code, severity, state };
    const id = `${code} ${severity} ${state}`;
    counts.set(id, { labels, value: (counts.get(id)?.value ?? 0) + 1 });
  }
  return {
    name: 'lockscope_alerts',
    type: 'gauge',
    help: 'Open alerts by code, severity and whether somebody acknowledged or silenced them.',
    samples: [...counts.values()],
  };
}
