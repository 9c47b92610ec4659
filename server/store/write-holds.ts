import { END_REASONS, EVIDENCES, HOLD_NOTES, WAIT_SOURCES } from '@/lib/protocol/closed-sets';
import type { Bytes } from '@/lib/protocol/bytes';
import type { Backend, Column, RowStatement } from './backend';
import { textToBytes } from './blob';
import type { Dictionary } from './dictionary';
import { NO_RUN, widenRun, type HoldRuns } from './hold-runs';
import { CORRECTED_MS } from './rollup-sums';
import { LONG_HOLD_MS, waitRank } from './schema';
import type { HoldRow } from './store-contract';
import { createTurns } from './turns';

const KEY: readonly Column[] = [
  ['start_at', 'bigint'],
  ['lock_id', 'bigint'],
  ['generation', 'bigint'],
];
/** In the order in which {@link fill} gives their values. */
const COLUMNS: readonly Column[] = [
  ...KEY,
  ['series_id', 'bigint'],
  ['token_id', 'bigint'],
  ['owner_id', 'bigint'],
  ['ended_by_id', 'bigint'],
  ['business_id', 'bigint'],
  ['acquisitions', 'bigint'],
  ['end_at', 'bigint'],
  ['end_reason', 'integer'],
  ['evidence', 'integer'],
  ['renewals', 'integer'],
  ['max_depth', 'integer'],
  ['late_ms', 'bigint'],
  ['notes', 'integer'],
  ['is_long', 'integer'],
  ['run', 'integer'],
  ['waited_ms', 'double precision'],
  ['wait_source', 'integer'],
  ['wait_evidence', 'integer'],
  ['wait_rank', 'integer'],
];

const ON_CONFLICT = `on conflict (start_at, lock_id, generation) do update set ${COLUMNS.slice(
  KEY.length,
)
  .map(([name]) => `${name} = excluded.${name}`)
  .join(', ')}`;

/** As many occupy the event loop for a fraction of a millisecond. */
const AT_ONCE = 250;

/** A hold with its long values by their numbers. */
interface Numbered {
  row: HoldRow;
  lockId: number;
  seriesId: number;
  /** Of {@link wordsOf}; null where there is none. */
  words: readonly (number | null)[];
}

/** Writes holds; a row that is there already is replaced. Call one at a time. */
export async function writeHolds(
  { backend, dictionary, runs }: { backend: Backend; dictionary: Dictionary; runs: HoldRuns },
  rows: readonly HoldRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const all: Numbered[] = [];
  const turns = createTurns();
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    all.push(...(await numbered(dictionary, rows.slice(at, at + AT_ONCE))));
    if (turns.isDue()) await turns.next();
  }
  const newest = newestOfEach(all);
  await backend.writePieces(piecesOf(newest, await runs.current()));
  runs.written(newest.length);
}

/** The rows, every long value by its number. */
async function numbered(dictionary: Dictionary, rows: readonly HoldRow[]): Promise<Numbered[]> {
  const locks = await dictionary.locks(rows);
  const series = await dictionary.series(rows);
  const texts: Bytes[] = [];
  for (const row of rows) for (const word of wordsOf(row)) if (word !== null) texts.push(word);
  const ids = await dictionary.words(texts);
  let next = 0;
  return rows.map((row, i) => ({
    row,
    lockId: locks[i] ?? 0,
    seriesId: series[i] ?? 0,
    words: wordsOf(row).map((word) => (word === null ? null : (ids[next++] ?? null))),
  }));
}

/** In the order of the columns: token, owner, ended_by, business. */
function wordsOf({ token, past }: HoldRow): (Bytes | null)[] {
  const { owner, endedBy, businessId } = past;
  return [
    token,
    owner === null ? null : textToBytes(owner),
    endedBy === null ? null : textToBytes(endedBy),
    businessId ? textToBytes(businessId) : null,
  ];
}

/** PostgreSQL refuses to touch one row twice in a statement; the last of a batch is the newest. */
function newestOfEach(all: readonly Numbered[]): readonly Numbered[] {
  const byLock = new Map<number, Map<number, Numbered>>();
  let count = 0;
  for (const hold of all) {
    let ofLock = byLock.get(hold.lockId);
    if (!ofLock) byLock.set(hold.lockId, (ofLock = new Map()));
    count -= ofLock.size;
    ofLock.set(hold.row.past.generation, hold);
    count += ofLock.size;
  }
  if (count === all.length) return all;
  return [...byLock.values()].flatMap((ofLock) => [...ofLock.values()]);
}

function* piecesOf(holds: readonly Numbered[], run: number): Generator<RowStatement[]> {
  // Looking for an earlier state costs as much as writing.
  const known = holds.filter(({ row }) => row.isNew !== true);
  if (known.length > 0) yield replaceMoved(known);
  let [from, to] = [Infinity, -Infinity];
  for (let at = 0; at < holds.length; at += AT_ONCE) {
    const some = holds.slice(at, at + AT_ONCE);
    const cells = new Float64Array(some.length * COLUMNS.length);
    for (const [i, hold] of some.entries()) {
      fill(cells, i * COLUMNS.length, { ...hold, run });
      const { past } = hold.row;
      if (isLong(past)) continue;
      from = Math.min(from, past.start);
      to = Math.max(to, past.start);
    }
    const rows = { width: COLUMNS.length, cells };
    yield [{ verb: 'insert', table: 'holds', columns: COLUMNS, rows, onConflict: ON_CONFLICT }];
  }
  if (from <= to) yield [widenRun(run, from, to)];
}

const isLong = ({ start, end }: HoldRow['past']): boolean =>
  end === null || end - start >= LONG_HOLD_MS;

/** Writes the values of {@link COLUMNS} from `at` on; NaN = null. */
function fill(
  cells: Float64Array,
  at: number,
  { row, lockId, seriesId, words, run }: Numbered & { run: number },
): void {
  const { past, waited } = row;
  const long = isLong(past);
  let i = at;
  cells[i++] = past.start;
  cells[i++] = lockId;
  cells[i++] = past.generation;
  cells[i++] = seriesId;
  for (const id of words) cells[i++] = id ?? Number.NaN;
  cells[i++] = row.acquisitions;
  cells[i++] = past.end ?? Number.NaN;
  cells[i++] = past.endReason === null ? Number.NaN : END_REASONS.indexOf(past.endReason);
  cells[i++] = EVIDENCES.indexOf(past.evidence);
  cells[i++] = past.renewals;
  cells[i++] = past.maxDepth;
  cells[i++] = past.lateReleaseMs ?? Number.NaN;
  cells[i++] = past.notes.reduce((bits, note) => bits | (1 << HOLD_NOTES.indexOf(note)), 0);
  cells[i++] = long ? 1 : 0;
  cells[i++] = long ? NO_RUN : run;
  cells[i++] = waited?.ms ?? Number.NaN;
  cells[i++] = waited ? WAIT_SOURCES.indexOf(waited.source) : Number.NaN;
  cells[i++] = waited ? EVIDENCES.indexOf(waited.evidence) : Number.NaN;
  cells[i++] = (waited && waitRank(waited.ms)) ?? Number.NaN;
}

/**
 * A hold whose start was corrected is the same hold under another key. One of equal generation that ended
 * before this one began is another: generations start again when a lock was forgotten in between. Of those in no run
 * that began earlier only the last can reach into this one; a look at all would take long for a busy lock. One in a
 * run began less than a minute before this one, or after it by what a correction moves it.
 */
function replaceMoved(known: readonly Numbered[]): RowStatement[] {
  const cells = new Float64Array(known.length * KEY.length);
  for (const [i, { row, lockId }] of known.entries()) {
    cells.set([row.past.start, lockId, row.past.generation], i * KEY.length);
  }
  const rows = { width: KEY.length, cells };
  const remove = { verb: 'delete', table: 'holds', columns: KEY, rows } as const;
  const isSame = (row: (column: string) => string): string =>
    `holds.lock_id = ${row('lock_id')} and holds.generation = ${row('generation')}
     and holds.start_at <> ${row('start_at')}
     and (holds.end_at is null or holds.end_at > ${row('start_at')})`;
  return [
    {
      ...remove,
      where: (row) =>
        `holds.run = ${NO_RUN} and ${isSame(row)} and holds.start_at >= coalesce(
          (select max(earlier.start_at) from holds as earlier where earlier.run = ${NO_RUN}
            and earlier.lock_id = ${row('lock_id')} and earlier.start_at < ${row('start_at')}),
          ${row('start_at')})`,
    },
    {
      ...remove,
      where: (row) =>
        `holds.run in (select hold_runs.id from hold_runs
            where hold_runs.to_at > ${row('start_at')} - ${LONG_HOLD_MS}
              and hold_runs.from_at <= ${row('start_at')} + ${CORRECTED_MS})
          and ${isSame(row)} and holds.start_at > ${row('start_at')} - ${LONG_HOLD_MS}
          and holds.start_at <= ${row('start_at')} + ${CORRECTED_MS}`,
    },
  ];
}
