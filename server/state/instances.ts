import { dropOldest } from '@/lib/analysis/drop-oldest';
import type { Holder } from '@/lib/formats/format';
import { isOwnInstance, ownerParts, ownInstanceOf } from '@/lib/formats/qoder-owner';
import { printable, type Bytes } from '@/lib/protocol/bytes';
import type { Member, Owner } from '@/lib/protocol/lock';
import type { InstanceFacts, InstanceObservation } from '@/server/watch/observation';
import { livenessOf, marksOf } from './liveness';
import type { TableState } from './table-state';
import type { Tracked } from './tracked';

const MAX_INSTANCES = 10_000;
const NO_FACTS: InstanceFacts = { host: null, ip: null, pid: null, app: null };

/** What is known of one instance of our client. */
export interface Instance extends InstanceFacts {
  /**
   * It renews its presence: without a renewal for 30 s its process is gone, or cut off from Redis. Null while we
   * are disconnected ourselves.
   */
  isPresent: boolean | null;
  /** Where it says so; null = not told. */
  db: number | null;
}

/** An instance was read. What it said of itself stays known when it has gone. */
export function applyInstance(state: TableState, seen: InstanceObservation): void {
  const { instance, facts } = seen;
  const before = state.instances.get(instance);
  const now: Instance = {
    ...(facts ?? before ?? NO_FACTS),
    isPresent: facts !== null,
    db: seen.db ?? before?.db ?? null,
  };
  state.instances.delete(instance);
  state.instances.set(instance, now);
  dropOldest(state.instances, MAX_INSTANCES);
  if (before && isSame(before, now)) return;
  state.changedInstances.set(instance, seen.at);
}

/** While disconnected nothing is claimed of who is there. */
export function forgetPresence(state: TableState, at: number): void {
  for (const [instance, known] of state.instances) {
    state.instances.set(instance, { ...known, isPresent: null });
    state.changedInstances.set(instance, at);
  }
}

const isSame = (a: Instance, b: Instance): boolean =>
  a.isPresent === b.isPresent &&
  a.host === b.host &&
  a.ip === b.ip &&
  a.pid === b.pid &&
  a.app === b.app;

/** An owner with what its instance says of itself, and whether that instance is still there. */
export function withFacts(state: TableState, owner: Omit<Owner, 'liveness'>): Owner {
  const { instance } = owner;
  const known = instance === null ? undefined : state.instances.get(instance);
  if (!known) return { ...owner, liveness: livenessOf(state.liveness, marksOf(owner)) };
  const { host, ip, pid, app, isPresent } = known;
  const liveness = isPresent === null ? 'unknown' : isPresent ? 'seen' : 'not-seen';
  return { ...owner, host, ip, pid, app, liveness };
}

/** Whoever queues or holds a place, by the bytes of its id. */
export function ownerOf(state: TableState, id: Bytes): Owner {
  const parts = ownInstanceOf(id) === null ? { instance: null, thread: null } : ownerParts(id);
  const owner: Holder['owner'] = {
    id: printable(id),
    ...parts,
    ...NO_FACTS,
  };
  return withFacts(state, owner);
}

/** Takes what changed over into the locks that these instances hold or wait for. One walk for all. */
export function settleInstances(state: TableState): void {
  const changed = state.changedInstances;
  if (changed.size === 0) return;
  state.changedInstances = new Map();
  for (const lock of state.rotation) settleLock(state, lock, changed);
}

function settleLock(state: TableState, lock: Tracked, changed: ReadonlyMap<string, number>): void {
  let at: number | null = null;
  const refreshed = (owner: Owner): Owner | null => {
    const changedAt = owner.instance === null ? undefined : changed.get(owner.instance);
    if (changedAt === undefined) return null;
    at = changedAt;
    return withFacts(state, owner);
  };
  const { hold } = lock;
  const holder = hold?.owner && refreshed(hold.owner);
  if (hold && holder) hold.owner = holder;
  for (const waiter of lock.queue) waiter.by = refreshed(waiter.by) ?? waiter.by;
  if (lock.members.some(({ owner }) => owner && isOwnInstance(owner.instance ?? ''))) {
    lock.members = lock.members.map((member) => refreshedMember(member, refreshed));
  }
  if (at === null) return;
  lock.changedAt = at;
  state.changes.push({ kind: 'lock-changed', at, lock });
}

function refreshedMember(member: Member, refreshed: (owner: Owner) => Owner | null): Member {
  const owner = member.owner && refreshed(member.owner);
  return owner ? { ...member, owner } : member;
}
