import {
  nameOf,
  type LockMode,
  type OrderedLock,
  type Place,
  type Taking,
} from './lock-order-shape';

/** Somebody got a lock. */
export interface Acquire {
  owner: string;
  app?: string | null;
  lock: OrderedLock;
  mode: LockMode;
  /** By an attempt that would not have waited; or it is not known after what: nothing is learnt of how it was taken. */
  isTry?: boolean;
  /** Several threads act under this name, so that what is held by it may be another's. */
  isShared?: boolean;
  at: number;
  /** Of several at the same moment, which came first; left out = in the order told. */
  order?: number;
}

/** Owners of whom something is kept, the last active ones. */
const MOST_OWNERS = 10_000;
/** Locks of one owner that are looked at: who holds more takes them in some order that nobody reads. */
const MOST_HELD = 16;
/** The names of holds come in another order than their beginnings, but hardly this late (ms). */
const LATE_MS = 1000;

interface Held extends Place {
  name: string;
  owner: string;
  app: string | null;
  at: number;
  order: number;
  /** When it was given back, where that became known later. */
  endedAt: number | null;
  isTry: boolean;
  isLearnt: boolean;
}

interface Holder {
  /** In the order of taking. */
  held: Held[];
  isShared: boolean;
}

export interface HeldLocks {
  acquire: (acquire: Acquire) => void;
  /** `at`: when it was given back, where that is not now. */
  release: (owner: string, lock: OrderedLock, at?: number) => void;
  /** Learns of what has been held for a while: nothing that began before it can come any more. */
  settle: (now: number) => void;
}

/** What an owner of many threads did: told only where it is no chance that the one was held when the other was taken. */
export interface SharedFilter {
  taken: (owner: string, wanted: Place) => void;
  nested: (owner: string, held: Place, wanted: Place) => boolean;
  crossed: (owner: string, held: Place, wanted: Place) => void;
}

/**
 * What each owner holds, in order. A taking is told when one of its owner's locks is released, or a second later: by
 * then it is known whose the other locks are.
 */
export function createHeldLocks(shared: SharedFilter, learn: (taking: Taking) => void): HeldLocks {
  const holders = new Map<string, Holder>();
  /** Who holds several, of which something is to be learnt. */
  const unlearnt = new Set<string>();

  const learnOne = (holder: Holder, wanted: Held): void => {
    wanted.isLearnt = true;
    if (holder.isShared) shared.taken(wanted.owner, wanted);
    // What is not waited for is in nobody's way.
    if (wanted.isTry) return;
    const before = holder.held.slice(0, holder.held.indexOf(wanted));
    const held = before.filter(
      (each) =>
        (each.endedAt === null || each.endedAt > wanted.at) &&
        (!holder.isShared || shared.nested(wanted.owner, each, wanted)),
    );
    if (held.length === 0) return;
    const { owner, app, at } = wanted;
    learn({ owner, app, held: held.map(placeOf), wanted: placeOf(wanted), at });
  };

  /** Of an owner with several threads, only what was given back before the other locks was taken within them. */
  const learnShared = (holder: Holder, released: Held): void => {
    const at = holder.held.indexOf(released);
    for (const later of holder.held.slice(at + 1)) {
      shared.crossed(released.owner, released, later);
    }
    learnOne(holder, released);
  };

  const learnAll = (owner: string, holder: Holder): void => {
    unlearnt.delete(owner);
    if (holder.isShared) return;
    for (const each of holder.held) if (!each.isLearnt) learnOne(holder, each);
  };

  const holderOf = (owner: string, isShared: boolean): Holder => {
    const holder = holders.get(owner) ?? { held: [], isShared };
    holders.delete(owner);
    holders.set(owner, holder);
    if (holders.size > MOST_OWNERS) {
      const [oldest] = holders.keys();
      if (oldest !== undefined) {
        holders.delete(oldest);
        unlearnt.delete(oldest);
      }
    }
    return holder;
  };

  return {
    acquire: ({
      owner,
      app = null,
      lock,
      mode,
      isTry = false,
      isShared = false,
      at,
      order = at,
    }) => {
      const holder = holderOf(owner, isShared);
      const { held } = holder;
      const name = nameOf(lock);
      if (held.length >= MOST_HELD || held.some((each) => each.name === name)) return;
      const place =
        held.findLastIndex((each) => each.at < at || (each.at === at && each.order <= order)) + 1;
      const taken = { lock, mode, name, owner, app, at, order, isTry };
      held.splice(place, 0, { ...taken, endedAt: null, isLearnt: false });
      if (held.length > 1) unlearnt.add(owner);
    },
    release: (owner, lock, at) => {
      const holder = holders.get(owner);
      const name = nameOf(lock);
      const released = holder?.held.find((each) => each.name === name);
      if (!holder || !released) return;
      released.endedAt = at ?? null;
      if (holder.isShared) learnShared(holder, released);
      else if (holder.held.length > 1) learnAll(owner, holder);
      holder.held.splice(holder.held.indexOf(released), 1);
      if (holder.held.length === 0) holders.delete(owner);
    },
    settle: (now) => {
      for (const owner of unlearnt) {
        const holder = holders.get(owner);
        const latest = holder?.held.at(-1);
        if (!holder || !latest) unlearnt.delete(owner);
        else if (now - latest.at >= LATE_MS) learnAll(owner, holder);
      }
    },
  };
}

/** A copy: the lock that was given may be a large and living record. */
const placeOf = ({ lock: { db, key, class: name }, mode }: Held): Place => ({
  lock: { db, key, class: name },
  mode,
});
