import { labels as words } from '@/lib/messages/en/labels';
import { inEnglish } from '@/lib/messages/in-english';
import { sentence } from '@/lib/messages/sentence';
import type { Alert } from '@/lib/protocol/alert';
import { DELIVERED } from '@/server/notify/outcome';
import { post } from '@/server/notify/post';
import { alertUrl, oneLine } from '@/server/notify/wording';
import type { Kind, Outgoing, SettingsOf } from './kind';

/** Alertmanager takes an alert for resolved when it has not heard of it for so long. */
const LASTS_MS = 5 * 60_000;
const AT_ONCE = 500;

const iso = (at: number): string => new Date(at).toISOString();

/** Labels are what Alertmanager knows an alert by, so nothing is among them that changes while it lasts. */
function labelsOf({ id, code, severity, target, subject, labels }: Alert): Record<string, string> {
  const all = {
    alertname: code,
    severity,
    redis: target,
    lock: subject.locks[0]?.key ?? subject.label,
    class: labels?.class ?? '',
    namespace: labels?.namespace ?? '',
    lockscope_alert: id,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
}

/** A `postableAlert` of Alertmanager's API v2 (api/v2/openapi.yaml in its repository). */
function postable(
  alert: Alert,
  isOver: boolean,
  { publicUrl, now }: { publicUrl: string; now: number },
) {
  const { code, summary, remedy, since, resolvedAt, evidence, labels, ending } = alert;
  return {
    labels: labelsOf(alert),
    annotations: {
      title: words.alertCodes[code],
      summary: oneLine(summary),
      description: oneLine(remedy),
      evidence,
      ...(isOver && ending && { ending: oneLine(ending.text), endingEvidence: ending.evidence }),
      ...(labels?.owner && { holder: oneLine(labels.owner) }),
    },
    startsAt: iso(since),
    endsAt: iso(isOver ? Math.max(resolvedAt ?? now, since) : now + LASTS_MS),
    generatorURL: alertUrl(publicUrl, alert.id),
  };
}

const endpoint = ({ url }: SettingsOf<'alertmanager'>): URL =>
  new URL(`${url.replace(/\/+$/, '')}/api/v2/alerts`);

async function postAlerts(
  settings: SettingsOf<'alertmanager'>,
  alerts: readonly unknown[],
  signal: AbortSignal,
) {
  const { user = '', secret } = settings;
  const login = Buffer.from(`${user}:${secret ?? ''}`).toString('base64');
  return await post({
    url: endpoint(settings),
    headers: secret ? { authorization: `Basic ${login}` } : {},
    body: JSON.stringify(alerts),
    signal,
    hidden: secret ? [secret, login] : [],
  });
}

/** A test is an alert that is over already, so that it does not stay. */
const testAlert = ({ publicUrl, now }: Pick<Outgoing, 'publicUrl' | 'now'>) => ({
  labels: { alertname: 'lockscope-test', severity: 'info' },
  annotations: { summary: inEnglish([sentence('notify:test-summary', {})]) },
  startsAt: iso(now),
  endsAt: iso(now + 1000),
  generatorURL: `${publicUrl}/alerts`,
});

export const alertmanager: Kind<'alertmanager'> = {
  joins: false,
  destination: ({ url }) => new URL(url).host,
  boundTo: ({ url, user }) => `${new URL(url).origin} ${user ?? ''}`,
  send: async (settings, { notices, publicUrl, now, signal }) => {
    const alerts = notices.map(({ alert, event }) =>
      alert
        ? postable(alert, event === 'resolved', { publicUrl, now })
        : testAlert({ publicUrl, now }),
    );
    return await postAlerts(settings, alerts, signal);
  },
  remind: async (settings, alerts, { publicUrl, now, signal }) => {
    for (let i = 0; i < alerts.length; i += AT_ONCE) {
      const some = alerts.slice(i, i + AT_ONCE);
      const outcome = await postAlerts(
        settings,
        some.map((alert) => postable(alert, false, { publicUrl, now })),
        signal,
      );
      if (outcome.kind !== 'delivered') return outcome;
    }
    return DELIVERED;
  },
};
