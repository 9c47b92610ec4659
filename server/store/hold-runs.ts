import { sql, type Kysely } from 'kysely';
import type { Backend, RowStatement } from './backend';
import { LONG_HOLD_MS, type Schema } from './schema';
import { newest, newestFirst, type HoldQuery, type SelectedHold } from './select-holds';

/** Of so many holds the index by lock is about 100 pages, few enough to be written again with each batch. */
const RUN_ROWS = 16_384;
/** What is open or long, and what was written before there were runs. */
export const NO_RUN = 0;

/**
 * Numbers of runs. The index by lock begins with the run: with one for all holds each new one would change a page of
 * its own, and the more history there is, the longer writing would take. Short holds lie in runs, between known starts;
 * open and long ones, which are few, in none.
 */
export interface HoldRuns {
  /** The run that holds are written to now. */
  current: () => Promise<number>;
  written: (count: number) => void;
  /** Another database may be in use now. */
  clear: () => void;
}

export function createHoldRuns(backend: Backend): HoldRuns {
  let current: { id: number; rows: number } | null = null;
  return {
    current: async () => {
      current ??= { id: (await lastRun(backend.db)) + 1, rows: 0 };
      if (current.rows >= RUN_ROWS) current = { id: current.id + 1, rows: 0 };
      return current.id;
    },
    written: (count) => {
      if (current) current.rows += count;
    },
    clear: () => (current = null),
  };
}

async function lastRun(db: Kysely<Schema>): Promise<number> {
  const { last } = await db
    .selectFrom('hold_runs')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirstOrThrow();
  return last ?? NO_RUN;
}

/** Holds that start in [from, to] have been added to a run. */
export const widenRun = (run: number, from: number, to: number): RowStatement => ({
  ...{ verb: 'insert', table: 'hold_runs', rows: [[run, from, to]] },
  columns: [
    ['id', 'integer'],
    ['from_at', 'bigint'],
    ['to_at', 'bigint'],
  ],
  onConflict: `on conflict (id) do update set
    from_at = case when excluded.from_at < hold_runs.from_at then excluded.from_at else hold_runs.from_at end,
    to_at = case when excluded.to_at > hold_runs.to_at then excluded.to_at else hold_runs.to_at end`,
});

/** Of a run that has so many of a lock the newest are asked for alone, as its index gives them in order. */
const MANY = 64;

interface Range {
  /** What ends later, or never. */
  from?: number | undefined;
  /** Exclusive. */
  to?: number | undefined;
}

/**
 * The newest holds of some locks that `query` selects, newest first: run after run, back from the latest, until none
 * of those left can have a newer one. In one view of the database, as a hold that ends may go into a run.
 */
export async function newestOfRuns(
  db: Kysely<Schema>,
  query: HoldQuery,
  { lockIds, range, limit }: { lockIds: readonly number[]; range: Range; limit: number },
): Promise<SelectedHold[]> {
  if (lockIds.length === 0) return [];
  const after = range.from === undefined ? Number.MIN_SAFE_INTEGER : range.from - LONG_HOLD_MS;
  const ofLocks = query.where('holds.lock_id', 'in', [...lockIds]);
  const [runs, inNone] = await Promise.all([
    runsWith(db, lockIds, { after, before: range.to ?? Number.MAX_SAFE_INTEGER }),
    newest(ofLocks.where('holds.run', '=', NO_RUN), limit),
  ]);
  let found = inNone;
  for (const group of groupsOf(runs, limit)) {
    const last = found[limit - 1];
    if (last && last.start_at > (group[0]?.to_at ?? 0)) break;
    const some = ofLocks
      .where(
        'holds.run',
        'in',
        group.map(({ id }) => id),
      )
      .where('holds.start_at', '>', after)
      .$if(last !== undefined, (q) => q.where('holds.start_at', '>=', last?.start_at ?? 0));
    found = [...found, ...(await newest(some, limit))].sort(newestFirst).slice(0, limit);
  }
  return found;
}

interface RunWith {
  id: number;
  to_at: number;
  /** How many holds of the locks it has, counted up to {@link MANY}. */
  held: number;
}

/** The runs that have any, the latest first. */
async function runsWith(
  db: Kysely<Schema>,
  lockIds: readonly number[],
  { after, before }: { after: number; before: number },
): Promise<RunWith[]> {
  const { rows } = await sql<RunWith>`
    select id, to_at, (select count(*) from (select 1 from holds
        where holds.run = hold_runs.id and holds.lock_id in (${sql.join(lockIds)})
          and holds.start_at > ${after} and holds.start_at < ${before}
        limit ${sql.lit(MANY)}) as few) as held
    from hold_runs where to_at > ${after} and from_at < ${before}
    order by to_at desc, id desc`.execute(db);
  return rows.filter(({ held }) => held > 0);
}

/** Those that are read at once: together they have about `limit` holds. */
function groupsOf(runs: readonly RunWith[], limit: number): RunWith[][] {
  const groups: RunWith[][] = [];
  let room = 0;
  for (const run of runs) {
    const group = groups.at(-1);
    if (group && run.held < MANY && room > 0) group.push(run);
    else {
      groups.push([run]);
      room = limit;
    }
    room = run.held < MANY ? room - run.held : 0;
  }
  return groups;
}
