import { Alert, type AlertEvent } from '@/lib/protocol/alert';
import { Deadlock } from '@/lib/protocol/deadlock';
import { linesToSave, saveAlertEvents } from './alert-events';
import type { Backend, RowStatement } from './backend';
import { sha256, textToBytes } from './blob';
import type { Store } from './store-contract';
import type { Understand } from './understood';

const ALERTS = 'Alerts';
/** A few milliseconds of the writing thread. */
const REMOVED_AT_ONCE = 2000;

const ALERT_COLUMNS = [
  ['digest', 'bytes'],
  ['state', 'text'],
  ['code', 'text'],
  ['updated_at', 'bigint'],
  ['json', 'text'],
] as const;

/** Keyed by a digest: an id may hold a whole key, which no index would take. */
const keyOf = (id: string): Uint8Array => sha256(textToBytes(id));

/** In one transaction. */
export async function saveAlerts(
  backend: Backend,
  alerts: readonly Alert[],
  events: readonly AlertEvent[],
): Promise<void> {
  const newest = new Map(alerts.map((alert) => [alert.id, alert]));
  if (newest.size === 0) return await saveAlertEvents(backend, events);
  const lives: RowStatement = {
    verb: 'insert',
    table: 'alerts',
    columns: ALERT_COLUMNS,
    rows: [...newest.values()].map((alert) => [
      keyOf(alert.id),
      alert.state,
      alert.code,
      alert.updatedAt,
      JSON.stringify(alert),
    ]),
    onConflict: `on conflict (digest) do update set state = excluded.state, code = excluded.code,
      updated_at = excluded.updated_at, json = excluded.json`,
  };
  await backend.writeRows(events.length === 0 ? [lives] : [lives, linesToSave(events)]);
}

/** Where alerts are read from. */
export interface Readable {
  backend: Backend;
  understand: Understand;
}

/** Most recently changed first. */
export async function readAlerts(
  { backend, understand }: Readable,
  { state, code, from, skip, limit }: Parameters<Store['alerts']>[0],
): Promise<Alert[]> {
  const rows = await backend.reader
    .selectFrom('alerts')
    .select('json')
    .$if(state === 'open', (q) => q.where('state', '<>', 'resolved'))
    .$if(state !== undefined && state !== 'open', (q) => q.where('state', '=', state ?? ''))
    .$if(code !== undefined, (q) => q.where('code', '=', code ?? ''))
    .$if(from !== undefined, (q) => q.where('updated_at', '>=', from ?? 0))
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .offset(skip ?? 0)
    .execute();
  return understand(ALERTS, Alert, rows);
}

export async function readAlert(
  { backend, understand }: Readable,
  id: string,
): Promise<Alert | null> {
  const rows = await backend.reader
    .selectFrom('alerts')
    .select('json')
    .where('digest', '=', keyOf(id))
    .execute();
  return understand(ALERTS, Alert, rows)[0] ?? null;
}

/** Removes some of those that resolved before. False = there were none. */
export async function removeAlerts(backend: Backend, before: number): Promise<boolean> {
  const resolved = backend.db
    .selectFrom('alerts')
    .select('updated_at')
    .where('state', '=', 'resolved')
    .orderBy('updated_at');
  const oldest = await resolved.limit(1).executeTakeFirst();
  if (!oldest || oldest.updated_at >= before) return false;
  const next = await resolved.limit(1).offset(REMOVED_AT_ONCE).executeTakeFirst();
  const to = Math.min(before, Math.max(next?.updated_at ?? before, oldest.updated_at + 1));
  await backend.db
    .deleteFrom('alerts')
    .where('state', '=', 'resolved')
    .where('updated_at', '<', to)
    .execute();
  return true;
}

export async function saveDeadlock(backend: Backend, deadlock: Deadlock): Promise<void> {
  const values = {
    state: deadlock.state,
    since: deadlock.since,
    json: JSON.stringify(deadlock),
  };
  await backend.db
    .insertInto('deadlocks')
    // The same circle may come about again: each time is one of its own.
    .values({ digest: keyOf(`${deadlock.since} ${deadlock.id}`), ...values })
    .onConflict((conflict) => conflict.column('digest').doUpdateSet(values))
    .execute();
}

/** Newest first; with `at` those that stood at that moment. */
export async function readDeadlocks(
  { backend, understand }: Readable,
  { at, limit }: Parameters<Store['deadlocks']>[0],
): Promise<Deadlock[]> {
  const resolvedAt = backend.jsonNumber('json', 'resolvedAt');
  const rows = await backend.reader
    .selectFrom('deadlocks')
    .select('json')
    .$if(at !== undefined, (q) =>
      q
        .where('since', '<=', at ?? 0)
        .where((eb) => eb.or([eb(resolvedAt, 'is', null), eb(resolvedAt, '>', at ?? 0)])),
    )
    .orderBy('since', 'desc')
    .limit(limit)
    .execute();
  return understand('Deadlocks', Deadlock, rows);
}

/** Removes those that began before. */
export async function removeDeadlocks(backend: Backend, before: number): Promise<void> {
  await backend.db.deleteFrom('deadlocks').where('since', '<', before).execute();
}
