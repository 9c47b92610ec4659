import type { SelectQueryBuilder } from 'kysely';
import { END_REASONS, EVIDENCES, HOLD_NOTES, WAIT_SOURCES } from '@/lib/protocol/closed-sets';
import type { Bytes } from '@/lib/protocol/bytes';
import type { EndReason, HoldNote } from '@/lib/protocol/lock';
import type { OpenHold } from '@/server/state/table-contract';
import type { Backend, RowStatement } from './backend';
import { digestOf, fromBlob, textFromBlob, textToBytes, toBlob } from './blob';
import type { Dictionary } from './dictionary';
import { LONG_HOLD_MS, waitRank } from './schema';
import type { HoldRow, Store } from './store-contract';
import { createTurns } from './turns';

const COLUMNS = [
  ['start_at', 'bigint'],
  ['lock_id', 'bigint'],
  ['generation', 'bigint'],
  ['series_id', 'bigint'],
  ['token_id', 'bigint'],
  ['owner_id', 'bigint'],
  ['acquisitions', 'bigint'],
  ['end_at', 'bigint'],
  ['end_reason', 'integer'],
  ['evidence', 'integer'],
  ['renewals', 'integer'],
  ['max_depth', 'integer'],
  ['ended_by_id', 'bigint'],
  ['business_id', 'bigint'],
  ['late_ms', 'bigint'],
  ['notes', 'integer'],
  ['is_long', 'integer'],
  ['waited_ms', 'double precision'],
  ['wait_source', 'integer'],
  ['wait_evidence', 'integer'],
  ['wait_rank', 'integer'],
] as const;

const KEY = new Set(['start_at', 'lock_id', 'generation']);
const ON_CONFLICT = `on conflict (start_at, lock_id, generation) do update set ${COLUMNS.filter(
  ([name]) => !KEY.has(name),
)
  .map(([name]) => `${name} = excluded.${name}`)
  .join(', ')}`;

/** As many occupy the event loop for about a millisecond. */
const NUMBERED_AT_ONCE = 250;

/** Writes holds; a row that is there already is replaced. Call one at a time. */
export async function writeHolds(
  backend: Backend,
  dictionary: Dictionary,
  rows: readonly HoldRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const values: unknown[][] = [];
  const turns = createTurns();
  for (let at = 0; at < rows.length; at += NUMBERED_AT_ONCE) {
    values.push(...(await numbered(dictionary, rows.slice(at, at + NUMBERED_AT_ONCE))));
    if (turns.isDue()) await turns.next();
  }
  const known = values.filter((_, i) => rows[i]?.isNew !== true);
  await backend.writeRows([
    // Looking for an earlier state costs as much as writing.
    ...(known.length > 0 ? [replaceMoved(newestOfEach(known))] : []),
    {
      ...{ verb: 'insert', table: 'holds', columns: COLUMNS, onConflict: ON_CONFLICT },
      rows: newestOfEach(values),
    },
  ]);
}

/** PostgreSQL refuses to touch one row twice in a statement; the last of a batch is the newest. */
function newestOfEach(values: readonly unknown[][]): unknown[][] {
  const newest = new Map<string, unknown[]>();
  for (const row of values) newest.set(`${String(row[1])}:${String(row[2])}`, row);
  return newest.size === values.length ? [...values] : [...newest.values()];
}

/** The rows as columns take them, every long value by its number. */
async function numbered(dictionary: Dictionary, rows: readonly HoldRow[]): Promise<unknown[][]> {
  const locks = await dictionary.locks(rows);
  const series = await dictionary.series(rows);
  const words = (await dictionary.words(rows.flatMap(wordsOf))).values();
  const wordId = (text: string | null): number | null =>
    text === null ? null : (words.next().value ?? null);
  return rows.map((row, i) => {
    const { past } = row;
    const isLong = past.end === null || past.end - past.start >= LONG_HOLD_MS;
    // In the order of `wordsOf`.
    const [tokenId, ownerId, endedById, businessId] = [
      wordId(row.token),
      wordId(past.owner),
      wordId(past.endedBy),
      wordId(past.businessId || null),
    ];
    return [
      past.start,
      locks[i],
      past.generation,
      series[i],
      tokenId,
      ownerId,
      row.acquisitions,
      past.end,
      past.endReason === null ? null : END_REASONS.indexOf(past.endReason),
      EVIDENCES.indexOf(past.evidence),
      past.renewals,
      past.maxDepth,
      endedById,
      businessId,
      past.lateReleaseMs,
      past.notes.reduce((bits, note) => bits | (1 << HOLD_NOTES.indexOf(note)), 0),
      isLong ? 1 : 0,
      ...waitedOf(row),
    ];
  });
}

function waitedOf({ waited }: HoldRow): (number | null)[] {
  if (!waited) return [null, null, null, null];
  const { ms, source, evidence } = waited;
  return [ms, WAIT_SOURCES.indexOf(source), EVIDENCES.indexOf(evidence), waitRank(ms)];
}

/**
 * A hold whose start was corrected is the same hold under another key. One of equal generation that ended
 * before this one began is another: generations start again when a lock was forgotten in between. Of those that
 * began earlier only the last can reach into this one; a look at all would take long for a busy lock.
 */
function replaceMoved(values: unknown[][]): RowStatement {
  return {
    verb: 'delete',
    table: 'holds',
    columns: COLUMNS.slice(0, 3),
    rows: values,
    where: (row) =>
      `holds.lock_id = ${row('lock_id')} and holds.generation = ${row('generation')}
       and holds.start_at <> ${row('start_at')}
       and holds.start_at >= coalesce(
         (select max(earlier.start_at) from holds as earlier
          where earlier.lock_id = ${row('lock_id')} and earlier.start_at < ${row('start_at')}),
         ${row('start_at')})
       and (holds.end_at is null or holds.end_at > ${row('start_at')})`,
  };
}

function wordsOf({ token, past }: HoldRow): Bytes[] {
  const words: Bytes[] = [];
  if (token !== null) words.push(token);
  if (past.owner !== null) words.push(textToBytes(past.owner));
  if (past.endedBy !== null) words.push(textToBytes(past.endedBy));
  if (past.businessId) words.push(textToBytes(past.businessId));
  return words;
}

export function selectHolds(backend: Backend) {
  return backend.reader
    .selectFrom('holds')
    .innerJoin('locks', 'locks.id', 'holds.lock_id')
    .innerJoin('series', 'series.id', 'holds.series_id')
    .innerJoin('targets', 'targets.id', 'locks.target_id')
    .leftJoin('words as token', 'token.id', 'holds.token_id')
    .leftJoin('words as owner', 'owner.id', 'holds.owner_id')
    .leftJoin('words as ended_by', 'ended_by.id', 'holds.ended_by_id')
    .leftJoin('words as business', 'business.id', 'holds.business_id')
    .selectAll('holds')
    .select(({ fn, ref }) => [
      'locks.db as db',
      'series.format as format',
      'series.class as class',
      'series.namespace as namespace',
      fn.coalesce(ref('targets.bytes'), ref('targets.digest')).as('target'),
      fn.coalesce(ref('locks.bytes'), ref('locks.digest')).as('key'),
      fn.coalesce(ref('token.bytes'), ref('token.digest')).as('token'),
      fn.coalesce(ref('owner.bytes'), ref('owner.digest')).as('owner'),
      fn.coalesce(ref('ended_by.bytes'), ref('ended_by.digest')).as('ended_by'),
      fn.coalesce(ref('business.bytes'), ref('business.digest')).as('business'),
    ]);
}

export type HoldQuery = ReturnType<typeof selectHolds>;
export type SelectedHold =
  HoldQuery extends SelectQueryBuilder<infer _D, infer _T, infer Row> ? Row : never;

export function toHoldRow(row: SelectedHold): HoldRow {
  return {
    target: textFromBlob(row.target),
    db: row.db,
    key: fromBlob(row.key),
    class: textFromBlob(row.class),
    namespace: textFromBlob(row.namespace),
    formatId: row.format,
    token: row.token && fromBlob(row.token),
    acquisitions: row.acquisitions,
    waited: waitedIn(row),
    past: {
      generation: row.generation,
      owner: row.owner && textFromBlob(row.owner),
      start: row.start_at,
      end: row.end_at,
      endReason: endReasonAt(row.end_reason),
      evidence: EVIDENCES[row.evidence] ?? 'unknown',
      renewals: row.renewals,
      maxDepth: row.max_depth,
      endedBy: row.ended_by && textFromBlob(row.ended_by),
      lateReleaseMs: row.late_ms,
      ...(row.business && { businessId: textFromBlob(row.business) }),
      notes: notesIn(row.notes),
    },
  };
}

function waitedIn(row: SelectedHold): HoldRow['waited'] {
  const source = row.wait_source === null ? undefined : WAIT_SOURCES[row.wait_source];
  if (row.waited_ms === null || source === undefined) return null;
  const evidence = EVIDENCES[row.wait_evidence ?? -1] ?? 'unknown';
  return { ms: row.waited_ms, source, evidence };
}

const endReasonAt = (position: number | null): EndReason | null =>
  position === null ? null : (END_REASONS[position] ?? 'unknown');

const notesIn = (bits: number): HoldNote[] => HOLD_NOTES.filter((_, i) => (bits & (1 << i)) !== 0);

type HoldsQuery = Parameters<Store['holds']>[0];

/** Newest first; see the contract. A hold covers its start and not its end. */
export async function readHolds(backend: Backend, query: HoldsQuery): Promise<HoldRow[]> {
  const selected = select(backend, query);
  const from = query.at ?? query.from;
  if (from === undefined || query.key !== undefined) {
    return (await newest(selected, query.limit)).map(toHoldRow);
  }
  // Two ranges that an index answers: short holds began shortly before, the few long ones have an index.
  const [short, long] = await Promise.all([
    newest(
      selected
        .where('holds.start_at', '>', from - LONG_HOLD_MS)
        .where((eb) => eb('holds.is_long', '=', eb.lit(0))),
      query.limit,
    ),
    newest(
      selected.where((eb) => eb('holds.is_long', '=', eb.lit(1))),
      query.limit,
    ),
  ]);
  return [...short, ...long]
    .sort((a, b) => b.start_at - a.start_at || b.generation - a.generation)
    .slice(0, query.limit)
    .map(toHoldRow);
}

function newest(query: HoldQuery, limit: number): Promise<SelectedHold[]> {
  return query
    .orderBy('holds.start_at', 'desc')
    .orderBy('holds.generation', 'desc')
    .limit(limit)
    .execute();
}

function select(backend: Backend, query: HoldsQuery): HoldQuery {
  const { at, from, to } = query;
  return selectHolds(backend)
    .$if(query.target !== undefined, (q) =>
      q.where('targets.digest', '=', digestOf(textToBytes(query.target ?? ''))),
    )
    .$if(query.db !== undefined, (q) => q.where('locks.db', '=', query.db ?? 0))
    .$if(query.key !== undefined, (q) => q.where('locks.digest', '=', digestOf(query.key ?? '')))
    .$if(query.class !== undefined, (q) =>
      q.where('series.class', '=', toBlob(textToBytes(query.class ?? ''))),
    )
    .$if(query.namespace !== undefined, (q) =>
      q.where('series.namespace', '=', toBlob(textToBytes(query.namespace ?? ''))),
    )
    .$if(query.owner !== undefined, (q) =>
      q.where('owner.digest', '=', digestOf(textToBytes(query.owner ?? ''))),
    )
    .$if(at !== undefined, (q) =>
      q
        .where('holds.start_at', '<=', at ?? 0)
        .where((eb) => eb.or([eb('holds.end_at', 'is', null), eb('holds.end_at', '>', at ?? 0)])),
    )
    .$if(from !== undefined, (q) =>
      q.where((eb) => eb.or([eb('holds.end_at', 'is', null), eb('holds.end_at', '>=', from ?? 0)])),
    )
    .$if(to !== undefined, (q) => q.where('holds.start_at', '<', to ?? 0));
}

export async function readOpenHolds(backend: Backend, target: string): Promise<OpenHold[]> {
  const rows = await selectHolds(backend)
    .where('targets.digest', '=', digestOf(textToBytes(target)))
    .where('holds.end_at', 'is', null)
    .where((eb) => eb('holds.is_long', '=', eb.lit(1)))
    .orderBy('holds.start_at')
    .execute();
  return rows.map(toHoldRow).map(toOpenHold);
}

function toOpenHold(row: HoldRow): OpenHold {
  return {
    db: row.db,
    key: row.key,
    formatId: row.formatId,
    generation: row.past.generation,
    acquisitions: row.acquisitions,
    token: row.token,
    since: row.past.start,
    sinceEvidence: row.past.evidence,
    renewals: row.past.renewals,
    maxDepth: row.past.maxDepth,
  };
}
