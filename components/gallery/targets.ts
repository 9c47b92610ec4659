import type { Target } from '@/lib/protocol/target';

export function sampleTargets(now: number): Target[] {
  return [
    {
      id: 'default',
      mode: 'standalone',
      dbs: [0, 2],
      watch: ['order_sync:*', 'qoder:lock:*', 'mutex:*', 'redisson_lock__channel:*'],
      nodes: [
        {
          addr: '127.0.0.1:6379',
          role: 'primary',
          runId: '3f0e9c77b0f24a31a1b7b5d0a1f5b0a1d5c0e9aa',
          version: '7.2.4',
          connected: true,
          canSee: { acquire: true, release: true, lapse: false, eviction: null },
          acquireOf: { string: true, hash: true, zset: null },
          notifyFlags: 'K$hgz',
          missingClasses: ['x', 'e', 'n'],
          patterns: ['__keyspace@*__:qoder:lock:*', '__keyspace@*__:mutex:*'],
          canaryMs: 1.3,
          canaryAt: now - 4000,
          lastEventAt: now - 300,
          eventsTotal: 4_218_310,
          eventsPerSecond: 812.4,
          gaps: [
            { from: now - 3_600_000, to: now - 3_588_000, reason: 'buffer-cut' },
            { from: now - 90_000, to: null, reason: 'canary-lost' },
          ],
          sweep: {
            running: true,
            scanned: 312_000,
            keys: 1_000_000,
            locks: 41,
            finishedAt: now - 60_000,
          },
        },
      ],
      capabilities: { config: false, info: true, client: true, eval: true, pubsub: true },
      missingRules: [{ capability: 'config', rule: '+config|get' }],
      unwatchedDbs: [1, 5],
      warnings: [
        {
          code: 'insecure-redis',
          message: 'This Redis takes commands without a password.',
          remedy: 'ACL SETUSER lockscope on >secret ~* &* +@all',
        },
      ],
      probes: [
        { kind: 'subscribers', perSecond: 2, lastMs: 0.42, locks: 41, usecPerSecond: 38 },
        { kind: 'channels', perSecond: 0.4, lastMs: 1.3, locks: 12, usecPerSecond: 512 },
        { kind: 'clients', perSecond: 0.5, lastMs: 3.1, locks: 318, usecPerSecond: 1240 },
        { kind: 'idle-time', perSecond: 20.5, lastMs: null, locks: 41, usecPerSecond: null },
      ],
      idleChannels: [
        {
          channel: 'redisson_lock__channel:{order_sync:8841}',
          subscribers: 3,
          since: now - 2_400_000,
          isFollowed: true,
        },
      ],
      idleChannelCount: 1,
      channelClients: [{ addr: '10.0.4.17:51844', name: 'orders', channels: 3 }],
    },
  ];
}

/** The same a quarter of an hour after the connection went. */
export const lostTargets = (now: number): Target[] =>
  sampleTargets(now).map((target) => ({
    ...target,
    nodes: target.nodes.map((node) => ({
      ...node,
      connected: false,
      eventsPerSecond: 0,
      gaps: [
        ...node.gaps.filter(({ to }) => to !== null),
        { from: now - 900_000, to: null, reason: 'connection-lost' },
      ],
    })),
    warnings: [
      {
        code: 'blind',
        message: 'The connection to 127.0.0.1:6379 is down; nothing shown is current.',
        remedy: 'Lockscope keeps reconnecting; check that Redis runs and can be reached.',
      },
      ...target.warnings,
    ],
  }));
