import type { Kysely } from 'kysely';
import { END_REASONS } from '@/lib/protocol/closed-sets';
import type { Backend } from './backend';
import { digestOf, textFromBlob, textToBytes, toBlob } from './blob';
import { MERGED_SPAN_MS } from './rollups';
import { END_COLUMNS, SKETCH_KINDS, type EndColumn, type Schema } from './schema';
import { ROLLUP_STEP_MS, type Rollup, type Store } from './store-contract';

/** Up to here the database picks the series; more are read together and picked here. */
const ASKED_AT_ONCE = 400;

type RollupsQuery = Parameters<Store['rollups']>[0];

export async function readRollups(backend: Backend, query: RollupsQuery): Promise<Rollup[]> {
  // One view of the database: steps may be merged between two questions.
  const view = backend.reader
    .transaction()
    .setAccessMode('read only')
    .setIsolationLevel('repeatable read');
  return await view.execute(async (db) => {
    const seriesIds = await matchingSeries(db, query);
    if (seriesIds?.length === 0) return [];
    const rows: Rollup[] = [];
    for (const spanMs of [ROLLUP_STEP_MS, MERGED_SPAN_MS]) {
      const range = { spanMs, from: query.from, to: query.to, seriesIds };
      const sums = await readSums(db, range);
      if (query.sketches !== false && sums.length > 0) await attachSketches(db, range, sums);
      for (const { rollup } of sums) rows.push(rollup);
    }
    return rows.sort((a, b) => a.step - b.step);
  });
}

/** By span, so that each answer is the first entry of the primary key. */
export async function firstRollupAt(backend: Backend): Promise<number | null> {
  let first: number | null = null;
  for (const spanMs of [ROLLUP_STEP_MS, MERGED_SPAN_MS]) {
    const row = await backend.reader
      .selectFrom('rollups')
      .select('step')
      .where('span_ms', '=', spanMs)
      .orderBy('step')
      .limit(1)
      .executeTakeFirst();
    if (row) first = Math.min(first ?? row.step, row.step);
  }
  return first;
}

interface Range {
  spanMs: number;
  from: number;
  to: number;
  /** Null = all. */
  seriesIds: number[] | null;
}

async function matchingSeries(db: Kysely<Schema>, query: RollupsQuery): Promise<number[] | null> {
  if (query.target === undefined && query.class === undefined) return null;
  const rows = await db
    .selectFrom('series')
    .innerJoin('targets', 'targets.id', 'series.target_id')
    .select('series.id')
    .$if(query.target !== undefined, (q) =>
      q.where('targets.digest', '=', digestOf(textToBytes(query.target ?? ''))),
    )
    .$if(query.class !== undefined, (q) =>
      q.where('series.class', '=', toBlob(textToBytes(query.class ?? ''))),
    )
    .execute();
  return rows.map(({ id }) => id);
}

async function readSums(
  db: Kysely<Schema>,
  { spanMs, from, to, seriesIds }: Range,
): Promise<{ seriesId: number; rollup: Rollup }[]> {
  const rows = await db
    .selectFrom('rollups')
    .innerJoin('series', 'series.id', 'rollups.series_id')
    .innerJoin('targets', 'targets.id', 'series.target_id')
    .selectAll('rollups')
    .select(({ fn, ref }) => [
      'series.class',
      'series.namespace',
      'series.format',
      fn.coalesce(ref('targets.bytes'), ref('targets.digest')).as('target'),
    ])
    .where('span_ms', '=', spanMs)
    .where('step', '>', from - spanMs)
    .where('step', '<', to)
    .$if(seriesIds !== null && seriesIds.length <= ASKED_AT_ONCE, (q) =>
      q.where('series_id', 'in', seriesIds ?? []),
    )
    .execute();
  const wanted = seriesIds && new Set(seriesIds);
  return rows
    .filter((row) => !wanted || wanted.has(row.series_id))
    .map((row) => ({
      seriesId: row.series_id,
      rollup: {
        target: textFromBlob(row.target),
        class: textFromBlob(row.class),
        namespace: textFromBlob(row.namespace),
        formatId: row.format,
        step: row.step,
        ...(spanMs === ROLLUP_STEP_MS ? {} : { spanMs }),
        acquisitions: row.acquisitions,
        heldMs: row.held_ms,
        waiterMs: row.waiter_ms,
        ends: endsIn(row),
        handoffMsSum: row.handoff_ms,
        handoffCount: row.handoffs,
        holdSketch: null,
        waitSketches: {},
      },
    }));
}

function endsIn(row: Record<EndColumn, number>): Rollup['ends'] {
  const ends: Rollup['ends'] = {};
  for (const [i, column] of END_COLUMNS.entries()) {
    const reason = END_REASONS[i];
    if (reason && row[column] !== 0) ends[reason] = row[column];
  }
  return ends;
}

async function attachSketches(
  db: Kysely<Schema>,
  { spanMs, from, to, seriesIds }: Range,
  sums: readonly { seriesId: number; rollup: Rollup }[],
): Promise<void> {
  const byKey = new Map(sums.map(({ seriesId, rollup }) => [`${rollup.step}:${seriesId}`, rollup]));
  const rows = await db
    .selectFrom('sketches')
    .select(['step', 'series_id', 'kind', 'bytes'])
    .where('span_ms', '=', spanMs)
    .where('step', '>', from - spanMs)
    .where('step', '<', to)
    .$if(seriesIds !== null && seriesIds.length <= ASKED_AT_ONCE, (q) =>
      q.where('series_id', 'in', seriesIds ?? []),
    )
    .execute();
  for (const row of rows) {
    const rollup = byKey.get(`${row.step}:${row.series_id}`);
    const kind = SKETCH_KINDS[row.kind];
    if (!rollup || !kind) continue;
    if (kind === 'hold') rollup.holdSketch = row.bytes;
    else rollup.waitSketches[kind] = row.bytes;
  }
}
