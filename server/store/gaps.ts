import { GapReason, type Gap } from '@/lib/protocol/target';
import type { Backend } from './backend';
import { digestOf, textFromBlob, textToBytes } from './blob';
import type { Store } from './store-contract';

export async function writeGap(backend: Backend, targetId: number, gap: Gap): Promise<void> {
  await backend.db
    .insertInto('gaps')
    .values({ target_id: targetId, from_at: gap.from, to_at: gap.to, reason: gap.reason })
    .onConflict((conflict) =>
      conflict.columns(['target_id', 'from_at', 'reason']).doUpdateSet({ to_at: gap.to }),
    )
    .execute();
}

/** Gaps that overlap the range, oldest first. */
export async function readGaps(
  backend: Backend,
  { target, from, to }: Parameters<Store['gaps']>[0],
): Promise<(Gap & { target: string })[]> {
  const rows = await backend.reader
    .selectFrom('gaps')
    .innerJoin('targets', 'targets.id', 'gaps.target_id')
    .select(({ fn, ref }) => [
      'from_at',
      'to_at',
      'reason',
      fn.coalesce(ref('targets.bytes'), ref('targets.digest')).as('target'),
    ])
    .where('from_at', '<', to)
    .where((eb) => eb.or([eb('to_at', 'is', null), eb('to_at', '>=', from)]))
    .$if(target !== undefined, (q) =>
      q.where('targets.digest', '=', digestOf(textToBytes(target ?? ''))),
    )
    .orderBy('from_at')
    .execute();
  return rows.map((row) => ({
    target: textFromBlob(row.target),
    from: row.from_at,
    to: row.to_at,
    // Of a reason that another version knows: nobody can tell that time either way.
    reason: GapReason.catch('not-written').parse(row.reason),
  }));
}

export async function writeAlive(backend: Backend, targetId: number, at: number): Promise<void> {
  await backend.db
    .insertInto('alive')
    .values({ target_id: targetId, at })
    .onConflict((conflict) => conflict.column('target_id').doUpdateSet({ at }))
    .execute();
}

/** Asks by name: a target that was never written to is not given a number. */
export async function readAlive(backend: Backend, target: string): Promise<number | null> {
  const row = await backend.reader
    .selectFrom('alive')
    .innerJoin('targets', 'targets.id', 'alive.target_id')
    .select('at')
    .where('targets.digest', '=', digestOf(textToBytes(target)))
    .executeTakeFirst();
  return row?.at ?? null;
}
