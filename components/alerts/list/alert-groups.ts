import type { Alert, Severity } from '@/lib/protocol/alert';
import { byUrgency } from './alert-order';
import type { Grouping } from './alert-view';

export interface AlertGroup {
  /** What its alerts have in common; null = not one, or unknown. */
  key: string | null;
  /** In the order of urgency. */
  alerts: readonly Alert[];
  /** How many of them fire and nobody looks after, by severity. */
  unattended: Record<Severity, number>;
}

const KEYS: Record<Exclude<Grouping, 'none'>, (alert: Alert) => string | null> = {
  class: ({ labels, subject }) =>
    labels?.class ?? (subject.kind === 'class' ? subject.label : null),
  holder: ({ labels }) => labels?.owner ?? null,
  node: ({ labels }) => labels?.node ?? null,
  code: ({ code }) => code,
};

/** How many fire and nobody looks after, by severity. */
export function unattendedOf(alerts: readonly Alert[]): AlertGroup['unattended'] {
  const counts = { critical: 0, warning: 0, info: 0 };
  for (const { state, severity } of alerts) if (state === 'firing') counts[severity]++;
  return counts;
}

/** The group with the most urgent alert first, among equals the largest; those without a key last. */
const byWorst = (a: AlertGroup, b: AlertGroup): number => {
  if ((a.key === null) !== (b.key === null)) return a.key === null ? 1 : -1;
  const counts = (['critical', 'warning', 'info'] as const).map(
    (severity) => b.unattended[severity] - a.unattended[severity],
  );
  return counts.find((difference) => difference !== 0) ?? b.alerts.length - a.alerts.length;
};

/** Sorts alerts into groups; one group without a key where they are not grouped. */
export function groupAlerts(alerts: readonly Alert[], grouping: Grouping): AlertGroup[] {
  const groups = new Map<string | null, Alert[]>();
  for (const alert of alerts.toSorted(byUrgency)) {
    const key = grouping === 'none' ? null : KEYS[grouping](alert);
    const group = groups.get(key);
    if (group) group.push(alert);
    else groups.set(key, [alert]);
  }
  return [...groups]
    .map(([key, of]) => ({ key, alerts: of, unattended: unattendedOf(of) }))
    .sort(byWorst);
}

/** A line of the list. `id` is the same while it shows the same thing. */
export type AlertLine =
  | { kind: 'group'; id: string; group: AlertGroup; isOpen: boolean }
  | { kind: 'alert'; id: string; alert: Alert };

/** The id of a group's line: no alert has one that begins so. */
export const groupId = (key: string | null): string => (key === null ? 'group' : `group:${key}`);

/** Groups and their alerts one below the other; of a closed group only its head. */
export function linesOf(
  groups: readonly AlertGroup[],
  { grouping, closed }: { grouping: Grouping; closed: ReadonlySet<string> },
): AlertLine[] {
  return groups.flatMap((group): AlertLine[] => {
    const alerts = group.alerts.map((alert): AlertLine => ({ kind: 'alert', id: alert.id, alert }));
    if (grouping === 'none') return alerts;
    const id = groupId(group.key);
    const isOpen = !closed.has(id);
    return [{ kind: 'group', id, group, isOpen }, ...(isOpen ? alerts : [])];
  });
}
