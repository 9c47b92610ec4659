import { fromBase64Url } from '@/lib/protocol/bytes';
import type { Alert } from '@/lib/protocol/alert';
import type { QueryContext } from '@/server/queries/query-context';
import type { Subject } from './verb';

/** Namespaces of the locks an alert is about; one that is about more than its listed locks counts as all. */
function namespacesOf(context: QueryContext, alert: Alert): Subject['namespaces'] {
  const { locks } = alert.subject;
  if (locks.length === 0 || alert.count > locks.length) return 'all';
  const namespaces = new Set<string>();
  for (const { db, keyB64 } of locks) {
    const record = context.table.get(db, fromBase64Url(keyB64) ?? '');
    if (!record) return 'all';
    namespaces.add(record.namespace);
  }
  return [...namespaces];
}

export function alertSubject(context: QueryContext, { id }: { id: string }): Subject {
  const alert = context.alerts.get(id);
  if (!alert) return { db: null, key: null, namespaces: [], before: { id } };
  const [only] = alert.subject.locks.length === 1 ? alert.subject.locks : [];
  return {
    db: only?.db ?? null,
    key: only ? fromBase64Url(only.keyB64) : null,
    namespaces: namespacesOf(context, alert),
    before: alertState(alert),
  };
}

/** Saves what was done to an alert with the line of its timeline, before it is answered. */
export async function saveActedOn(
  { store, alerts }: Pick<QueryContext, 'store' | 'alerts'>,
  alert: Alert,
): Promise<void> {
  const events = alerts.unsavedEvents(alert.id);
  await store.saveAlerts([alert], events);
  alerts.forgetEvents(events);
}

/** What the audit keeps of an alert. */
export const alertState = ({ id, code, state, silencedUntil }: Alert) => ({
  id,
  code,
  state,
  silencedUntil,
});
