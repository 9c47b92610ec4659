import type { Alert, AlertLabels } from '@/lib/protocol/alert';
import type { Entry } from './alert-life';

const isActedOn = ({ state, silenceId }: Alert): boolean =>
  state === 'acknowledged' || (state === 'silenced' && (silenceId ?? null) === null);

/**
 * Of two open alerts of one finding, of which another console of the same database and Redis opened one: what
 * somebody looks after must not fire anew.
 */
export function goesBefore(alert: Alert, other: Alert): boolean {
  if (alert.state === 'resolved') return false;
  if (isActedOn(alert) !== isActedOn(other)) return isActedOn(alert);
  return alert.updatedAt > other.updatedAt;
}

/** Those that are open first, then by when they resolved. */
export const byEnd = (a: Alert, b: Alert): number => (a.resolvedAt ?? 0) - (b.resolvedAt ?? 0);

/**
 * Whether a resolved alert that was read back is of another owner than what is found now. After a restart holds are
 * counted anew: somebody's hold may have the number of one that was there before.
 */
export function isAnothers({ alert, restored }: Entry, labels: AlertLabels): boolean {
  const owner = alert.labels?.owner ?? null;
  return restored && owner !== null && labels.owner !== null && owner !== labels.owner;
}
