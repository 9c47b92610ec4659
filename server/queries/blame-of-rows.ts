import type { PastHold } from '@/lib/protocol/lock';
import type { BlameRow, LockName, WaitRow } from '@/server/store/history-contract';
import { inTurns } from './in-turns';
import { MOST_ROWS } from './lock-rows';
import { holdsInTable, holdsPending, mergeHolds } from './past-holds';
import type { QueryContext } from './query-context';
import type { Subject } from './subject';

interface Range {
  from: number;
  to: number;
}

/**
 * Who made others wait for single locks, from each of their waits that ended in the range and each of their holds. A
 * wait of which the client's word alone tells is left out, as it is where waiters are counted.
 */
export async function blameOfRows(
  context: QueryContext,
  { namespace, class: lockClass, locks }: Subject,
  range: Range,
): Promise<BlameRow[]> {
  const blame: BlameRow[] = [];
  for (const lock of locks ?? []) {
    const about = { namespace, class: lockClass, lock, ...range };
    const all = await context.history.waits({ ...about, order: 'newest', limit: MOST_ROWS });
    const waits = all.filter(({ source }) => source !== 'token-time');
    if (waits.length === 0) continue;
    const holds = await holdsWithin(context, lock, range);
    await inTurns(waits, (wait) => {
      for (const cause of causesOf(wait, holds, range)) blame.push(cause);
    });
  }
  return blame;
}

/** Oldest first. */
async function holdsWithin(
  context: QueryContext,
  { db, key }: LockName,
  range: Range,
): Promise<PastHold[]> {
  const query = { target: context.targetId, db, key, ...range, limit: MOST_ROWS };
  const stored = await context.store.holds(query);
  const pending = holdsPending(context, (row) => row.db === db && row.key === key);
  const all = mergeHolds(stored, pending, holdsInTable(context, db, key));
  return all.map(({ past }) => past).toReversed();
}

/** The part of a wait in the range, by the hold that was open; what is left of it is of nobody. */
function causesOf(wait: WaitRow, holds: readonly PastHold[], range: Range): BlameRow[] {
  const { target, namespace, formatId, db, key } = wait;
  const end = Math.min(wait.end, range.to);
  let at = Math.max(wait.start, range.from);
  const causes: BlameRow[] = [];
  const add = (cause: BlameRow['cause'], owner: string | null, waiterMs: number): void => {
    if (waiterMs <= 0) return;
    const series = { target, class: wait.class, namespace, formatId, lock: { db, key } };
    const step = { step: range.from, spanMs: range.to - range.from };
    causes.push({ ...series, ...step, cause, owner, waiterMs });
  };
  for (const hold of holds) {
    const start = Math.max(at, hold.start);
    const stop = Math.min(end, hold.end ?? end);
    if (stop <= start) continue;
    add('nobody', null, start - at);
    add(hold.owner === null ? 'unnamed' : 'holder', hold.owner, stop - start);
    at = stop;
  }
  add('nobody', null, end - at);
  return causes;
}
