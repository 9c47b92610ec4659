import type { Bytes } from '@/lib/protocol/bytes';
import type { PastHold } from '@/lib/protocol/lock';
import { toPastHold } from '@/server/state/view';
import type { HoldRow } from '@/server/store/store-contract';
import type { ServerContext } from './query-context';

export interface KeyedHold {
  db: number;
  key: Bytes;
  past: PastHold;
}

/** Merges by lock and generation, later sources winning; newest first. */
export function mergeHolds<Hold extends KeyedHold>(
  ...sources: readonly (readonly Hold[])[]
): Hold[] {
  const merged = new Map<string, Hold>();
  for (const hold of sources.flat()) {
    merged.set(`${hold.db}:${hold.past.generation}:${hold.key}`, hold);
  }
  return [...merged.values()].toSorted(
    (a, b) => b.past.start - a.past.start || b.past.generation - a.past.generation,
  );
}

/** Holds of one lock that the table still has: the open one and the last few ended. */
export function holdsInTable(context: ServerContext, db: number, key: Bytes): KeyedHold[] {
  const record = context.table.get(db, key);
  if (!record) return [];
  const holds = record.hold ? [record.hold, ...record.ended] : record.ended;
  return holds.map((hold) => ({ db, key, past: toPastHold(hold) }));
}

/** Rows on their way to the store. */
export function holdsPending(
  context: ServerContext,
  isWanted: (row: HoldRow) => boolean,
): HoldRow[] {
  return context.recorder.pending().holds.filter(isWanted);
}
