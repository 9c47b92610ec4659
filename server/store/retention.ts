import type { Kysely } from 'kysely';
import { removeAlertEvents } from './alert-events';
import { removeAlerts, removeDeadlocks } from './alerts';
import type { Backend, RowStatement } from './backend';
import type { Retention, Tier } from './history-contract';
import { removeOldNotices } from './notices';
import { LONG_HOLD_MS, PAGE_KINDS, type Schema } from './schema';
import { floorTo, readTierStates, saveTierState, type TierState } from './tier-states';

/** Rows removed at once: a few milliseconds of the writing thread. */
export const REMOVED_AT_ONCE = 2000;
/** Steps whose pages are removed at once. */
const STEPS_AT_ONCE = 20;

/** Who was told of what, once it is done with. */
const KEEP_NOTICES_MS = 30 * 86_400_000;

export interface Tidying {
  backend: Backend;
  retention: Retention;
  /** Epoch ms. */
  now: number;
}

/**
 * One small step of tidying. True = there may be more to do.
 * Open holds are kept however old: those are the ones somebody will ask for.
 */
export async function retentionStep(tidying: Tidying): Promise<boolean> {
  const { backend, retention, now } = tidying;
  const before = now - retention.keepHoldsMs;
  if (await removeHolds(backend, before)) return true;
  if (await removeLeftWaits(backend, before)) return true;
  const longestMs = Math.max(...retention.tiers.map(({ keepMs }) => keepMs));
  await removeDeadlocks(backend, now - longestMs);
  if (await removeAlerts(backend, now - longestMs)) return true;
  if (await removeAlertEvents(backend, now - longestMs)) return true;
  await removeOldNotices(backend, now - KEEP_NOTICES_MS);
  return await removePages(tidying);
}

/** Removes some of the holds that began and ended before. False = there were none. */
export async function removeHolds(backend: Backend, before: number): Promise<boolean> {
  const rows = await backend.db
    .selectFrom('holds')
    .select(['start_at', 'lock_id', 'generation'])
    .where('start_at', '<', before)
    .where('end_at', '<', before)
    .orderBy('start_at')
    .limit(REMOVED_AT_ONCE)
    .execute();
  const last = rows.at(-1);
  if (!last) return false;
  await backend.writeRows([
    forgetRuns(Math.min(last.start_at, before - LONG_HOLD_MS)),
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

/** Runs that have no hold any more: of short holds that began before `before` none is left. */
const forgetRuns = (before: number): RowStatement => ({
  verb: 'delete',
  table: 'hold_runs',
  columns: [['to_at', 'bigint']],
  rows: [[before]],
  where: (row) => `hold_runs.to_at < ${row('to_at')}`,
});

export async function removeLeftWaits(backend: Backend, before: number): Promise<boolean> {
  const waits = backend.db.selectFrom('left_waits').select('end_at').orderBy('end_at');
  const oldest = await waits.limit(1).executeTakeFirst();
  if (!oldest || oldest.end_at >= before) return false;
  const next = await waits.limit(1).offset(REMOVED_AT_ONCE).executeTakeFirst();
  const to = Math.min(before, Math.max(next?.end_at ?? before, oldest.end_at + 1));
  await backend.db.deleteFrom('left_waits').where('end_at', '<', to).execute();
  return true;
}

/** Cuts what is past its time off the tiers, and removes some of the pages that were cut off. */
async function removePages({ backend, retention, now }: Tidying): Promise<boolean> {
  const targets = await backend.db.selectFrom('targets').select('id').execute();
  for (const { id } of targets) {
    const states = await readTierStates(backend.db, id, retention.tiers);
    for (const state of states) {
      const keepMs = retention.tiers.find(({ spanMs }) => spanMs === state.spanMs)?.keepMs ?? 0;
      const cut = await cutTier(backend, {
        targetId: id,
        state,
        to: Math.min(now - keepMs, toldBefore(states, state, retention.tiers)),
      });
      if (await removeCutPages(backend.db, id, cut)) return true;
    }
  }
  return false;
}

/** Up to when a longer span tells what this one does; without end for the longest. */
export function toldBefore(
  states: readonly TierState[],
  { spanMs }: TierState,
  tiers: readonly Tier[],
): number {
  const longer = tiers.find((tier) => tier.spanMs > spanMs);
  if (!longer) return Infinity;
  return states.find((state) => state.spanMs === longer.spanMs)?.until ?? 0;
}

/** Has the tier begin no earlier than `to`; what lies before is not read any more. */
export async function cutTier(
  backend: Backend,
  { targetId, state, to }: { targetId: number; state: TierState; to: number },
): Promise<TierState> {
  const from = floorTo(to, state.spanMs);
  if (from <= state.from) return state;
  return await backend.db.transaction().execute(async (transaction) => {
    await backend.lockDuty(transaction, 'rebuild-pages');
    const cut = { ...state, from };
    await saveTierState(transaction, targetId, cut);
    return cut;
  });
}

async function removeCutPages(
  db: Kysely<Schema>,
  targetId: number,
  { spanMs, from }: TierState,
): Promise<boolean> {
  for (const kind of PAGE_KINDS.keys()) {
    const oldest = await db
      .selectFrom('pages')
      .select('step')
      .where('target_id', '=', targetId)
      .where('span_ms', '=', spanMs)
      .where('kind', '=', kind)
      .where('step', '<', from)
      .orderBy('step')
      .limit(1)
      .executeTakeFirst();
    if (!oldest) continue;
    await db
      .deleteFrom('pages')
      .where('target_id', '=', targetId)
      .where('span_ms', '=', spanMs)
      .where('kind', '=', kind)
      .where('step', '<', Math.min(from, oldest.step + STEPS_AT_ONCE * spanMs))
      .execute();
    return true;
  }
  return false;
}
