import { sql } from 'kysely';
import type { Backend } from './backend';
import { FRESH_MS } from './dictionary';
import { oldestEnded } from './disk-bound';
import type { Retention } from './history-contract';

/** Looked at at once: a few milliseconds of the writing thread. */
const AT_ONCE = 5000;
const REST_MS = 10 * 60 * 1000;
/** A name in use was written an hour ago at most (`FRESH_MS`), by a clock that may differ a little. */
const MARGIN_MS = 2 * FRESH_MS;

const TABLES = ['series', 'words', 'locks'] as const;
type Table = (typeof TABLES)[number];

/** Goes through names and numbers and removes what no row refers to any more. */
export interface NameSweep {
  /** To be called again while it says true; after a whole round it rests. */
  step: (now: number) => Promise<boolean>;
  /** Much was removed: no rest now. */
  again: () => void;
}

/** `onRemoved`: numbers may now be given to other names. */
export function createNameSweep(
  { backend, retention }: { backend: Backend; retention: Retention },
  onRemoved: () => void,
): NameSweep {
  let at = { table: 0, after: 0 };
  let restsUntil = -Infinity;
  const step = async (now: number): Promise<boolean> => {
    const table = TABLES[at.table];
    if (table === undefined) {
      restsUntil = now + REST_MS;
      at = { table: 0, after: 0 };
      return false;
    }
    // A clock that was set back must not stop it.
    if (now < restsUntil && now > restsUntil - REST_MS) return false;
    const rows = await backend.db
      .selectFrom(table)
      .select('id')
      .where('id', '>', at.after)
      .orderBy('id')
      .limit(AT_ONCE)
      .execute();
    const last = rows.at(-1);
    if (!last) {
      at = { table: at.table + 1, after: 0 };
      return true;
    }
    const holdsFrom = await oldestHoldOrWait(backend, now);
    const range = { table, retention, now, holdsFrom, after: at.after, to: last.id };
    if (await removeUnused(backend, range)) onRemoved();
    at = { table: at.table, after: last.id };
    return true;
  };
  return { step, again: () => (restsUntil = -Infinity) };
}

/** What is older refers to no name, but for holds that are still open. */
async function oldestHoldOrWait(backend: Backend, now: number): Promise<number> {
  const wait = await backend.db
    .selectFrom('left_waits')
    .select('end_at')
    .orderBy('end_at')
    .limit(1)
    .executeTakeFirst();
  return Math.min(now, await oldestEnded(backend), wait?.end_at ?? Infinity);
}

interface Range {
  table: Table;
  retention: Retention;
  now: number;
  holdsFrom: number;
  /** Ids in (after, to]. */
  after: number;
  to: number;
}

/**
 * `seen` is renewed when a name is written, an hour late at most, and of single locks' series set to when the last
 * page that has them goes. In one statement with what still refers to them: another console may just have used it.
 */
async function removeUnused(backend: Backend, range: Range): Promise<boolean> {
  const { table, after, to } = range;
  const removed = await sql`delete from ${sql.table(table)}
    where id > ${after} and id <= ${to} and ${unusedIn(range)}`.execute(backend.db);
  return (removed.numAffectedRows ?? 0n) > 0n;
}

function unusedIn({ table, retention, now, holdsFrom }: Range) {
  const { keepHoldsMs, tiers } = retention;
  const holdsGone = holdsFrom - MARGIN_MS;
  const finestGone = now - (tiers[0]?.keepMs ?? 0) - MARGIN_MS;
  const longestGone = now - Math.max(keepHoldsMs, tiers.at(-1)?.keepMs ?? 0) - MARGIN_MS;
  const old = sql`from holds where is_long = 1 and end_at is null and start_at < ${sql.lit(holdsFrom)}`;
  switch (table) {
    case 'series':
      return sql`seen < case when lock_id is null then ${sql.lit(longestGone)} else ${sql.lit(finestGone)} end
        and id not in (select series_id ${old})`;
    case 'words':
      return sql`seen < ${sql.lit(holdsGone)}
        and id not in (select token_id ${old} and token_id is not null)
        and id not in (select owner_id ${old} and owner_id is not null)
        and id not in (select business_id ${old} and business_id is not null)`;
    case 'locks':
      return sql`seen < ${sql.lit(holdsGone)} and id not in (select lock_id ${old})
        and not exists (select 1 from series where series.lock_id = locks.id)`;
  }
}
