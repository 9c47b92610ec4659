import { oldestBeyond } from './drop-oldest';
import type { LockMode, OrderedLock, Place, Taking } from './lock-order-shape';

/**
 * Whether several threads act under an owner's name, so that what is held by it may be another's. `suspected`: it is not
 * known, until of two kinds of lock now the one and now the other is taken first and given back first, as by two threads.
 */
export type Sharing = 'own' | 'shared' | 'suspected';

/** Somebody got a lock. */
export interface Acquire {
  owner: string;
  app?: string | null;
  lock: OrderedLock;
  mode: LockMode;
  /** By an attempt that would not have waited; or it is not known after what: nothing is learnt of how it was taken. */
  isTry?: boolean;
  /** Left out = `own`. */
  sharing?: Sharing;
  at: number;
  /** Of several at the same moment, which came first; left out = in the order told. */
  order?: number;
}

/** Somebody waits for a lock. */
export type Attempt = Pick<Acquire, 'owner' | 'app' | 'lock' | 'mode' | 'at'>;

/** Owners of whom something is kept, the last active ones. */
const MOST_OWNERS = 10_000;
/** Locks of one owner that are looked at: who holds more takes them in some order that nobody reads. */
const MOST_HELD = 16;
/** Owners of whom it is remembered that they crossed. */
const MOST_CROSSED = 1000;
const MOST_WAYS = 100;
/** The names of holds come in another order than their beginnings, but hardly this late (ms). */
const LATE_MS = 1000;

interface Held extends Place {
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
  sharing: Sharing;
  /** For what it was seen to wait since it has held something. */
  awaited: OrderedLock[];
}

/** What a suspected owner did that one thread hardly does. */
interface Crossing {
  /** Two kinds of lock, of which it took the one first and gave it back first. */
  ways: Set<string>;
  isShared: boolean;
}

export interface HeldLocks {
  acquire: (acquire: Acquire) => void;
  /** Told as often as one likes: it is learnt once, and not again when the lock is got. */
  attempt: (attempt: Attempt) => void;
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

interface Learning {
  shared: SharedFilter;
  learn: (taking: Taking) => void;
  /** What this owner alone has done tells nothing: its name turned out to be shared. */
  unlearn: (owner: string) => void;
}

/**
 * What each owner holds, in order. A taking is told when one of its owner's locks is released, or a second later: by
 * then it is known whose the other locks are.
 */
export function createHeldLocks({ shared, learn, unlearn }: Learning): HeldLocks {
  const holders = new Map<string, Holder>();
  /** Who holds several, of which something is to be learnt. */
  const unlearnt = new Set<string>();
  const crossings = new Map<string, Crossing>();

  const tell = (held: readonly Held[], taking: Omit<Taking, 'held'>): void => {
    if (held.length > 0) learn({ ...taking, held: held.map(placeOf) });
  };

  const learnOne = (holder: Holder, wanted: Held): void => {
    wanted.isLearnt = true;
    const isShared = holder.sharing === 'shared';
    if (isShared) shared.taken(wanted.owner, wanted);
    // What is not waited for is in nobody's way.
    if (wanted.isTry) return;
    const before = holder.held.slice(0, holder.held.indexOf(wanted));
    const held = before.filter(
      (each) =>
        (each.endedAt === null || each.endedAt > wanted.at) &&
        (!isShared || shared.nested(wanted.owner, each, wanted)),
    );
    const { owner, app, at } = wanted;
    tell(held, { owner, app, at, wanted: placeOf(wanted) });
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
    if (holder.sharing === 'shared') return;
    for (const each of holder.held) if (!each.isLearnt) learnOne(holder, each);
  };

  const crossingOf = (owner: string): Crossing => {
    const known = crossings.get(owner);
    if (known) return known;
    const crossing = { ways: new Set<string>(), isShared: false };
    crossings.set(owner, crossing);
    const [oldest] = crossings.keys();
    if (crossings.size > MOST_CROSSED && oldest !== undefined) crossings.delete(oldest);
    return crossing;
  };

  const suspect = (owner: string, holder: Holder, released: Held): void => {
    const later = holder.held.slice(holder.held.indexOf(released) + 1);
    if (holder.sharing !== 'suspected' || later.length === 0) return;
    const crossing = crossingOf(owner);
    for (const each of later) {
      if (crossing.ways.size < MOST_WAYS) crossing.ways.add(wayOf(released, each));
      if (!crossing.ways.has(wayOf(each, released))) continue;
      crossing.isShared = true;
      holder.sharing = 'shared';
      unlearn(owner);
      return;
    }
  };

  const dropOldest = (): void => {
    for (const oldest of oldestBeyond(holders, MOST_OWNERS)) {
      holders.delete(oldest);
      unlearnt.delete(oldest);
    }
  };

  const holderOf = (owner: string, given: Sharing): Holder => {
    const known = holders.get(owner);
    if (known) return known;
    const sharing = given === 'suspected' && crossings.get(owner)?.isShared ? 'shared' : given;
    const holder: Holder = { held: [], sharing, awaited: [] };
    holders.set(owner, holder);
    dropOldest();
    return holder;
  };

  return {
    acquire: ({
      owner,
      app = null,
      lock,
      mode,
      isTry = false,
      sharing = 'own',
      at,
      order = at,
    }) => {
      const holder = holderOf(owner, sharing);
      const { held } = holder;
      const whose = { lock, mode, owner, app, at, order, isTry };
      const isLearnt = holder.awaited.some((each) => isSame(each, lock));
      const taken: Held = { ...whose, endedAt: null, isLearnt };
      // Most hold one lock at a time.
      if (held.length === 0) {
        held.push(taken);
        return;
      }
      if (held.length >= MOST_HELD || held.some((each) => isSame(each.lock, lock))) return;
      const place =
        held.findLastIndex((each) => each.at < at || (each.at === at && each.order <= order)) + 1;
      held.splice(place, 0, taken);
      unlearnt.add(owner);
    },
    attempt: ({ owner, app = null, lock, mode, at }) => {
      const holder = holders.get(owner);
      if (!holder || holder.sharing === 'shared' || holder.awaited.length >= MOST_HELD) return;
      const { held, awaited } = holder;
      const isKnown = [...awaited, ...held.map((each) => each.lock)];
      if (isKnown.some((each) => isSame(each, lock))) return;
      const before = held.filter((each) => each.at <= at);
      if (before.length === 0) return;
      const wanted = placeOf({ lock, mode });
      awaited.push(wanted.lock);
      tell(before, { owner, app, at, wanted });
    },
    release: (owner, lock, at) => {
      const holder = holders.get(owner);
      const released = holder?.held.find((each) => isSame(each.lock, lock));
      if (!holder || !released) return;
      released.endedAt = at ?? null;
      suspect(owner, holder, released);
      if (holder.sharing === 'shared') learnShared(holder, released);
      else if (holder.held.length > 1) learnAll(owner, holder);
      if (holder.held.length === 1) holders.delete(owner);
      else holder.held.splice(holder.held.indexOf(released), 1);
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

/** Two of one class are told apart by their names. */
function wayOf(first: Held, second: Held): string {
  const [a, b] = [first.lock, second.lock];
  if (a.class !== b.class) return `${a.class}\n${b.class}`;
  return `${a.class} ${a.key < b.key ? 'up' : 'down'}`;
}

const isSame = (a: OrderedLock, b: OrderedLock): boolean => a.key === b.key && a.db === b.db;

/** A copy: the lock that was given may be a large and living record. */
const placeOf = ({ lock: { db, key, class: name }, mode }: Place): Place => ({
  lock: { db, key, class: name },
  mode,
});
