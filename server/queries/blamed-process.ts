import type { BlameLeaf } from '@/lib/protocol/measures';
import type { Owner } from '@/lib/protocol/lock';
import type { LockRecord } from '@/server/state/lock-record';
import type { BlameRow } from '@/server/store/history-contract';
import type { QueryContext } from './query-context';

/** Libraries whose owners name their process write its uuid first: `<uuid>:<thread or task>`. */
const OF_A_PROCESS = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})[:_]/;

/** The process that an owner is a thread or task of; the owner itself where it does not say. */
export const processOf = (owner: string): string => OF_A_PROCESS.exec(owner)?.[1] ?? owner;

/** The same blame, put down to the process of its owner. */
export const ofProcess = (row: BlameRow): BlameRow =>
  row.owner === null ? row : { ...row, owner: processOf(row.owner) };

function* ownersOf({ hold, queue, ended }: LockRecord): Generator<Owner> {
  if (hold?.owner) yield hold.owner;
  for (const { owner } of ended) if (owner) yield owner;
  for (const { by } of queue) yield by;
}

/**
 * Where a blamed holder runs, as far as it says so: told by whoever of its process holds the lock, did so of late, or
 * waits for it. Undefined = nothing is known.
 */
export function placeOf(context: QueryContext, { lock, owner }: BlameRow): BlameLeaf['place'] {
  const record = lock && owner !== null ? context.table.get(lock.db, lock.key) : undefined;
  if (!record || owner === null) return undefined;
  const process = processOf(owner);
  for (const each of ownersOf(record)) {
    if (processOf(each.id) !== process) continue;
    const { app, host, ip, pid } = each;
    if (app !== null || host !== null || ip !== null) return { app, host, ip, pid };
  }
  return undefined;
}
