import { printable, toBase64Url, type Bytes } from '@/lib/protocol/bytes';
import type { HoldPage, HoldsParams } from '@/lib/protocol/queries';
import { gapsWithin } from './gaps';
import { keyOf } from './lock-address';
import { holdsInTable, holdsPending, mergeHolds, type KeyedHold } from './past-holds';
import { bytesFromPrintable } from './printed-key';
import type { QueryContext } from './query-context';

const DEFAULT_LIMIT = 100;

/** A hold covers its start and not its end: at the moment of a takeover the new holder holds. */
const covers = (at: number, { past }: KeyedHold): boolean =>
  past.start <= at && (past.end === null || at < past.end);

/** Who held a lock, at one moment or ever; all locks when no key is named. Newest first. */
export async function holds(context: QueryContext, params: HoldsParams): Promise<HoldPage> {
  const { at, db, limit = DEFAULT_LIMIT } = params;
  const named = params.keyB64 !== undefined ? keyOf(params.keyB64) : null;
  const key = named ?? (params.key !== undefined ? bytesFromPrintable(params.key) : undefined);
  const stored = await context.store.holds({ target: context.targetId, db, key, at, limit });
  const isWanted = (row: { db: number; key: Bytes }): boolean =>
    (db === undefined || row.db === db) && (key === undefined || row.key === key);
  // Without a key the newest of history answer; walking the whole table would cost more than it adds.
  const records = key === undefined ? [] : [...context.table.all()].filter(isWanted);
  const live = records.flatMap((record) => holdsInTable(context, record.db, record.key));
  const merged = mergeHolds(stored, holdsPending(context, isWanted), live);
  const inGap = at !== undefined && (await gapsWithin(context, at, at)).length > 0;
  const items = merged
    .filter((hold) => at === undefined || covers(at, hold))
    .slice(0, limit)
    .map((hold) => ({
      ...hold.past,
      evidence: inGap ? ('unknown' as const) : hold.past.evidence,
      target: context.targetId,
      db: hold.db,
      key: printable(hold.key),
      keyB64: toBase64Url(hold.key),
    }));
  return { items, at: at ?? null, inGap };
}
