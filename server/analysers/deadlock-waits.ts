import type { WaitRequest } from '@/lib/analysis/wait-graph';
import { isOwnOwner, taskOf } from '@/lib/formats/qoder-owner';
import type { Owner } from '@/lib/protocol/lock';
import { printable } from '@/lib/protocol/bytes';
import { lockId, type HoldRecord, type LockRecord } from '@/server/state/lock-record';
import { stillWaits } from '@/server/state/waiting';

const WRITER = ':write';
const isWriter = (id: string): boolean => id.endsWith(WRITER);

/** One who holds a lock that is waited for. */
export interface Holding {
  /** The same whether it reads or writes. */
  task: string;
  owner: Owner | null;
  /** The record of it; null where the lock's record stands for another of its holders. */
  hold: HoldRecord | null;
  /** Epoch ms at which its own place ends; null = none that is known. */
  deadline: number | null;
}

/** One who waits. */
export interface Waiting {
  task: string;
  owner: Owner | null;
  since: number | null;
  /** Another for each time that it joined the queue, as far as that can be told. */
  place: string;
  isWriter: boolean;
  /** Its client reported the wait. */
  isReported: boolean;
  /** It stands in the queue as it was last read; else there is its client's word alone. */
  isQueued: boolean;
}

export interface AwaitedLock {
  name: string;
  lock: LockRecord;
  /** Those that must let go: of a read-write lock the writer, else all readers. */
  holdings: readonly Holding[];
  /** In the order of the queue. */
  waits: readonly Waiting[];
  /** Any one of the holders is enough. */
  hasPermits: boolean;
  isReadWrite: boolean;
  /** A reader is kept out by writers before it in the queue alone. */
  isHeldForReading: boolean;
}

const isHeldForWriting = ({ hold, members }: LockRecord): boolean =>
  isWriter(hold?.owner?.id ?? '') || members.some(({ id, stale }) => !stale && isWriter(id));

function holdingsOf(lock: LockRecord): Holding[] {
  const { hold, members, format } = lock;
  if (!hold?.owner) return [];
  const { owner } = hold;
  const deadline = hold.deadline ?? null;
  const inside = members.filter(({ stale }) => !stale);
  if (inside.length === 0) return [{ task: taskOf(owner.id), owner, hold, deadline }];
  const writes = format.kind === 'read-write' && isHeldForWriting(lock);
  const byTask = new Map<string, Holding>();
  for (const member of inside) {
    if (writes && !isWriter(member.id)) continue;
    const task = taskOf(member.id);
    const isIt = owner.id === member.id;
    byTask.set(task, {
      task,
      owner: isIt ? owner : (member.owner ?? null),
      hold: isIt ? hold : null,
      deadline: member.deadline ?? (isIt ? deadline : null),
    });
  }
  return [...byTask.values()];
}

function waitsOf(lock: LockRecord, now: number): Waiting[] {
  const { queue, reported, hold, rawAt } = lock;
  const waits: Waiting[] = [];
  for (const waiter of queue) {
    if (!stillWaits(waiter, now)) continue;
    waits.push({
      task: taskOf(waiter.by.id),
      owner: waiter.by,
      since: waiter.since,
      // Heartbeats move the deadline of our own client.
      place: `${waiter.since} ${isOwnOwner(waiter.owner) ? '' : waiter.deadline}`,
      isWriter: isWriter(waiter.by.id),
      isReported: reported?.has(waiter.owner) === true,
      isQueued: true,
    });
  }
  for (const [token, { since }] of reported ?? []) {
    // What was read since then shows who waits and who was let in.
    if (since <= rawAt || token === hold?.token) continue;
    if (queue.some(({ owner }) => owner === token)) continue;
    const id = printable(token);
    const who = { task: taskOf(id), owner: null, place: 'told', isWriter: isWriter(id) };
    waits.push({ ...who, since, isReported: true, isQueued: false });
  }
  return waits;
}

/** A permit whose time is over can be had at once. */
const hasFreePermit = ({ format, members }: LockRecord): boolean =>
  format.kind !== 'read-write' && members.some(({ stale }) => stale);

/** The lock with its holders and waiters; null where nobody waits for anybody. */
function awaitedLock(lock: LockRecord, now: number): AwaitedLock | null {
  if ((lock.queue.length === 0 && !lock.reported?.size) || hasFreePermit(lock)) return null;
  const holdings = holdingsOf(lock);
  if (holdings.length === 0) return null;
  const waits = waitsOf(lock, now);
  if (waits.length === 0) return null;
  const isReadWrite = lock.format.kind === 'read-write';
  return {
    ...{ name: lockId(lock.db, lock.key), lock, holdings, waits },
    isReadWrite,
    hasPermits: holdings.length > 1 && !isReadWrite,
    isHeldForReading: isReadWrite && !isHeldForWriting(lock),
  };
}

/**
 * What the waits of one lock need. Who stands before another in the queue of a mutex needs nothing that the other does
 * not need as well, so that only an owner that waits for something else besides (`several`) keeps those behind it.
 */
export function requestsOf(
  awaited: Omit<AwaitedLock, 'lock'>,
  several: ReadonlySet<string>,
): WaitRequest[] {
  const { name, waits, holdings, hasPermits, isReadWrite, isHeldForReading } = awaited;
  const holders = holdings.map(({ task }) => task);
  const requests: WaitRequest[] = [];
  /** Before this one, and not sure to go on once they have the lock: those that write, and those that read. */
  const writing = new Set<string>();
  const others = new Set<string>();
  let writer: string | null = null;
  for (const { task: owner, isWriter: writes } of waits) {
    const isReader = isReadWrite && !writes;
    const ahead = new Set(isReader ? writing : [...writing, ...others]);
    if (isReader && isHeldForReading && writer !== null) ahead.add(writer);
    ahead.delete(owner);
    const add = (holders: readonly string[], needs: number, via: WaitRequest['via']): void => {
      requests.push({ owner, lock: name, holders, needs, via });
    };
    if (hasPermits) {
      const all = new Set([...holders, ...ahead]);
      add([...all], 1 + all.size - holders.length, 'hold');
    } else {
      if (!isReader || !isHeldForReading) add(holders, holders.length, 'hold');
      if (ahead.size > 0) add([...ahead], ahead.size, 'queue');
    }
    // A writer behind such readers may wait for ever where a reader behind it would not.
    if (isReader ? several.has(owner) : several.has(owner) || others.size > 0) {
      (isReader ? others : writing).add(owner);
    }
    if (writes) writer = owner;
  }
  return requests;
}

/** The waits of one pass over the table. */
export interface WaitMap {
  add: (lock: LockRecord, now: number) => void;
  get: (name: string) => AwaitedLock | undefined;
  /** Whether anybody waits who also holds what is waited for, or waits in two places: else nobody is stuck. */
  readonly mayBeStuck: boolean;
  /** Owners that wait for several locks at once. */
  readonly several: ReadonlySet<string>;
  requests: () => readonly WaitRequest[];
}

export function createWaitMap(): WaitMap {
  const locks = new Map<string, AwaitedLock>();
  const waiting = new Set<string>();
  const several = new Set<string>();
  let requests: WaitRequest[] | null = null;
  return {
    several,
    add: (lock, now) => {
      const awaited = awaitedLock(lock, now);
      if (!awaited) return;
      locks.set(awaited.name, awaited);
      for (const task of new Set(awaited.waits.map((wait) => wait.task))) {
        if (waiting.has(task)) several.add(task);
        else waiting.add(task);
      }
    },
    get: (name) => locks.get(name),
    get mayBeStuck() {
      if (several.size > 0) return true;
      return locks.values().some(({ holdings }) => holdings.some(({ task }) => waiting.has(task)));
    },
    requests: () =>
      (requests ??= [...locks.values()].flatMap((awaited) => requestsOf(awaited, several))),
  };
}
