import type { Alert } from '@/lib/protocol/alert';
import type { AlertPage } from '@/lib/protocol/alert';
import type { AlertsParams } from '@/lib/protocol/queries';
import type { QueryContext } from './query-context';

const DEFAULT_LIMIT = 200;

/** Alerts, the open ones as the book has them and the resolved ones from history. Without `state`: both. */
export async function alerts(context: QueryContext, params: AlertsParams): Promise<AlertPage> {
  const { state, code, limit = DEFAULT_LIMIT } = params;
  const isWanted = (alert: Alert): boolean =>
    (code === undefined || alert.code === code) &&
    (state === undefined || state === 'open' || alert.state === state);
  const attention = attentionTo(context.alerts.open());
  const open = state === 'resolved' ? [] : context.alerts.open().filter(isWanted);
  if (state !== undefined && state !== 'resolved')
    return { items: open.slice(0, limit), attention };
  // An alert that came back is open again, while its stored row may still say resolved.
  const openAgain = new Set(context.alerts.open().map(({ id }) => id));
  const stored = await context.store.alerts({ state: 'resolved', code, limit });
  const past = stored.filter(({ id }) => !openAgain.has(id));
  return { items: [...open, ...past].slice(0, limit), attention };
}

function attentionTo(open: readonly Alert[]): NonNullable<AlertPage['attention']> {
  const counts = { critical: 0, warning: 0, info: 0 };
  for (const { severity, state } of open) {
    if (state === 'firing' || state === 'pending') counts[severity]++;
  }
  return counts;
}
