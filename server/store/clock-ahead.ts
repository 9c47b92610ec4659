import type { Kysely } from 'kysely';
import type { Backend } from './backend';
import { SETTLED_MS } from './compaction';
import type { Tier } from './history-contract';
import type { Schema } from './schema';
import {
  ceilTo,
  covers,
  floorTo,
  readTierStates,
  saveTierState,
  type TierState,
} from './tier-states';

/**
 * Whether the shortest steps are kept from a time on that has not come: the clock was ahead when they were cut. Until the
 * end of the longest step a longer one may tell all.
 */
export function beginsAhead(states: readonly TierState[], now: number): boolean {
  const [shortest, longest] = [states[0], states.at(-1)];
  return !!shortest && !!longest && shortest.from > ceilTo(now, longest.spanMs);
}

/**
 * Has the shortest steps of a target begin at what is now again, where they {@link beginsAhead}; what happens would be
 * left out until the time has come that the clock once told. What was written for that time is removed, or it would be
 * told then as well.
 */
export async function beginNow(
  backend: Backend,
  { targetId, tiers, now }: { targetId: number; tiers: readonly Tier[]; now: number },
): Promise<void> {
  await backend.db.transaction().execute(async (transaction) => {
    await backend.lockDuty(transaction, 'rebuild-pages');
    const states = await readTierStates(transaction, targetId, tiers);
    const [shortest, ...longer] = states;
    if (!shortest || !beginsAhead(states, now)) return;
    const from = beginOf(states, now);
    await removeFrom(transaction, targetId, from);
    await saveTierState(transaction, targetId, { ...shortest, from });
    for (const state of longer) {
      const until = Math.min(state.until, from);
      if (state.from < until) await saveTierState(transaction, targetId, { ...state, until });
      else await forgetTier(transaction, targetId, state);
    }
  });
}

/** The end of the longest step that tells what is now; where none does, a little earlier, as steps are written late. */
function beginOf(states: readonly TierState[], now: number): number {
  const told = states.findLast((state) => covers(state, now));
  return told ? ceilTo(now, told.spanMs) : floorTo(now - SETTLED_MS, states[0]?.spanMs ?? 1);
}

async function removeFrom(db: Kysely<Schema>, targetId: number, from: number): Promise<void> {
  await db
    .deleteFrom('pages')
    .where('target_id', '=', targetId)
    .where('step', '>=', from)
    .execute();
}

async function forgetTier(
  db: Kysely<Schema>,
  targetId: number,
  { spanMs }: TierState,
): Promise<void> {
  await db
    .deleteFrom('tiers_built')
    .where('target_id', '=', targetId)
    .where('span_ms', '=', spanMs)
    .execute();
}
