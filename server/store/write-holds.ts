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
const AT_ONCE = 500;
/** Names are asked for with so many rows at once. */
const LEARNT_AT_ONCE = 500;
/** As many rows have fewer names than are remembered: none of them is forgotten again for the others. */
const LEARNT_AHEAD = 4000;

/**
 * Writes holds; a row that is there already is replaced. Call one at a time. Rows are packed while those before them are
 * written; where a name has no number yet, what is packed is written first.
 */
export async function writeHolds(
  { backend, dictionary, runs }: { backend: Backend; dictionary: Dictionary; runs: HoldRuns },
  rows: readonly HoldRow[],
): Promise<void> {
  if (rows.length === 0) return;
  const packer = new Packer({ dictionary, rows, run: await runs.current() });
  while (packer.left.length > 0) {
    // Those remembered before may be forgotten when new ones come; not twice within so few.
    for (let tries = 0; !packer.prepare(); tries++) {
      if (tries === 2) throw new Error('a hold has no number');
      await learn(dictionary, packer.left.slice(0, LEARNT_AHEAD));
    }
    await backend.writePieces(packer.pieces());
  }
  runs.written(rows.length);
}

/** Has all names of the rows remembered. */
async function learn(dictionary: Dictionary, rows: readonly HoldRow[]): Promise<void> {
  const turns = createTurns();
  for (let at = 0; at < rows.length; at += LEARNT_AT_ONCE) {
    const some = rows.slice(at, at + LEARNT_AT_ONCE);
    const { known } = dictionary;
    const isFresh = known.isFresh();
    const words = some.flatMap(wordsOf).filter((word) => word !== null);
    await dictionary.locks(some.filter((row) => !isFresh || known.lock(row) === null));
    await dictionary.series(some.filter((row) => !isFresh || known.series(row) === null));
    await dictionary.words(words.filter((word) => !isFresh || known.word(word) === null));
    if (turns.isDue()) await turns.next();
  }
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

/** A hold, its lock by its number. */
interface Numbered {
  row: HoldRow;
  lockId: number;
}

/** Makes statements of rows, some at a time. */
class Packer {
  readonly #dictionary: Dictionary;
  readonly #rows: readonly HoldRow[];
  readonly #run: number;
  #at = 0;
  #next: RowStatement[] | null = null;
  /** Between which starts those lie that went into the run. */
  #from = Infinity;
  #to = -Infinity;

  constructor(of: { dictionary: Dictionary; rows: readonly HoldRow[]; run: number }) {
    this.#dictionary = of.dictionary;
    this.#rows = of.rows;
    this.#run = of.run;
  }

  /** Rows of which no statement was given. */
  get left(): readonly HoldRow[] {
    return this.#rows.slice(this.#at);
  }

  /** False = there are no more, or one of the next ones has a name without a number. */
  prepare(): boolean {
    if (this.#at < this.#rows.length) this.#next ??= this.#pack();
    return this.#next !== null;
  }

  *pieces(): Generator<RowStatement[]> {
    while (this.prepare() && this.#next) {
      const piece = this.#next;
      this.#next = null;
      this.#at += AT_ONCE;
      yield piece;
    }
    if (this.#from <= this.#to) yield [widenRun(this.#run, this.#from, this.#to)];
  }

  #pack(): RowStatement[] | null {
    if (!this.#dictionary.known.isFresh()) return null;
    const all: Numbered[] = [];
    for (const row of this.#rows.slice(this.#at, this.#at + AT_ONCE)) {
      const lockId = this.#dictionary.known.lock(row);
      if (lockId === null) return null;
      all.push({ row, lockId });
    }
    const newest = newestOfEach(all);
    const cells = new Float64Array(newest.length * COLUMNS.length);
    for (const [i, hold] of newest.entries()) {
      if (!this.#fill(cells, i * COLUMNS.length, hold)) return null;
    }
    const rows = { width: COLUMNS.length, cells };
    const known = newest.filter(({ row }) => row.isNew !== true);
    return [
      // Looking for an earlier state costs as much as writing.
      ...(known.length > 0 ? replaceMoved(known) : []),
      { verb: 'insert', table: 'holds', columns: COLUMNS, rows, onConflict: ON_CONFLICT },
    ];
  }

  /** Writes the values of {@link COLUMNS} from `at` on, NaN for null. False = a name has no number. */
  #fill(cells: Float64Array, at: number, { row, lockId }: Numbered): boolean {
    const { known } = this.#dictionary;
    const { past, waited } = row;
    const long = isLong(past);
    const seriesId = known.series(row);
    if (seriesId === null) return false;
    let i = at;
    cells[i++] = past.start;
    cells[i++] = lockId;
    cells[i++] = past.generation;
    cells[i++] = seriesId;
    for (const word of wordsOf(row)) {
      const id = word === null ? Number.NaN : known.word(word);
      if (id === null) return false;
      cells[i++] = id;
    }
    cells[i++] = row.acquisitions;
    cells[i++] = past.end ?? Number.NaN;
    cells[i++] = past.endReason === null ? Number.NaN : END_REASONS.indexOf(past.endReason);
    cells[i++] = EVIDENCES.indexOf(past.evidence);
    cells[i++] = past.renewals;
    cells[i++] = past.maxDepth;
    cells[i++] = past.lateReleaseMs ?? Number.NaN;
    cells[i++] = past.notes.reduce((bits, note) => bits | (1 << HOLD_NOTES.indexOf(note)), 0);
    cells[i++] = long ? 1 : 0;
    cells[i++] = long ? NO_RUN : this.#run;
    cells[i++] = waited?.ms ?? Number.NaN;
    cells[i++] = waited ? WAIT_SOURCES.indexOf(waited.source) : Number.NaN;
    cells[i++] = waited ? EVIDENCES.indexOf(waited.evidence) : Number.NaN;
    cells[i++] = (waited && waitRank(waited.ms)) ?? Number.NaN;
    if (!long) {
      this.#from = Math.min(this.#from, past.start);
      this.#to = Math.max(this.#to, past.start);
    }
    return true;
  }
}

const PACKED_KEY = 2 ** 26;

/** The last state of each hold. PostgreSQL refuses to touch one row twice in a statement. */
function newestOfEach(all: readonly Numbered[]): readonly Numbered[] {
  const newest = new Map<number | string, Numbered>();
  for (const hold of all) {
    const { lockId, row } = hold;
    const { generation } = row.past;
    const isPacked = lockId < PACKED_KEY && generation < PACKED_KEY;
    newest.set(isPacked ? lockId * PACKED_KEY + generation : `${lockId}:${generation}`, hold);
  }
  return newest.size === all.length ? all : [...newest.values()];
}

const isLong = ({ start, end }: HoldRow['past']): boolean =>
  end === null || end - start >= LONG_HOLD_MS;

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
