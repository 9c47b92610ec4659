import type { Kysely, SelectQueryBuilder } from 'kysely';
import { END_REASONS, EVIDENCES, HOLD_NOTES, WAIT_SOURCES } from '@/lib/protocol/closed-sets';
import type { EndReason, HoldNote } from '@/lib/protocol/lock';
import { fromBlob, textFromBlob } from './blob';
import type { Schema } from './schema';
import type { HoldRow } from './store-contract';

export function selectHolds(db: Kysely<Schema>) {
  return db
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

export const newestFirst = (a: SelectedHold, b: SelectedHold): number =>
  b.start_at - a.start_at || b.generation - a.generation;

export function newest(query: HoldQuery, limit: number): Promise<SelectedHold[]> {
  return query
    .orderBy('holds.start_at', 'desc')
    .orderBy('holds.generation', 'desc')
    .limit(limit)
    .execute();
}
