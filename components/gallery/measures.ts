import type { Alert } from '@/lib/protocol/alert';
import type { AuditEntry } from '@/lib/protocol/audit';
import type {
  Deadlock,
  Heatmap,
  HeatMetric,
  LockClass,
  Overview,
  Waits,
} from '@/lib/protocol/measures';
import type { Target } from '@/lib/protocol/target';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';

const STEP_MS = 10_000;
const MINUTE_MS = 60_000;

const CLASSES: [string, string][] = [
  ['order_sync', 'order_sync:*'],
  ['order_sync', 'order_sync:refund:*'],
  ['stock', 'stock:sku:*'],
  ['stock', 'stock:segment:*'],
  ['log_analysis', 'log_analysis:LOG-*'],
  ['billing', 'billing:invoice:*:close'],
  ['billing', 'billing:month-end'],
  ['', 'nightly-report'],
];

/** The same figures at every run: a picture that changes by itself cannot be compared. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function waveValue(row: number, column: number, random: () => number): number {
  const base = [0.02, 0.2, 1.4, 0.6, 0, 0.05, 0.9, 0.003][row % 8] ?? 0;
  const burst = row % 8 === 2 && column % 60 > 40 ? 6 : 1;
  const diagonal = Math.abs(row * 12 - column) < 5 ? 3 : 0;
  return random() < 0.12 ? 0 : base * burst * (0.4 + random()) + diagonal * random();
}

interface HeatOptions {
  now: number;
  metric?: HeatMetric;
  rows?: number;
  columns?: number;
  stepMs?: number;
  /** Columns at the start in which nothing was watched. */
  unwatched?: number;
  gaps?: boolean;
}

export function sampleHeatmap(options: HeatOptions): Heatmap {
  const { now, metric = 'hold-share', rows = 8, columns = 180, stepMs = STEP_MS } = options;
  const random = createRandom(7);
  const end = Math.floor(now / stepMs) * stepMs;
  const starts = Array.from({ length: columns }, (_, c) => end - (columns - c) * stepMs);
  const gapFrom = Math.floor(columns * 0.62);
  const names = Array.from({ length: rows }, (_, row) => {
    const [namespace, name] = CLASSES[row % 8] ?? ['', 'x'];
    const part = Math.floor((row * 8) / rows);
    const block = CLASSES[part]?.[0] ?? '';
    return rows <= 8 ? { namespace, name } : { namespace: block, name: `${block}:task-${row}:*` };
  });
  return {
    metric,
    rows: names.map(({ namespace, name }) => ({ label: name, path: [namespace, name] })),
    columns: starts,
    stepMs,
    values: names.map((_, row) =>
      starts.map((_at, column) => {
        if (column < (options.unwatched ?? 0)) return null;
        if (options.gaps && column >= gapFrom && column < gapFrom + 6) return null;
        if (metric === 'waiters' && row % 3 === 1) return null;
        return waveValue(row, column, random);
      }),
    ),
    unit: 'locks',
    evidence: metric === 'waiters' ? 'inferred' : 'observed',
    gaps: options.gaps
      ? [
          {
            from: starts[gapFrom] ?? 0,
            to: (starts[gapFrom] ?? 0) + 6 * stepMs,
            reason: 'buffer-cut',
          },
        ]
      : [],
    rowsLeftOut: rows > 100 ? 412 : 0,
  };
}

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
    ends: { released: 800, 'lease-ended': index },
  }));
}

const BUCKETS = Array.from({ length: 17 }, (_, power) => 2 ** power);

export function sampleWaits(now: number): Waits {
  const random = createRandom(3);
  const bell = (middle: number, height: number) =>
    BUCKETS.map((le, power) => ({
      le,
      count: Math.round(height * Math.exp(-((power - middle) ** 2) / 6) * (0.7 + random() * 0.6)),
    }));
  return {
    buckets: bell(5, 220),
    p50: 38,
    p95: 812,
    p99: 9400,
    count: 1311,
    evidence: 'inferred',
    sources: [
      { source: 'fair-queue', evidence: 'observed', count: 1102 },
      { source: 'token-time', evidence: 'inferred', count: 209 },
    ],
    notObservable: [
      { class: 'log_analysis:LOG-*', formats: ['redlock'] },
      { class: 'nightly-report', formats: ['shedlock', 'redis-py'] },
    ],
    holds: { buckets: bell(8, 900), p50: 210, p95: 1900, p99: 14_000, count: 5210 },
    byClass: sampleClasses().map((each) => ({
      class: each.class,
      waitMs: each.waitMs,
      holdMs: each.holdMs,
      evidence: each.evidence,
    })),
    from: now - 30 * MINUTE_MS,
    to: now,
    gaps: [{ from: now - 12 * MINUTE_MS, to: now - 11 * MINUTE_MS, reason: 'connection-lost' }],
  };
}

const lockOf = (key: string) => ({ db: 0, key, keyB64: toBase64Url(bytesFromText(key)) });

export function sampleDeadlocks(now: number): Deadlock[] {
  const edge = (owner: string, key: string, heldBy: string, renewed: boolean) => ({
    owner,
    waitsFor: lockOf(key),
    heldBy,
    waitingSince: now - 92_000,
    deadline: renewed ? null : now + 21_000,
    renewed,
  });
  return [
    {
      id: 'dl-1',
      state: 'confirmed',
      target: 'default',
      cycle: [
        edge('8743c9c0-0795-4907-87fd-6c719a6b4586:14', 'order_sync:20771', 'worker-b:3', true),
        edge('worker-b:3', 'stock:sku:99-A', '8743c9c0-0795-4907-87fd-6c719a6b4586:14', true),
      ],
      since: now - 92_000,
      resolvedAt: null,
      evidence: 'observed',
    },
    {
      id: 'dl-2',
      state: 'confirmed',
      target: 'default',
      cycle: [
        edge('pod-1:1', 'billing:invoice:1:close', 'pod-2:7', false),
        edge('pod-2:7', 'billing:month-end', 'pod-3:2', false),
        edge('pod-3:2', 'stock:segment:4', 'pod-1:1', true),
      ],
      since: now - 12_000,
      resolvedAt: null,
      evidence: 'inferred',
    },
    {
      id: 'dl-3',
      state: 'resolved',
      target: 'default',
      cycle: Array.from({ length: 6 }, (_, i) =>
        edge(`thread-${i}`, `shard:${i}:rebuild`, `thread-${(i + 1) % 6}`, false),
      ),
      since: now - 4_000_000,
      resolvedAt: now - 3_900_000,
      evidence: 'inferred',
    },
  ];
}

export function sampleAlerts(now: number): Alert[] {
  const alert = (
    id: string,
    about: Pick<Alert, 'code' | 'severity' | 'state' | 'summary' | 'remedy'>,
    keys: string[],
  ): Alert => ({
    id,
    ...about,
    target: 'default',
    subject: {
      kind: keys.length > 1 ? 'locks' : about.code === 'blind' ? 'target' : 'lock',
      label: keys[0] ?? '127.0.0.1:6379',
      locks: keys.map(lockOf),
      deadlockId: about.code === 'deadlock' ? 'dl-1' : null,
    },
    since: now - 47 * MINUTE_MS,
    updatedAt: now - 4000,
    resolvedAt: about.state === 'resolved' ? now - 3 * MINUTE_MS : null,
    count: keys.length > 1 ? 31 : 1,
    evidence: about.code === 'takeover' ? 'inferred' : 'observed',
    acknowledgedBy: about.state === 'acknowledged' ? 'mira@example.com' : null,
    acknowledgedReason:
      about.state === 'acknowledged' ? 'month-end run, expected until noon' : null,
    silencedUntil: about.state === 'silenced' ? now + 40 * MINUTE_MS : null,
  });
  return [
    alert(
      'a1',
      {
        code: 'deadlock',
        severity: 'critical',
        state: 'firing',
        summary: '2 owners wait for each other: order_sync:20771 and stock:sku:99-A.',
        remedy: 'Release one of the two locks; the renewed leases will not end by themselves.',
      },
      ['order_sync:20771', 'stock:sku:99-A'],
    ),
    alert(
      'a2',
      {
        code: 'no-expiry',
        severity: 'critical',
        state: 'firing',
        summary: 'Held for 2 h 14 m without an expiry by ip-10-0-3-17; it never frees itself.',
        remedy: 'Check whether the holder is alive; release the lock if it is not.',
      },
      ['qoder:lock:log_analysis:LOG-20260612-7789'],
    ),
    alert(
      'a3',
      {
        code: 'long-hold',
        severity: 'warning',
        state: 'firing',
        summary: 'Held 47 m by worker-7, renewed 282×; p99 of its class is 3.1 s.',
        remedy: 'Look at what the holder does; a release does not stop its work.',
      },
      [`stock:sku:${'<b>very long name</b>-'.repeat(60)}`],
    ),
    alert(
      'a4',
      {
        code: 'takeover',
        severity: 'warning',
        state: 'acknowledged',
        summary: '31 locks changed hands without a release in 5 min.',
        remedy: 'Compare the lease with the time the work takes.',
      },
      ['order_sync:1', 'order_sync:2', 'order_sync:3'],
    ),
    alert(
      'a5',
      {
        code: 'blind',
        severity: 'warning',
        state: 'silenced',
        summary: 'Lapses cannot be seen: notify-keyspace-events lacks "x".',
        remedy: 'CONFIG SET notify-keyspace-events KEAn',
      },
      [],
    ),
    alert(
      'a6',
      {
        code: 'evicted',
        severity: 'critical',
        state: 'resolved',
        summary: 'Redis evicted the lock while pod-3 held it.',
        remedy: 'Set maxmemory-policy to volatile-ttl or noeviction.',
      },
      ['billing:month-end'],
    ),
  ];
}

export function sampleAudit(now: number): AuditEntry[] {
  const outcomes = ['done', 'requested', 'refused', 'failed'] as const;
  return Array.from({ length: 12 }, (_, index) => {
    const outcome = outcomes[index % 4] ?? 'done';
    const key = index % 3 === 2 ? null : `order_sync:${20_000 + index}`;
    return {
      seq: 412 - index,
      at: now - index * 7 * MINUTE_MS,
      actor: index % 2 ? 'mira@example.com' : 'automation',
      action: index % 3 === 2 ? 'session.sign-in' : 'lock.release',
      target: 'default',
      db: 0,
      key,
      keyB64: key && toBase64Url(bytesFromText(key)),
      reason: key && 'holder is gone after the node was drained',
      outcome,
      code: outcome === 'refused' ? 'CONFLICT' : outcome === 'failed' ? 'TARGET_UNAVAILABLE' : null,
      before: key && { owner: 'worker-b:3', since: now - 90_000, version: '17:ab' },
      after:
        outcome === 'done' && key ? { outcome: 'released', wokeWaiters: 2, cameBack: false } : null,
      requestId: `req-${index}`,
      businessId: index % 5 === 0 ? 'ORD-20771' : null,
      prevHash: 'f3'.repeat(32),
      hash: `${index.toString(16)}a9c`.repeat(16),
    };
  });
}

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
    },
  ];
}

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
    acquisitions: Array.from({ length: 180 }, (_, step) => ({
      at: now - (180 - step) * STEP_MS,
      value:
        step > 110 && step < 117
          ? null
          : Math.round(400 + 200 * Math.sin(step / 9) + random() * 160),
    })),
    busiest: sampleClasses().slice(0, 6),
    heatmap: sampleHeatmap({ now, gaps: true }),
    targets: [
      { id: 'default', connected: true, blind: true, eventsPerSecond: 812, sweeping: true },
      { id: 'cache-2', connected: false, blind: false, eventsPerSecond: 0, sweeping: false },
    ],
  };
}
