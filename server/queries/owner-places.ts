import type { Owner } from '@/lib/protocol/lock';
import type { OwnerPlace, PlacedOwner } from '@/lib/protocol/measures';
import type { LockRecord } from '@/server/state/lock-record';
import type { BlameRow, LockName } from '@/server/store/history-contract';
import type { ServerContext } from './query-context';

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
 * Where processes run, as far as they say so: told by whoever of a process holds one of these locks, did so of late,
 * or waits for it. By {@link processOf} their owner.
 */
export function placesAt(
  { table }: ServerContext,
  locks: readonly LockName[],
): Map<string, OwnerPlace> {
  const places = new Map<string, OwnerPlace>();
  for (const record of new Set(locks.flatMap(({ db, key }) => table.get(db, key) ?? []))) {
    for (const { id, app, host, ip, pid } of ownersOf(record)) {
      if (app === null && host === null && ip === null) continue;
      places.set(processOf(id), { app, host, ip, pid });
    }
  }
  return places;
}

/** Of these owners, null among them or not, those of whom {@link placesAt} tells where they run. */
export function placedOwners(
  context: ServerContext,
  locks: readonly LockName[],
  owners: Iterable<string | null>,
): PlacedOwner[] {
  const places = placesAt(context, locks);
  return [...new Set(owners)].flatMap((owner) => {
    const place = owner === null ? undefined : places.get(processOf(owner));
    return owner === null || place === undefined ? [] : [{ owner, ...place }];
  });
}
