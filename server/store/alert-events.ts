import { AlertEvent } from '@/lib/protocol/alert';
import type { Backend, RowStatement } from './backend';
import { sha256, textToBytes } from './blob';
import type { Understand } from './understood';

const COLUMNS = [
  ['alert_digest', 'bytes'],
  ['at', 'bigint'],
  ['seq', 'bigint'],
  ['json', 'text'],
] as const;

const keyOf = (alert: string): Uint8Array => sha256(textToBytes(alert));

/** Written twice an event is there once: its place is its alert, its time and its kind and words. */
export const linesToSave = (events: readonly AlertEvent[]): RowStatement => ({
  verb: 'insert',
  table: 'alert_events',
  columns: COLUMNS,
  rows: events.map((event) => [keyOf(event.alert), event.at, seqOf(event), JSON.stringify(event)]),
  onConflict: 'on conflict (alert_digest, at, seq) do nothing',
});

export async function saveAlertEvents(
  backend: Backend,
  events: readonly AlertEvent[],
): Promise<void> {
  if (events.length > 0) await backend.writeRows([linesToSave(events)]);
}

const SAFE_BYTES = 6;
/** A few milliseconds of the writing thread. */
const REMOVED_AT_ONCE = 2000;

function seqOf({ kind, actor, text }: AlertEvent): number {
  const digest = sha256(textToBytes(JSON.stringify([kind, actor, text])));
  return digest.subarray(0, SAFE_BYTES).reduce((sum, byte) => sum * 256 + byte, 0);
}

/** Oldest first; of more than `limit` the newest. */
export async function readAlertEvents(
  { backend, understand }: { backend: Backend; understand: Understand },
  { alert, limit }: { alert: string; limit: number },
): Promise<AlertEvent[]> {
  const rows = await backend.reader
    .selectFrom('alert_events')
    .select('json')
    .where('alert_digest', '=', keyOf(alert))
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return understand('Lines of timelines', AlertEvent, rows).toReversed();
}

/** Removes some of those that happened before. False = there were none. */
export async function removeAlertEvents(backend: Backend, before: number): Promise<boolean> {
  const events = backend.db.selectFrom('alert_events').select('at').orderBy('at');
  const oldest = await events.limit(1).executeTakeFirst();
  if (!oldest || oldest.at >= before) return false;
  const next = await events.limit(1).offset(REMOVED_AT_ONCE).executeTakeFirst();
  const to = Math.min(before, Math.max(next?.at ?? before, oldest.at + 1));
  await backend.db.deleteFrom('alert_events').where('at', '<', to).execute();
  return true;
}
