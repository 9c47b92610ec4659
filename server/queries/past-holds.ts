import type { Bytes } from '@/lib/protocol/bytes';
import type { PastHold } from '@/lib/protocol/lock';
import { lockId } from '@/server/state/lock-record';
import { toPastHold } from '@/server/state/view';
import type { HoldRow } from '@/server/store/store-contract';
import type { ServerContext } from './query-context';

export interface KeyedHold {
  db: number;
  key: Bytes;
  past: PastHold;
}

/** Numbers of holds begin anew when a lock was forgotten in between; holds that lie apart are two. */
const isSameHold = (a: PastHold, b: PastHold): boolean =>
  a.start === b.start ||
  ((a.end === null || a.end > b.start) && (b.end === null || b.end > a.start));

/** One entry for each hold, newest first; of two about the same one the later source tells. */
export function mergeHolds<Hold extends KeyedHold>(
  ...sources: readonly (readonly Hold[])[]
): Hold[] {
  const merged = new Map<string, Hold[]>();
  for (const hold of sources.flat()) {
    const name = `${hold.past.generation}:${lockId(hold.db, hold.key)}`;
    const known = merged.get(name);
    if (!known) merged.set(name, [hold]);
    else merged.set(name, [...known.filter((one) => !isSameHold(one.past, hold.past)), hold]);
  }
  return [...merged.values()]
    .flat()
    .toSorted((a, b) => b.past.start - a.past.start || b.past.generation - a.past.generation);
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
