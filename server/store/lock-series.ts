import type { Kysely } from 'kysely';
import type { Tier } from './history-contract';
import type { Schema } from './schema';

const AT_ONCE = 500;

/**
 * Keeps the names of single locks for as long as the page that has them: `seen` becomes the time at which they would
 * have been written last if they were in the shortest steps alone (see `name-sweep`).
 */
export async function keepLockSeries(
  db: Kysely<Schema>,
  ids: readonly number[],
  { tiers, spanMs, until }: { tiers: readonly Tier[]; spanMs: number; until: number },
): Promise<void> {
  const keepMs = tiers.find((tier) => tier.spanMs === spanMs)?.keepMs ?? 0;
  const seen = until + keepMs - (tiers[0]?.keepMs ?? 0);
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    await db
      .updateTable('series')
      .set({ seen })
      .where('id', 'in', ids.slice(at, at + AT_ONCE))
      .where('seen', '<', seen)
      .execute();
  }
}
