import type { Alert, AlertDetail, AlertEvent } from '@/lib/protocol/alert';
import { ALERT_CODES } from '@/lib/protocol/closed-sets';
import type { DryRun, Rule, RulesPage, RuleSetting, Silence } from '@/lib/protocol/rules';
import { sampleAlerts } from './incidents';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function alertOf(now: number, id: string): Alert {
  const found = sampleAlerts(now).find((alert) => alert.id === id);
  if (!found) throw new Error(`the gallery has no alert ${id}`);
  return found;
}

function eventsOf(alert: Alert): AlertEvent[] {
  const event = (
    afterMs: number,
    kind: AlertEvent['kind'],
    text: string,
    more: Partial<AlertEvent> = {},
  ): AlertEvent => ({
    alert: alert.id,
    at: alert.since + afterMs,
    kind,
    actor: null,
    text,
    evidence: null,
    ...more,
  });
  const seen = { evidence: 'observed' } as const;
  return [
    event(0, 'pending', 'The condition was first seen: two owners wait for each other.', seen),
    event(412, 'fired', alert.summary, seen),
    event(1_204, 'notified', 'Told #locks-oncall (Slack-compatible) that it fires.'),
    event(9_310, 'notify-failed', 'e-mail to oncall@example.com: connection refused; tried again.'),
    event(4 * MINUTE_MS, 'changed', '3 owners wait behind the circle.', { evidence: 'inferred' }),
    event(11 * MINUTE_MS, 'doubtful', 'The connection to Redis was lost: not seen since.'),
    event(12 * MINUTE_MS, 'certain', 'It is seen again and still so.', seen),
    event(20 * MINUTE_MS + 27, 'acknowledged', 'Looking at the order service.', {
      actor: 'mira@example.com',
    }),
    event(31 * MINUTE_MS, 'acted', 'Released stock:sku:99-A: holder is gone after the drain.', {
      actor: 'mira@example.com',
    }),
  ];
}

/** An incident with a story. */
export function sampleIncident(now: number): AlertDetail {
  const alert: Alert = {
    ...alertOf(now, 'a1'),
    state: 'acknowledged',
    acknowledgedBy: 'mira@example.com',
    acknowledgedReason: 'Looking at the order service.',
    acknowledgedAt: now - 27 * MINUTE_MS,
    labels: { class: null, namespace: 'order_sync', owner: 'worker-b:3', node: 'order-7' },
  };
  return {
    alert,
    events: eventsOf(alert),
    isCut: false,
    impact: {
      from: alert.since,
      to: now,
      acquisitions: 214,
      lost: 3,
      heldMs: 2.4 * HOUR_MS,
      waitedMs: 5.1 * HOUR_MS,
    },
  };
}

/** One that is over, with more lines than are drawn at once, and text that tries to be markup. */
export function longIncident(now: number): AlertDetail {
  const alert = alertOf(now, 'a6');
  const markup = '<img src=x onerror=alert(1)> '.repeat(8);
  return {
    alert,
    isCut: true,
    events: Array.from({ length: 500 }, (_, index) => ({
      alert: alert.id,
      at: alert.since + index * 4000,
      kind: index % 9 === 0 ? ('flapping' as const) : ('changed' as const),
      actor: null,
      text: index % 50 === 0 ? markup : `Changed for the ${index}th time.`,
      evidence: 'observed' as const,
    })),
  };
}

/** Nobody looks after it, it is doubtful, and it is part of another. */
export const quietIncident = (now: number): AlertDetail => ({
  alert: alertOf(now, 'a8'),
  events: [],
  isCut: false,
  impact: null,
});

const PER_CODE: Partial<Record<Rule['code'], { unit: Rule['unit']; value: number }>> = {
  'long-hold': { unit: 'ms', value: MINUTE_MS },
  'no-expiry': { unit: 'ms', value: 30_000 },
  'waiter-pileup': { unit: 'count', value: 20 },
  'retry-storm': { unit: 'per-second', value: 50 },
};

function ruleOf(code: Rule['code'], now: number): Rule {
  const known = PER_CODE[code];
  const standard: RuleSetting = {
    enabled: true,
    severity: null,
    forMs: 0,
    keepFiringMs: 0,
    threshold: known ? { kind: 'static', value: known.value } : null,
  };
  const rule: Rule = {
    code,
    unit: known?.unit ?? null,
    standard,
    setting: standard,
    classes: [],
    usual: [],
    version: null,
    open: code === 'long-hold' ? 2 : 0,
    changedBy: null,
    changedAt: null,
  };
  if (code === 'flapping') {
    return { ...rule, setting: { ...standard, enabled: false }, changedBy: 'mira', changedAt: now };
  }
  if (code !== 'long-hold') return rule;
  return {
    ...rule,
    setting: {
      ...standard,
      forMs: 90_000,
      threshold: { kind: 'adaptive', factor: 3, least: 10_000, otherwise: MINUTE_MS },
    },
    classes: [
      {
        class: 'billing:month-end:*',
        setting: { ...standard, threshold: { kind: 'static', value: 2 * HOUR_MS } },
        version: 1,
        usual: null,
      },
      {
        class: `stock:${'very-long-'.repeat(20)}*`,
        setting: { ...standard, severity: 'info' },
        version: 2,
        usual: null,
      },
      {
        class: 'import:*',
        setting: {
          ...standard,
          threshold: { kind: 'adaptive', factor: 2, least: 5_000, otherwise: MINUTE_MS },
        },
        version: 3,
        usual: {
          ...{ class: 'import:*', p99Ms: null, holds: 17, from: now - 26 * HOUR_MS },
          limitMs: MINUTE_MS,
        },
      },
    ],
    usual: [
      {
        ...{ class: 'order_sync:*', p99Ms: 42_000, holds: 1240, from: now - 150 * HOUR_MS },
        limitMs: 126_000,
      },
      {
        ...{ class: 'cart:*', p99Ms: 800, holds: 96_000, from: now - 150 * HOUR_MS },
        limitMs: 10_000,
      },
    ],
    changedBy: 'mira@example.com',
    changedAt: now - 26 * HOUR_MS,
  };
}

const sampleSilences = (now: number): Silence[] => [
  {
    id: 's1',
    matcher: { code: 'long-hold', class: 'billing:month-end:*' },
    since: now - HOUR_MS,
    until: now + 40 * MINUTE_MS,
    actor: 'mira@example.com',
    reason: 'month-end run, expected until noon',
    matching: 3,
  },
  {
    id: 's2',
    matcher: { severity: 'info', namespace: 'stock', owner: 'worker-7:3', key: 'stock:sku:*' },
    since: now - 9 * HOUR_MS,
    until: now + 3 * 24 * HOUR_MS,
    actor: 'automation',
    reason: 'load test',
    matching: 0,
  },
];

export const sampleRules = (now: number): RulesPage => ({
  rules: ALERT_CODES.map((code) => ruleOf(code, now)),
  silences: sampleSilences(now),
});

export const manyRules = (now: number): RulesPage => ({
  rules: sampleRules(now).rules.map((rule) => ({
    ...rule,
    classes: Array.from({ length: rule.unit === null ? 0 : 40 }, (_, index) => ({
      class: `class:${index}:*`,
      setting: { ...rule.standard, forMs: index * 1000 },
      version: index,
      usual: null,
    })),
  })),
  silences: Array.from({ length: 120 }, (_, index) =>
    sampleSilences(now).map((silence) => ({ ...silence, id: `${silence.id}-${index}` })),
  ).flat(),
});

export const sampleDryRun = (now: number): DryRun => ({
  code: 'long-hold',
  from: now - 7 * 24 * HOUR_MS,
  to: now,
  limits: [
    {
      class: 'order_sync:*',
      p99Ms: 4200,
      holds: 12_345,
      from: now - 6 * 24 * HOUR_MS,
      limitMs: 12_600,
    },
    { class: 'rare:*', p99Ms: null, holds: 7, from: now - 6 * 24 * HOUR_MS, limitMs: MINUTE_MS },
  ],
  fired: 3,
  firedNow: 11,
  classes: [
    { class: 'order_sync:*', fired: 2, firedNow: 8 },
    { class: 'stock:sku:*', fired: 1, firedNow: 3 },
  ],
  examples: [
    { at: now - 9 * HOUR_MS, label: 'order_sync:20771', class: 'order_sync:*', value: 143_000 },
    { at: now - 30 * HOUR_MS, label: 'stock:sku:99-A', class: 'stock:sku:*', value: 98_000 },
  ],
  basis: 48_211,
  evidence: 'observed',
});
