import type { Alert, Severity } from '@/lib/protocol/alert';

const SEVERITY_RANK: Record<Severity, number> = { critical: 0, warning: 1, info: 2 };
const STATE_RANK: Record<Alert['state'], number> = {
  firing: 0,
  pending: 1,
  acknowledged: 2,
  silenced: 3,
  resolved: 4,
};

const whenOf = (alert: Alert): number =>
  alert.state === 'resolved' ? (alert.resolvedAt ?? 0) : alert.since;

/** What fires before what is about to, looked after, quiet, over; worst first, a deadlock before its parts, then newest. */
export const byUrgency = (a: Alert, b: Alert): number =>
  STATE_RANK[a.state] - STATE_RANK[b.state] ||
  (a.state === 'resolved' ? 0 : SEVERITY_RANK[a.severity] - SEVERITY_RANK[b.severity]) ||
  Number(Boolean(a.partOf)) - Number(Boolean(b.partOf)) ||
  whenOf(b) - whenOf(a) ||
  (a.id < b.id ? -1 : 1);
