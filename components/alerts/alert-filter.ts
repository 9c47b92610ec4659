import type { Alert, AlertCode, Severity } from '@/lib/protocol/alert';
import { ALERT_CODES, memberOf, SEVERITIES } from '@/lib/protocol/closed-sets';
import type { AlertsParams } from '@/lib/protocol/queries';

export const SHOWS = ['open', 'all', 'resolved'] as const;
export type Show = (typeof SHOWS)[number];

export interface AlertView {
  show: Show;
  severity: Severity | null;
  code: AlertCode | null;
  /** The alert that a link leads to. */
  marked: string | null;
}

export const ALERT_LIMIT = 500;

/** Reads the address; whatever does not make sense falls back to its default. */
export function readAlertView(get: (name: string) => string | null): AlertView {
  const marked = get('alert');
  return {
    // A link to one alert must find it, open or not.
    show: SHOWS.find((show) => show === get('show')) ?? (marked === null ? 'open' : 'all'),
    severity: memberOf(SEVERITIES, get('severity')) ?? null,
    code: memberOf(ALERT_CODES, get('code')) ?? null,
    marked,
  };
}

export function alertQuery(view: AlertView): AlertsParams {
  const state = view.show === 'all' ? {} : { state: view.show };
  const code = view.code === null ? {} : { code: view.code };
  return { ...state, ...code, limit: ALERT_LIMIT };
}

/**
 * Whether an alert that was open has resolved meanwhile, by the present answer to the query that showed it.
 * One that is missing from a full answer may only have been pushed out of it.
 */
export function hasResolved(alert: Alert, items: readonly Alert[] | undefined): boolean {
  if (!items) return false;
  const current = items.find(({ id }) => id === alert.id);
  return current ? current.state === 'resolved' : items.length < ALERT_LIMIT;
}

const SEVERITY_RANK: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };
const STATE_RANK: Record<Alert['state'], number> = {
  firing: 0,
  pending: 0,
  acknowledged: 1,
  silenced: 2,
  resolved: 3,
};

/** What shows of an answer: firing before acknowledged before quiet, worst first, newest first. */
export function shownAlerts(alerts: readonly Alert[], view: AlertView): Alert[] {
  return alerts
    .filter((alert) => view.severity === null || alert.severity === view.severity)
    .sort(
      (a, b) =>
        STATE_RANK[a.state] - STATE_RANK[b.state] ||
        (a.state === 'resolved'
          ? (b.resolvedAt ?? 0) - (a.resolvedAt ?? 0)
          : SEVERITY_RANK[a.severity] - SEVERITY_RANK[b.severity] || b.since - a.since),
    );
}

/** As many as are drawn at once: each is a card with buttons. */
export const SHOWN_STEP = 100;

/** The first so many steps of a list, and as far as the alert that a link leads to. */
export function shownFirst(shown: readonly Alert[], steps: number, marked: string | null): Alert[] {
  const place = marked === null ? -1 : shown.findIndex(({ id }) => id === marked);
  return shown.slice(0, Math.max(steps * SHOWN_STEP, place + 1));
}
