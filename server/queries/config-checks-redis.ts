import { listOf, sentence } from '@/lib/messages/sentence';
import { blindTo } from '@/server/watch/sight';
import {
  configSet,
  infoFields,
  noConfig,
  noInfo,
  ok,
  settings,
  unknown,
  wrong,
  type Verdict,
} from './config-check';
import type { ConfigFacts } from './config-facts';

const MB = 1024 * 1024;
const SECOND_MS = 1000;
/** What one event takes in the buffer of a subscriber: a push with pattern, channel and event of a lock's key. */
const BYTES_PER_EVENT = 150;
/** A stall of the console, or of the network, that must lose nothing. */
const BRIDGED_MS = 30 * SECOND_MS;
/** Below one event in ten seconds a rate says nothing. */
const LEAST_RATE = 0.1;
const WANTED_BUFFER = 'pubsub 256mb 64mb 60';
const WANTED_FLAGS = 'KEAn';

export function eviction(facts: ConfigFacts): Verdict {
  const { info, config } = facts;
  const policy = config?.get('maxmemory-policy') ?? info?.get('maxmemory_policy');
  if (policy === undefined) return noInfo(facts, 'memory');
  const evidence = infoFields(facts, ['maxmemory_policy', 'maxmemory', 'evicted_keys']);
  if (policy === 'noeviction') return ok(sentence('eviction:ok', {}), { evidence });
  const command = configSet(facts, { 'maxmemory-policy': 'noeviction' });
  if (info?.get('maxmemory') === '0') {
    return ok(sentence('eviction:unlimited', { policy }), { evidence });
  }
  const id = policy.startsWith('volatile') ? 'eviction:volatile' : 'eviction:risk';
  return wrong('critical', sentence(id, { policy }), { evidence, command });
}

export function notifications(facts: ConfigFacts): Verdict {
  const { nodes } = facts.target;
  const evidence = settings(facts, ['notify-keyspace-events']);
  const blind = [...new Set(nodes.flatMap((node) => blindTo(node)))];
  const command = configSet(facts, { 'notify-keyspace-events': WANTED_FLAGS });
  if (blind.length > 0) {
    const reason = sentence('notifications:blind', { unseenWords: listOf(blind) });
    return wrong('warning', reason, { evidence, command });
  }
  const isProven = nodes.length > 0 && nodes.every(({ canSee }) => canSee.acquire === true);
  return isProven
    ? ok(sentence('notifications:ok', {}), { evidence })
    : unknown(sentence('notifications:unproven', {}), { evidence });
}

/** Whether a server with these flags tells all that one with `wanted` tells. `A` stands for all classes but `n` and `m`. */
function tellsAs(flags: string, wanted: string): boolean {
  const tells = (flag: string): boolean =>
    flags.includes(flag) || (flags.includes('A') && /[g$lshzxetd]/.test(flag));
  return [...wanted].every((flag) =>
    flag === 'A' ? [...'g$lshzxe'].every(tells) : flag === 'n' || tells(flag),
  );
}

export function replicaNotifications(facts: ConfigFacts): Verdict {
  const { replicas, config } = facts;
  if (replicas === null) return noInfo(facts, 'replication');
  if (replicas.length === 0) return ok(sentence('replica-notifications:none', {}));
  const evidence = replicas.map(({ address, flags }) => ({
    name: address,
    value: flags === null ? '?' : flags || '""',
  }));
  const wanted = config?.get('notify-keyspace-events') || 'KEA';
  const deaf = replicas.find(({ flags }) => flags !== null && !tellsAs(flags, wanted));
  if (deaf) {
    const { address, cli, flags } = deaf;
    const said = flags || '""';
    return wrong('warning', sentence('replica-notifications:wrong', { address, flags: said }), {
      evidence,
      command: `${cli} CONFIG SET notify-keyspace-events ${wanted}`,
    });
  }
  const silent = replicas.find(({ flags }) => flags === null);
  if (!silent) return ok(sentence('replica-notifications:ok', {}), { evidence });
  const { address, cli } = silent;
  return unknown(sentence('replica-notifications:unknown', { address }), {
    evidence,
    command: `${cli} CONFIG GET notify-keyspace-events`,
  });
}

const longestSave = (save: string): number =>
  Math.max(
    0,
    ...save
      .split(/\s+/)
      .filter((_, i) => i % 2 === 0)
      .map(Number),
  ) * SECOND_MS;

export function persistence(facts: ConfigFacts): Verdict {
  const { config, info } = facts;
  if (!config) {
    const enabled = info?.get('aof_enabled');
    if (enabled === undefined) return noConfig(facts, ['appendonly', 'appendfsync', 'save']);
    const state = enabled === '1' ? 'kept' : 'not kept';
    return unknown(sentence('persistence:unknown', { state }), {
      evidence: infoFields(facts, ['aof_enabled']),
      command: `${facts.cli} CONFIG GET appendfsync save`,
    });
  }
  const evidence = settings(facts, ['appendonly', 'appendfsync', 'save']);
  const more = {
    evidence,
    command: configSet(facts, { appendonly: 'yes', appendfsync: 'always' }),
  };
  if (config.get('appendonly') === 'yes') {
    const fsync = config.get('appendfsync');
    if (fsync === 'always') return ok(sentence('persistence:always', {}), { evidence });
    return fsync === 'everysec'
      ? wrong('info', sentence('persistence:everysec', {}), more)
      : wrong('warning', sentence('persistence:os', {}), more);
  }
  const save = config.get('save') ?? '';
  if (save === '') return wrong('warning', sentence('persistence:none', {}), more);
  const ageMs = longestSave(save);
  return wrong('warning', sentence('persistence:snapshots', { ageMs }), more);
}

export function replicaAcknowledgement(facts: ConfigFacts): Verdict {
  const { replicas, config } = facts;
  if (replicas === null) return noInfo(facts, 'replication');
  if (replicas.length === 0) return ok(sentence('replica-acknowledgement:none', {}));
  const least = config?.get('min-replicas-to-write');
  if (least === undefined)
    return noConfig(facts, ['min-replicas-to-write', 'min-replicas-max-lag']);
  const evidence = settings(facts, ['min-replicas-to-write', 'min-replicas-max-lag']);
  const lagMs = Number(config?.get('min-replicas-max-lag') ?? 0) * SECOND_MS;
  if (Number(least) > 0 && lagMs > 0) {
    const reason = sentence('replica-acknowledgement:ok', { replicas: least, lagMs });
    return ok(reason, { evidence });
  }
  const command = configSet(facts, { 'min-replicas-to-write': '1', 'min-replicas-max-lag': '10' });
  return wrong('info', sentence('replica-acknowledgement:wrong', {}), { evidence, command });
}

/** Hard limit, soft limit (bytes, 0 = none) and for how long the soft one may be passed (ms). */
function pubsubLimit(text: string): { hard: number; soft: number; softMs: number } | null {
  const [, hard, soft, seconds] = /pubsub (\d+) (\d+) (\d+)/.exec(text) ?? [];
  if (hard === undefined || soft === undefined || seconds === undefined) return null;
  return { hard: Number(hard), soft: Number(soft), softMs: Number(seconds) * SECOND_MS };
}

export function outputBuffer(facts: ConfigFacts): Verdict {
  const limit = pubsubLimit(facts.config?.get('client-output-buffer-limit') ?? '');
  const command = `${facts.cli} CONFIG SET client-output-buffer-limit "${WANTED_BUFFER}"`;
  if (!limit) {
    return facts.bufferCut
      ? wrong('warning', sentence('output-buffer:cut', {}), { command })
      : noConfig(facts, ['client-output-buffer-limit']);
  }
  const perSecond = facts.target.nodes.reduce((sum, node) => sum + node.eventsPerSecond, 0);
  const evidence = [
    ...settings(facts, ['client-output-buffer-limit']),
    { name: 'events/s', value: perSecond.toFixed(1) },
  ];
  if (facts.bufferCut) {
    return wrong('warning', sentence('output-buffer:cut', {}), { evidence, command });
  }
  const { hard, soft, softMs } = limit;
  if (hard === 0 && soft === 0) return ok(sentence('output-buffer:unlimited', {}), { evidence });
  const megabytes = Math.round((hard || soft) / MB);
  if (perSecond < LEAST_RATE) {
    return ok(sentence('output-buffer:idle', { megabytes }), { evidence });
  }
  const msFor = (bytes: number): number => (bytes / (perSecond * BYTES_PER_EVENT)) * SECOND_MS;
  const bridgedMs = Math.round(
    Math.min(hard ? msFor(hard) : Infinity, soft ? msFor(soft) + softMs : Infinity),
  );
  const values = { megabytes, bridgedMs };
  return bridgedMs < BRIDGED_MS
    ? wrong('warning', sentence('output-buffer:small', values), { evidence, command })
    : ok(sentence('output-buffer:ok', values), { evidence });
}

export function idleConnections(facts: ConfigFacts): Verdict {
  const idle = facts.config?.get('timeout');
  const alive = facts.config?.get('tcp-keepalive');
  if (idle === undefined || alive === undefined)
    return noConfig(facts, ['timeout', 'tcp-keepalive']);
  const evidence = settings(facts, ['timeout', 'tcp-keepalive']);
  if (alive === '0') {
    const command = configSet(facts, { 'tcp-keepalive': '60' });
    return wrong('warning', sentence('idle-connections:no-keepalive', {}), { evidence, command });
  }
  if (idle !== '0') {
    const idleMs = Number(idle) * SECOND_MS;
    const command = configSet(facts, { timeout: '0' });
    return wrong('info', sentence('idle-connections:timeout', { idleMs }), { evidence, command });
  }
  // Redis asks after that time, and gives up after three more thirds of it.
  const aliveMs = Number(alive) * 2 * SECOND_MS;
  return ok(sentence('idle-connections:ok', { aliveMs }), { evidence });
}

export function version(facts: ConfigFacts): Verdict {
  const known = facts.info?.get('redis_version') ?? facts.target.nodes[0]?.version ?? null;
  if (known === null) {
    return unknown(sentence('version:unknown', {}), { command: `${facts.cli} INFO server` });
  }
  const evidence = [{ name: 'redis_version', value: known }];
  return Number(known.split('.')[0]) < 7
    ? wrong('warning', sentence('version:old', { version: known }), { evidence })
    : ok(sentence('version:ok', { version: known }), { evidence });
}
