import { END_REASONS } from '@/lib/protocol/closed-sets';
import type { Backend } from './backend';
import { FRESH_MS } from './dictionary';
import { MERGED_SPAN_MS, addingStatements } from './rollups';
import { END_COLUMNS, SKETCH_KINDS } from './schema';
import { ROLLUP_STEP_MS, type Rollup } from './store-contract';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEEP_HOLDS_MS = 7 * DAY_MS;
const KEEP_FINE_ROLLUPS_MS = DAY_MS;
const KEEP_MERGED_ROLLUPS_MS = 30 * DAY_MS;
/** Rows refer to words and locks for as long as holds are kept; their `seen` may be a day and an hour old. */
const KEEP_WORDS_MS = KEEP_HOLDS_MS + 2 * DAY_MS + FRESH_MS;
/** Rows removed at once: a few milliseconds of the writing thread. */
const AT_ONCE = 2000;

/**
 * One small step of tidying. True = there may be more to do.
 * Open holds are kept however old: those are the ones somebody will ask for.
 */
export async function retentionStep(backend: Backend, now: number): Promise<boolean> {
  const steps = [removeOldHolds, mergeOldRollups, removeOldRollups, removeUnusedWords];
  for (const step of steps) if (await step(backend, now)) return true;
  return false;
}

async function removeOldHolds(backend: Backend, now: number): Promise<boolean> {
  const rows = await backend.db
    .selectFrom('holds')
    .select(['start_at', 'lock_id', 'generation'])
    .where('start_at', '<', now - KEEP_HOLDS_MS)
    .where('end_at', '<', now - KEEP_HOLDS_MS)
    .orderBy('start_at')
    .limit(AT_ONCE)
    .execute();
  if (rows.length === 0) return false;
  await backend.writeRows([
    {
      verb: 'delete',
      table: 'holds',
      columns: [
        ['start_at', 'bigint'],
        ['lock_id', 'bigint'],
        ['generation', 'bigint'],
      ],
      rows: rows.map((row) => [row.start_at, row.lock_id, row.generation]),
      where: (row) =>
        `holds.start_at = ${row('start_at')} and holds.lock_id = ${row('lock_id')}
         and holds.generation = ${row('generation')}`,
    },
  ]);
  return true;
}

/** Merges the oldest minute of fine steps into one step of a minute, in one transaction. */
async function mergeOldRollups(backend: Backend, now: number): Promise<boolean> {
  const oldest = await backend.db
    .selectFrom('rollups')
    .select('step')
    .where('span_ms', '=', ROLLUP_STEP_MS)
    .where('step', '<', now - KEEP_FINE_ROLLUPS_MS)
    .orderBy('step')
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return false;
  const minute = Math.floor(oldest.step / MERGED_SPAN_MS) * MERGED_SPAN_MS;
  const sums = await fineSums(backend, minute);
  await backend.writeRows([
    ...(await addingStatements(backend, sums)),
    ...removeSteps(ROLLUP_STEP_MS, [...new Set(sums.map(({ fine }) => fine))]),
  ]);
  return true;
}

function removeSteps(spanMs: number, steps: readonly number[]) {
  return (['rollups', 'sketches'] as const).map((table) => ({
    verb: 'delete' as const,
    table,
    columns: [
      ['span_ms', 'integer'],
      ['step', 'bigint'],
    ] as const,
    rows: steps.map((step) => [spanMs, step]),
    where: (row: (column: string) => string) =>
      `${table}.span_ms = ${row('span_ms')} and ${table}.step = ${row('step')}`,
  }));
}

async function fineSums(backend: Backend, minute: number) {
  const rows = await backend.db
    .selectFrom('rollups')
    .selectAll()
    .where('span_ms', '=', ROLLUP_STEP_MS)
    .where('step', '>=', minute)
    .where('step', '<', minute + MERGED_SPAN_MS)
    .execute();
  const sketches = await backend.db
    .selectFrom('sketches')
    .selectAll()
    .where('span_ms', '=', ROLLUP_STEP_MS)
    .where('step', '>=', minute)
    .where('step', '<', minute + MERGED_SPAN_MS)
    .execute();
  const sketchesOf = Map.groupBy(sketches, (row) => `${row.step}:${row.series_id}`);
  return rows.map((row) => {
    const own = sketchesOf.get(`${row.step}:${row.series_id}`) ?? [];
    const sketch = (kind: (typeof SKETCH_KINDS)[number]): Uint8Array | undefined =>
      own.find((one) => SKETCH_KINDS[one.kind] === kind)?.bytes;
    const ends: Rollup['ends'] = {};
    for (const [i, column] of END_COLUMNS.entries()) {
      const reason = END_REASONS[i];
      if (reason) ends[reason] = row[column];
    }
    return {
      fine: row.step,
      span: MERGED_SPAN_MS,
      step: minute,
      seriesId: row.series_id,
      rollup: {
        // Names are not written again: the series is known by its number.
        target: '',
        class: '',
        namespace: '',
        formatId: '',
        step: minute,
        acquisitions: row.acquisitions,
        heldMs: row.held_ms,
        waiterMs: row.waiter_ms,
        ends,
        handoffMsSum: row.handoff_ms,
        handoffCount: row.handoffs,
        holdSketch: sketch('hold') ?? null,
        waitSketches: {
          'fair-queue': sketch('fair-queue'),
          'token-time': sketch('token-time'),
          report: sketch('report'),
        },
      },
    };
  });
}

async function removeOldRollups(backend: Backend, now: number): Promise<boolean> {
  const oldest = await backend.db
    .selectFrom('rollups')
    .select('step')
    .distinct()
    .where('span_ms', '=', MERGED_SPAN_MS)
    .where('step', '<', now - KEEP_MERGED_ROLLUPS_MS)
    .orderBy('step')
    .limit(10)
    .execute();
  if (oldest.length === 0) return false;
  await backend.writeRows(
    removeSteps(
      MERGED_SPAN_MS,
      oldest.map(({ step }) => step),
    ),
  );
  return true;
}

/** Owners, tokens and keys that no hold refers to any more: not used for long, and not by an old open hold. */
async function removeUnusedWords(backend: Backend, now: number): Promise<boolean> {
  const old = await backend.db
    .selectFrom('holds')
    .select(['lock_id', 'token_id', 'owner_id'])
    .where((eb) => eb('is_long', '=', eb.lit(1)))
    .where('end_at', 'is', null)
    .where('start_at', '<', now - KEEP_HOLDS_MS)
    .execute();
  const inUse = {
    words: new Set(old.flatMap(({ token_id, owner_id }) => [token_id, owner_id])),
    locks: new Set<number | null>(old.map(({ lock_id }) => lock_id)),
  };
  let more = false;
  for (const table of ['words', 'locks'] as const) {
    more = (await removeUnused(backend, table, inUse[table], now - KEEP_WORDS_MS)) || more;
  }
  return more;
}

async function removeUnused(
  backend: Backend,
  table: 'words' | 'locks',
  inUse: ReadonlySet<number | null>,
  unseenSince: number,
): Promise<boolean> {
  const candidates = await backend.db
    .selectFrom(table)
    .select('id')
    .where('seen', '<', unseenSince)
    .limit(AT_ONCE + inUse.size)
    .execute();
  const unused = candidates.filter(({ id }) => !inUse.has(id)).slice(0, AT_ONCE);
  if (unused.length === 0) return false;
  await backend.writeRows([
    {
      verb: 'delete',
      table,
      columns: [
        ['id', 'bigint'],
        ['seen', 'bigint'],
      ],
      rows: unused.map(({ id }) => [id, unseenSince]),
      // Asked again: another console may just have used it.
      where: (row) => `${table}.id = ${row('id')} and ${table}.seen < ${row('seen')}`,
    },
  ]);
  return true;
}
