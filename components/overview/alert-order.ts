import type { Alert, Severity } from '@/lib/protocol/alert';

const RANK: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };

/** Worst first, and among equals the newest first. */
export function worstFirst(alerts: readonly Alert[]): Alert[] {
  return [...alerts].sort((a, b) => RANK[a.severity] - RANK[b.severity] || b.since - a.since);
}

/** The place of an alert on the page of alerts. */
export const alertHref = (alert: Pick<Alert, 'id'>): string =>
  `/alerts?alert=${encodeURIComponent(alert.id)}`;
