import type { Alert } from '@/lib/protocol/alert';
import { unattendedOf, type AlertGroup } from './alert-groups';

/** Groups that keep their order and their rows while somebody works in them. */
export interface Steady {
  groups: readonly AlertGroup[];
  /** Ids of those that the live list has no more: they are shown as they were last. */
  left: ReadonlySet<string>;
  /** How many the live list has besides. */
  arrived: number;
}

/** `groups` as they were when the work began, each alert as the live list has it now. */
export function steadyOver(groups: readonly AlertGroup[], live: readonly Alert[]): Steady {
  const now = new Map(live.map((alert) => [alert.id, alert]));
  const ids = new Set(groups.flatMap(({ alerts }) => alerts.map(({ id }) => id)));
  return {
    groups: groups.map(({ key, alerts }) => {
      const current = alerts.map((alert) => now.get(alert.id) ?? alert);
      const there = current.filter(({ id }) => now.has(id));
      return { key, alerts: current, unattended: unattendedOf(there) };
    }),
    left: new Set([...ids].filter((id) => !now.has(id))),
    arrived: live.filter(({ id }) => !ids.has(id)).length,
  };
}
