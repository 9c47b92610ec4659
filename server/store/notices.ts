import type { Backend } from './backend';
import { sha256, textToBytes } from './blob';
import type { NoticeRow } from './store-contract';

const COLUMNS = [
  ['digest', 'bytes'],
  ['alert_digest', 'bytes'],
  ['channel', 'text'],
  ['at', 'bigint'],
  ['due_at', 'bigint'],
  ['json', 'text'],
] as const;

/** Alerts whose notices are looked up in one statement. */
const ALERTS_AT_ONCE = 500;

const keyOf = (id: string): Uint8Array => sha256(textToBytes(id));

const cellsOf = ({ id, alert, channel, at, dueAt, value }: NoticeRow): readonly unknown[] => [
  keyOf(id),
  alert === null ? null : keyOf(alert),
  channel,
  at,
  dueAt,
  JSON.stringify({ id, alert, value }),
];

/** Leaves alone what is there already: the same thing is told once. */
export async function addNotices(backend: Backend, rows: readonly NoticeRow[]): Promise<void> {
  await write(backend, rows, 'on conflict (digest) do nothing');
}

export async function saveNotices(backend: Backend, rows: readonly NoticeRow[]): Promise<void> {
  const set = 'due_at = excluded.due_at, json = excluded.json';
  await write(backend, rows, `on conflict (digest) do update set ${set}`);
}

async function write(
  backend: Backend,
  rows: readonly NoticeRow[],
  onConflict: string,
): Promise<void> {
  if (rows.length === 0) return;
  await backend.writeRows([
    { verb: 'insert', table: 'notices', columns: COLUMNS, rows: rows.map(cellsOf), onConflict },
  ]);
}

export async function removeNotices(backend: Backend, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await backend.writeRows([
    {
      verb: 'delete',
      table: 'notices',
      columns: [['digest', 'bytes']],
      rows: ids.map((id) => [keyOf(id)]),
      where: (row) => `notices.digest = ${row('digest')}`,
    },
  ]);
}

const ALL = ['channel', 'at', 'due_at', 'json'] as const;

/** Those that are not done with, oldest first. */
export async function dueNotices(backend: Backend, limit: number): Promise<NoticeRow[]> {
  const rows = await backend.reader
    .selectFrom('notices')
    .select(ALL)
    .where('due_at', 'is not', null)
    .orderBy('at')
    .limit(limit)
    .execute();
  return rows.map(rowOf);
}

/** Newest first. */
export async function newestNotices(backend: Backend, limit: number): Promise<NoticeRow[]> {
  const rows = await backend.reader
    .selectFrom('notices')
    .select(ALL)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(rowOf);
}

/** All of these alerts, oldest first. */
export async function noticesOfAlerts(
  backend: Backend,
  alerts: readonly string[],
): Promise<NoticeRow[]> {
  const found: NoticeRow[] = [];
  for (let i = 0; i < alerts.length; i += ALERTS_AT_ONCE) {
    const rows = await backend.reader
      .selectFrom('notices')
      .select(ALL)
      .where('alert_digest', 'in', alerts.slice(i, i + ALERTS_AT_ONCE).map(keyOf))
      .orderBy('at')
      .execute();
    found.push(...rows.map(rowOf));
  }
  return found;
}

/**
 * Removes what came about before and is done with. Of an alert that is still open it stays: it tells that
 * somebody was told.
 */
export async function removeOldNotices(backend: Backend, before: number): Promise<void> {
  await backend.db
    .deleteFrom('notices')
    .where('at', '<', before)
    .where('due_at', 'is', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('alerts')
            .select('alerts.digest')
            .whereRef('alerts.digest', '=', 'notices.alert_digest')
            .where('alerts.state', '<>', 'resolved'),
        ),
      ),
    )
    .execute();
}

const rowOf = (row: {
  channel: string;
  at: number;
  due_at: number | null;
  json: string;
}): NoticeRow => ({
  channel: row.channel,
  at: row.at,
  dueAt: row.due_at,
  ...asWritten(row.json),
});

/** Written by this file alone. */
const asWritten = (json: string): Pick<NoticeRow, 'id' | 'alert' | 'value'> => JSON.parse(json);
