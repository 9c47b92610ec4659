import type { Kysely } from 'kysely';
import type { Backend } from './backend';
import type { Kept, Retention } from './history-contract';
import { firstStep } from './page-rows';
import type { Schema } from './schema';
import { inOneView } from './series-names';
import { readTierStates } from './tier-states';

const CUT_AT = 'history.cut-at';

/** What is kept now, of all targets. */
export async function readKept(
  backend: Backend,
  { tiers, keepHoldsMs, maxBytes }: Retention,
): Promise<Kept> {
  return await inOneView(backend, async (db) => {
    const kept: Kept = {
      tiers: tiers.map((tier) => ({ ...tier, from: null, built: null })),
      holds: { keepMs: keepHoldsMs, from: await oldestHold(db) },
      maxBytes,
      cutAt: await cutAt(db),
    };
    for (const { id } of await db.selectFrom('targets').select('id').execute()) {
      for (const { spanMs, from, until } of await readTierStates(db, id, tiers)) {
        const tier = kept.tiers.find((one) => one.spanMs === spanMs);
        if (!tier) continue;
        const first = await firstStep(db, { targetId: id, spanMs, from });
        if (first !== null) tier.from = Math.min(tier.from ?? first, first);
        if (until !== Infinity) tier.built = Math.max(tier.built ?? until, until);
      }
    }
    return kept;
  });
}

/** Start of the oldest hold that is over: open ones are kept however old, and say nothing about the others. */
async function oldestHold(db: Kysely<Schema>): Promise<number | null> {
  const row = await db
    .selectFrom('holds')
    .select('start_at')
    .where('end_at', 'is not', null)
    .orderBy('start_at')
    .limit(1)
    .executeTakeFirst();
  return row?.start_at ?? null;
}

async function cutAt(db: Kysely<Schema>): Promise<number | null> {
  const row = await db
    .selectFrom('meta')
    .select('value')
    .where('name', '=', CUT_AT)
    .executeTakeFirst();
  return row ? Number(row.value) : null;
}

/** Remembers that history is shorter than asked for, as the bound of the disk was reached. */
export async function saveCut(backend: Backend, at: number): Promise<void> {
  const value = `${at}`;
  await backend.db
    .insertInto('meta')
    .values({ name: CUT_AT, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
