import type { Alert, AlertPage } from '@/lib/protocol/alert';
import type { AuditEntry } from '@/lib/protocol/audit';
import { bytesFromText, toBase64Url } from '@/lib/protocol/bytes';
import { AlertsParams } from '@/lib/protocol/queries';
import type { Deadlock } from '@/lib/protocol/deadlock';

const MINUTE_MS = 60_000;

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

/** As a template is learnt: what differs between its locks is left out. */
const classOf = (key: string): string => key.replace(/[^:]+$/, '*').slice(0, 200);

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
    acknowledgedAt: about.state === 'acknowledged' ? now - 20 * MINUTE_MS : null,
    silencedUntil: about.state === 'silenced' ? now + 40 * MINUTE_MS : null,
    silencedBy: about.state === 'silenced' ? 'mira@example.com' : null,
    silencedReason: about.state === 'silenced' ? 'Redis is set up anew on Friday' : null,
    labels: {
      class: keys[0] === undefined ? null : classOf(keys[0]),
      namespace: keys[0]?.split(':')[0] ?? null,
      owner: about.code === 'long-hold' ? 'worker-7:3' : null,
      node: about.code === 'long-hold' ? 'worker-7' : null,
    },
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
    {
      ...alert(
        'a7',
        {
          code: 'waiter-pileup',
          severity: 'warning',
          state: 'pending',
          summary: '26 owners wait for it.',
          remedy: 'Look at the holder, or spread the load over several locks.',
        },
        ['stock:sku:7'],
      ),
      since: now - 18_000,
      firesAt: now + 12_000,
    },
    {
      ...alert(
        'a8',
        {
          code: 'long-hold',
          severity: 'warning',
          state: 'firing',
          summary: 'Held 12 min by worker-9, renewed 72×.',
          remedy: 'Look at what the holder does; a release does not stop its work.',
        },
        ['order_sync:20771'],
      ),
      partOf: 'a1',
      flaps: 4,
      doubtful: { code: 'blind', since: now - 2 * MINUTE_MS },
    },
    {
      ...alert(
        'a9',
        {
          code: 'renewal-missed',
          severity: 'warning',
          state: 'firing',
          summary: 'Its renewal is overdue by 11 s; the lease ends in 9 s.',
          remedy: 'Look whether the process of the holder is alive.',
        },
        ['report:daily'],
      ),
      keptUntil: now + 50_000,
    },
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

/** Answers as the server does about the commonest conditions. */
export function alertPage(alerts: readonly Alert[], params: unknown): AlertPage {
  const { state, code, severity, limit } = AlertsParams.parse(params ?? {});
  const isOpen = (alert: Alert): boolean => alert.state !== 'resolved';
  const items = alerts.filter(
    (alert) =>
      (state === undefined || (state === 'open' ? isOpen(alert) : alert.state === state)) &&
      (code === undefined || alert.code === code) &&
      (severity === undefined || alert.severity === severity),
  );
  const counted = (name: 'class' | 'namespace' | 'owner' | 'node') =>
    [...new Set(items.map(({ labels }) => labels?.[name] ?? null))].map((value) => ({
      name: value,
      count: items.filter(({ labels }) => (labels?.[name] ?? null) === value).length,
    }));
  const firing = alerts.filter((alert) => alert.state === 'firing');
  const ofSeverity = (wanted: Alert['severity']): number =>
    firing.filter((alert) => alert.severity === wanted).length;
  return {
    items: items.slice(0, limit),
    open: items.filter(isOpen).length,
    groups: {
      code: [],
      class: counted('class'),
      namespace: counted('namespace'),
      owner: counted('owner'),
      node: counted('node'),
    },
    attention: {
      critical: ofSeverity('critical'),
      warning: ofSeverity('warning'),
      info: ofSeverity('info'),
    },
  };
}
