import type { Kysely } from 'kysely';
import type { Tier } from './history-contract';
import type { Schema } from './schema';

/** From when until when the pages of one span tell everything that was recorded. Both are multiples of it. */
export interface TierState {
  spanMs: number;
  from: number;
  /** Infinity for the shortest span, which all is written to. */
  until: number;
}

/** Of one target, shortest span first; a longer one of which nothing is built yet is left out. */
export async function readTierStates(
  db: Kysely<Schema>,
  targetId: number,
  tiers: readonly Tier[],
): Promise<TierState[]> {
  const rows = await db
    .selectFrom('tiers_built')
    .select(['span_ms', 'from_at', 'until_at'])
    .where('target_id', '=', targetId)
    .orderBy('span_ms')
    .execute();
  const states = rows.map((row) => ({
    spanMs: row.span_ms,
    from: row.from_at,
    until: row.until_at ?? Infinity,
  }));
  const shortest = tiers[0]?.spanMs;
  const isThere = shortest === undefined || states.some(({ spanMs }) => spanMs === shortest);
  return isThere ? states : [{ spanMs: shortest, from: 0, until: Infinity }, ...states];
}

export async function saveTierState(
  db: Kysely<Schema>,
  targetId: number,
  { spanMs, from, until }: TierState,
): Promise<void> {
  const values = { from_at: from, until_at: until === Infinity ? null : until };
  await db
    .insertInto('tiers_built')
    .values({ target_id: targetId, span_ms: spanMs, ...values })
    .onConflict((conflict) => conflict.columns(['target_id', 'span_ms']).doUpdateSet(values))
    .execute();
}

/** Whether the step of its span that `at` lies in is wholly told by it. */
export const covers = ({ spanMs, from, until }: TierState, at: number): boolean => {
  const step = floorTo(at, spanMs);
  return step >= from && step + spanMs <= until;
};

export const floorTo = (at: number, spanMs: number): number => Math.floor(at / spanMs) * spanMs;
export const ceilTo = (at: number, spanMs: number): number => Math.ceil(at / spanMs) * spanMs;
