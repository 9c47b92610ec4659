import { sql } from 'kysely';
import { CodedError } from '@/lib/protocol/errors';
import type { Backend, Ddl } from './backend';

/** Numbered by position, from 1. A published one is never changed; the next change is appended. */
export const MIGRATIONS: readonly ((ddl: Ddl) => string[])[] = [
  firstTables,
  businessOfHolds,
  pins,
  pagesOfHistory,
  livesOfAlerts,
  runsOfHolds,
  versionsOfDocuments,
];

/**
 * Brings the tables to this version, one transaction for all steps: whoever is ended meanwhile leaves the version that
 * was there. `tell` hears a sentence for a person before what may take long.
 * @throws CodedError STORE_UNAVAILABLE when the database was written by a newer version.
 */
export async function migrate(
  backend: Backend,
  now: number,
  tell: (sentence: string) => void = () => {},
): Promise<void> {
  await backend.longTransaction(async (transaction) => {
    await backend.lockDuty(transaction, 'migrate');
    await sql
      .raw(
        'create table if not exists schema_versions (version integer primary key, applied_at bigint not null)',
      )
      .execute(transaction);
    const { last } = await transaction
      .selectFrom('schema_versions')
      .select((eb) => eb.fn.max('version').as('last'))
      .executeTakeFirstOrThrow();
    const present = Number(last ?? 0);
    if (present > MIGRATIONS.length) {
      throw new CodedError(
        'STORE_UNAVAILABLE',
        `The database has version ${present}, this Lockscope knows up to ${MIGRATIONS.length}: start the newer Lockscope, or use another database.`,
      );
    }
    if (present > 0 && present < MIGRATIONS.length) {
      tell(
        `The database is brought from version ${present} to ${MIGRATIONS.length}: some seconds for a million holds. The console is ready after that; if it is ended before, nothing has changed.`,
      );
    }
    for (const [i, migration] of MIGRATIONS.entries()) {
      if (i < present) continue;
      for (const statement of migration(backend.ddl)) await sql.raw(statement).execute(transaction);
      await transaction
        .insertInto('schema_versions')
        .values({ version: i + 1, applied_at: now })
        .execute();
    }
  });
}

/** What a hold was for, by its number in `words`. */
function businessOfHolds(): string[] {
  return ['alter table holds add column business_id bigint'];
}

/** What operators said of the keys of a pattern. */
function pins(ddl: Ddl): string[] {
  return [
    `create table pins (target_id bigint not null, digest ${ddl.bytes} not null, bytes ${ddl.bytes},
      created_at bigint not null, json text not null, primary key (target_id, digest))`,
  ];
}

/** Figures of a step in one row instead of one row for each series, single locks among them, and waits one by one. */
function pagesOfHistory(ddl: Ddl): string[] {
  return [
    'drop table rollups',
    'drop table sketches',
    'alter table series add column lock_id bigint',
    'create index series_by_class on series (target_id, class)',
    'create index series_by_lock on series (lock_id) where lock_id is not null',
    'alter table holds add column waited_ms double precision',
    'alter table holds add column wait_source integer',
    'alter table holds add column wait_evidence integer',
    'alter table holds add column wait_rank integer',
    // Who held one lock at a moment: its holds by time.
    'drop index holds_by_lock',
    'create index holds_by_lock on holds (lock_id, start_at)',
    'create index holds_waited on holds (wait_rank, start_at) where wait_rank is not null',
    `create table left_waits (end_at bigint not null, lock_id bigint not null, owner_id bigint not null,
      start_at bigint not null, series_id bigint not null, source integer not null,
      evidence integer not null, wait_rank integer not null,
      primary key (end_at, lock_id, owner_id, start_at)) ${ddl.clustered}`,
    'create index left_waits_by_rank on left_waits (wait_rank, end_at)',
    // Not clustered: rows of the index stay small, and a page lies in one chain of its own.
    `create table pages (target_id bigint not null, span_ms bigint not null, kind integer not null,
      step bigint not null, part bigint not null, bytes ${ddl.bytes} not null,
      primary key (target_id, span_ms, kind, step, part))`,
    `create table tiers_built (target_id bigint not null, span_ms bigint not null,
      from_at bigint not null, until_at bigint, primary key (target_id, span_ms))`,
  ];
}

/** Incidents line by line, what operators set, and who is still to be told of what. */
function livesOfAlerts(ddl: Ddl): string[] {
  return [
    `create table alert_events (alert_digest ${ddl.bytes} not null, at bigint not null, seq bigint not null,
      json text not null, primary key (alert_digest, at, seq)) ${ddl.clustered}`,
    'create index alert_events_by_time on alert_events (at)',
    `create table documents (kind text not null, digest ${ddl.bytes} not null, updated_at bigint not null,
      json text not null, primary key (kind, digest))`,
    `create table notices (digest ${ddl.bytes} primary key, alert_digest ${ddl.bytes}, channel text not null,
      at bigint not null, due_at bigint, json text not null)`,
    'create index notices_due on notices (due_at) where due_at is not null',
    'create index notices_by_time on notices (at)',
    'create index notices_by_alert on notices (alert_digest)',
  ];
}

/** Holds of one lock are found run by run: a run's part of the index stays in memory while it is written to. */
function runsOfHolds(): string[] {
  return [
    'alter table holds add column run integer not null default 0',
    'drop index holds_by_lock',
    'create index holds_by_lock on holds (run, lock_id, start_at)',
    'create table hold_runs (id integer primary key, from_at bigint not null, to_at bigint not null)',
    'create index hold_runs_by_end on hold_runs (to_at)',
  ];
}

/** Whether what an operator changes is what he saw. */
function versionsOfDocuments(): string[] {
  return ['alter table documents add column version bigint not null default 0'];
}

/** End reasons that the first tables knew. */
const FIRST_ENDS = [
  'released',
  'lease_ended',
  'overwritten',
  'evicted',
  'vanished',
  'moved',
  'lost_in_failover',
  'force_released',
  'unknown',
];

function firstTables(ddl: Ddl): string[] {
  const dictionary = `id ${ddl.id}, digest ${ddl.bytes} not null, bytes ${ddl.bytes}, seen bigint not null`;
  return [
    `create table targets (${dictionary}, unique (digest))`,
    `create table words (${dictionary}, unique (digest))`,
    `create table locks (${dictionary}, db integer not null, target_id bigint not null,
      unique (digest, db, target_id))`,
    `create table series (${dictionary}, target_id bigint not null, class ${ddl.bytes} not null,
      namespace ${ddl.bytes} not null, format text not null, unique (digest))`,
    `create table holds (
      start_at bigint not null, lock_id bigint not null, generation bigint not null,
      series_id bigint not null, token_id bigint, owner_id bigint, acquisitions bigint not null,
      end_at bigint, end_reason integer, evidence integer not null, renewals integer not null,
      max_depth integer not null, ended_by_id bigint, late_ms bigint, notes integer not null,
      is_long integer not null,
      primary key (start_at, lock_id, generation)) ${ddl.clustered}`,
    'create index holds_by_lock on holds (lock_id, generation)',
    'create index holds_long on holds (end_at) where is_long = 1',
    `create table rollups (
      span_ms integer not null, step bigint not null, series_id bigint not null,
      acquisitions bigint not null, held_ms double precision not null, waiter_ms double precision,
      handoff_ms double precision not null, handoffs bigint not null,
      ${FIRST_ENDS.map((reason) => `end_${reason} bigint not null`).join(', ')},
      primary key (span_ms, step, series_id)) ${ddl.clustered}`,
    `create table sketches (
      span_ms integer not null, step bigint not null, series_id bigint not null,
      kind integer not null, bytes ${ddl.bytes} not null,
      primary key (span_ms, step, series_id, kind))`,
    `create table gaps (target_id bigint not null, from_at bigint not null, to_at bigint,
      reason text not null, primary key (target_id, from_at, reason))`,
    'create table alive (target_id bigint primary key, at bigint not null)',
    `create table alerts (digest ${ddl.bytes} primary key, state text not null, code text not null,
      updated_at bigint not null, json text not null)`,
    'create index alerts_by_time on alerts (updated_at)',
    `create table deadlocks (digest ${ddl.bytes} primary key, state text not null,
      since bigint not null, json text not null)`,
    `create table audit (seq bigint primary key, at bigint not null, actor text not null,
      key_digest ${ddl.bytes}, entry text not null, prev_hash text not null, hash text not null)`,
    'create index audit_by_actor on audit (actor, seq)',
    'create index audit_by_key on audit (key_digest, seq)',
    ...ddl.appendOnly('audit'),
    'create table meta (name text primary key, value text not null)',
  ];
}
