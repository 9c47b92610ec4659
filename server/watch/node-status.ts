import { printable } from '@/lib/protocol/bytes';
import type { ProbeLoad, Target, TargetNode } from '@/lib/protocol/target';
import { displayAddress } from '@/server/redis/connection-options';
import type { IdleChannels } from './channel-watch';
import type { EventCounter } from './event-counter';
import type { GapLog } from './gap-log';
import type { OtherDb } from './other-dbs';
import type { ServerFacts } from './server-facts';
import type { SightWatch } from './sight-watch';
import type { SweepProgress } from './sweep';
import type { TaskName } from './tasks';

/** What is known of one node. */
export interface NodeState {
  url: string;
  dbs: readonly number[];
  now: number;
  facts: ServerFacts;
  connected: boolean;
  /** The last error of the connection, while it is down. */
  connectionError: string | null;
  sight: Pick<
    SightWatch,
    'sight' | 'subscribed' | 'speaksResp3' | 'isBlind' | 'canaryMs' | 'canaryAt' | 'writeRefusal'
  >;
  insecure: boolean;
  /** What is known of the dbs that are not watched. */
  otherDbs: ReadonlyMap<number, OtherDb>;
  /** What keeps failing, by name of the task. */
  problems: ReadonlyMap<TaskName, string>;
  /** Missing ACL rules beyond the capabilities, by what they are for. */
  otherRules: ReadonlyMap<string, string>;
  events: EventCounter;
  gaps: GapLog;
  sweep: SweepProgress;
  /** Keys in the watched dbs, as last counted. */
  size: number | null;
  roundTrip: NonNullable<Target['roundTrip']> | null;
  probes: readonly ProbeLoad[];
  idle: IdleChannels;
}

const UNKNOWN = { acquire: null, release: null, lapse: null, eviction: null };

export function nodeStatus(state: NodeState): TargetNode {
  const { facts, sight, events, sweep } = state;
  const keys = keyCount(state);
  return {
    addr: displayAddress(state.url),
    role: facts.role,
    runId: facts.runId,
    version: facts.version,
    connected: state.connected,
    canSee: sight.sight?.canSee ?? UNKNOWN,
    acquireOf: sight.sight?.acquireOf ?? { string: null, hash: null, zset: null },
    notifyFlags: facts.notifyFlags,
    missingClasses: sight.sight?.missingClasses ?? [],
    patterns: sight.subscribed.patterns.map(printable),
    canaryMs: sight.canaryMs,
    canaryAt: sight.canaryAt,
    lastEventAt: events.lastAt,
    eventsTotal: events.total,
    eventsPerSecond: events.perSecond,
    gaps: state.gaps.all(),
    // SCAN with MATCH does not tell how many names it passed, only how many it was asked to.
    sweep: { ...sweep, scanned: Math.min(sweep.scanned, keys ?? Infinity), keys },
  };
}

function keyCount({ facts, dbs, size }: NodeState): number | null {
  const { keys } = facts;
  return keys === null ? size : dbs.reduce((sum, db) => sum + (keys.get(db) ?? 0), 0);
}

/** `pubsub` is true only where both counting subscribers and subscribing to events are allowed. */
export function capabilitiesOf({ facts, sight }: NodeState): Target['capabilities'] {
  const pubsub = facts.capabilities.pubsub && sight.subscribed.refusal === null;
  return { ...facts.capabilities, pubsub };
}

/** Dbs that have keys and are not watched; empty where INFO is forbidden. */
export function unwatchedDbs({ facts, dbs }: Pick<NodeState, 'facts' | 'dbs'>): number[] {
  return [...(facts.keys?.keys() ?? [])].filter((db) => !dbs.includes(db));
}

/** The channels that are listened to for nothing, and who may listen; nothing where there are none. */
export function idleChannels({
  idle,
}: Pick<NodeState, 'idle'>): Pick<Target, 'idleChannels' | 'idleChannelCount' | 'channelClients'> {
  const { channels, count, clients } = idle;
  if (count === 0) return {};
  return {
    idleChannels: [...channels],
    idleChannelCount: count,
    ...(clients && { channelClients: [...clients] }),
  };
}
