import type { Link } from './lock-order-cycle';
import { createHeldLocks, type Acquire, type Attempt } from './lock-order-held';
import { createOrderMemory, isSettled, type Habit, type Variant } from './lock-order-memory';
import { searchRings } from './lock-order-search';
import { createSharedFilter } from './lock-order-shared';
import { nameOf, type OrderedLock, type Taking } from './lock-order-shape';
import { stableHash } from './stable-hash';

/** Chains that are told at once. */
const MOST_INVERSIONS = 100;
/** A search among more habits than this costs tens of milliseconds: it is not made at every judgement. */
const MANY_HABITS = 200;
const SEARCH_EVERY_MS = 5000;
/** More classes than an application names: ids are taken for names, and every lock is a class of its own. */
const MOST_CLASSES = 1000;

/** One time that `second` was taken while `first` was held. */
export interface OrderSeen {
  owner: string;
  app: string | null;
  first: OrderedLock;
  second: OrderedLock;
  at: number;
}

/** Locks that are taken in orders which, done at once, can leave everybody waiting. */
export interface Inversion {
  /** The same for the same classes in the same order, on every machine and after every restart. */
  id: string;
  /** Each is held when the next is taken, and the last when the first is. One class alone: of two of its locks. */
  classes: string[];
  /** Each by another owner: `second` is of the class that the next has as `first`. */
  steps: (OrderSeen & { times: number })[];
  /** When the last of the orders was first seen. */
  since: number;
  /** When the first of them was last seen: while all are, it is present. */
  lastAt: number;
}

export interface Order {
  first: string;
  second: string;
  times: number;
  lastAt: number;
  example: OrderSeen;
}

const orderSeen = ({ owner, app, at, wanted }: Taking, first: OrderedLock): OrderSeen => ({
  owner,
  app,
  first,
  second: wanted.lock,
  at,
});

/** The classes around a ring, without repeats next to each other, from the least on. */
function chainOf(classes: readonly string[]): string[] {
  const distinct = classes.filter((name, i) => name !== classes.at(i - 1));
  if (distinct.length === 0) return classes.slice(0, 1);
  const turns = distinct.map((_, i) => [...distinct.slice(i), ...distinct.slice(0, i)]);
  return turns.reduce((least, turn) => (turn.join('\n') < least.join('\n') ? turn : least));
}

const idOf = (classes: readonly string[]): string => stableHash(classes.join('\n'));

/** A way to go round: of each step its taking, and the lock that the one before waits for. */
interface Turn {
  taking: Taking;
  habit: Habit;
  first: OrderedLock;
}

interface Chain {
  id: string;
  classes: string[];
  turns: readonly Turn[];
}

function inversionOf({ id, classes, turns }: Chain): Inversion {
  const start = turns.findIndex(
    ({ first }, i) =>
      first.class === classes[0] &&
      turns[i]?.taking.wanted.lock.class === (classes[1] ?? classes[0]),
  );
  const ordered = [...turns.slice(Math.max(start, 0)), ...turns.slice(0, Math.max(start, 0))];
  return {
    id,
    classes,
    steps: ordered.map(({ taking, habit, first }) => ({
      ...orderSeen(taking, first),
      times: habit.times,
    })),
    since: Math.max(...ordered.map(({ habit }) => habit.firstAt)),
    lastAt: Math.min(...ordered.map(({ habit }) => habit.lastAt)),
  };
}

const habitTurn = ({ step, holds }: Link<Habit>): Turn[] => {
  const first = step.places[holds]?.lock;
  return first ? [{ taking: step.example, habit: step, first }] : [];
};

const variantTurn = ({ step, holds }: Link<Variant>): Turn[] => {
  const held = step.locks[holds];
  const first = step.example.held.find(({ lock }) => nameOf(lock) === held)?.lock;
  return first ? [{ taking: step.example, habit: step.of, first }] : [];
};

const classesHeld = ({ terms }: Habit): string[] => terms.slice(1).map((term) => term.class);

/**
 * What can go round: takings with their very locks, and, where not all the locks have been seen that a shape is done
 * with, the shapes with any.
 */
function findChains(habits: readonly Habit[]): Map<string, Chain> {
  const found = new Map<string, Chain>();
  const note = (turns: readonly Turn[]): void => {
    const classes = chainOf(turns.map(({ first }) => first.class));
    const id = idOf(classes);
    if (!found.has(id)) found.set(id, { id, classes, turns });
  };
  const isKnown = (links: readonly Link[]): boolean => {
    const classes = links.map(({ step, holds }) => step.terms[holds]?.class ?? '');
    return found.size >= MOST_INVERSIONS || found.has(idOf(chainOf(classes)));
  };
  searchRings<Variant>({
    steps: habits.flatMap(({ variants }) => [...(variants?.values() ?? [])]),
    wants: ({ locks }) => locks[0] ?? '',
    holds: ({ locks }) => locks.slice(1),
    isKnown,
    found: (ring) => note(ring.flatMap(variantTurn)),
  });
  searchRings<Habit>({
    steps: habits,
    wants: ({ terms }) => terms[0]?.class ?? '',
    holds: classesHeld,
    isKnown,
    accepts: (ring) => !ring.every(({ step }) => isSettled(step)),
    found: (ring) => note(ring.flatMap(habitTurn)),
  });
  return found;
}

function ordersOf(habits: Iterable<Habit>): Order[] {
  const orders = new Map<string, Order>();
  for (const habit of habits) {
    const { places, terms, example, times, lastAt } = habit;
    for (const [i, { lock }] of places.entries()) {
      const [first, second] = [terms[i]?.class, terms[0]?.class];
      if (i === 0 || first === undefined || second === undefined) continue;
      const name = `${first}\n${second}`;
      const known = orders.get(name);
      const isLater = !known || example.at > known.example.at;
      orders.set(name, {
        ...{ first, second },
        times: (known?.times ?? 0) + times,
        lastAt: Math.max(known?.lastAt ?? 0, lastAt),
        example: isLater ? orderSeen(example, lock) : known.example,
      });
    }
  }
  return [...orders.values()].toSorted((a, b) => b.lastAt - a.lastAt);
}

/**
 * Learns in which order owners take locks, by class, and finds orders that contradict each other, as Linux's lockdep
 * does; two that meet are enough, no deadlock need have happened.
 *
 * What is learnt is what an owner holds, all of it, when it takes another lock. Its ids become variables: that a:7 and
 * then b:7 are taken tells of every number, and that both are the same number is kept, so that what is done under a lock
 * of the same number is known to be guarded by it. A chain is told if its steps can stand there at once
 * ({@link canStandStill}), by different owners: one owner (thread, task) does one thing after another. Where a habit was
 * seen so often that new locks hardly come any more, only the locks that it was seen with count: two halves of a system
 * that never touch each other's locks may each have an order of their own.
 *
 * A taking may also be one that is still waited for, where that is seen. Not seen: that one thing can never run beside
 * another for another reason than a lock; readers that queue behind a writer; what was never done.
 *
 * On generated programs (test/perf/prediction) what is told and not true is mostly of locks by id of which each was seen
 * too seldom: they are taken for any of their class. A lock that was only tried and is told as waited for costs a tenth
 * of the precision on programs of which one in fourteen tries; only formats that never wait are known to try.
 *
 * What it keeps is bounded; what was not done for a week is forgotten. No clock of its own.
 */
export function createLockOrder() {
  const memory = createOrderMemory();
  let isDirty = false;
  let searchedAt = -Infinity;
  let version = 0;
  let found = new Map<string, Chain>();
  const held = createHeldLocks({
    shared: createSharedFilter(),
    learn: (taking) => {
      version += 1;
      if (memory.add(taking)) isDirty = true;
    },
    unlearn: (owner) => {
      if (memory.forgetOwner(owner)) isDirty = true;
    },
  });

  return {
    acquire: (acquire: Acquire): void => held.acquire(acquire),
    /** Told as often as one likes: what is waited for is learnt as what is taken, and once. */
    attempt: (attempt: Attempt): void => held.attempt(attempt),
    /** `at`: when it was given back, where that is not now. */
    release: (owner: string, lock: OrderedLock, at?: number): void => held.release(owner, lock, at),
    /** Chains that contradict themselves at `now`, after what is due by then was learnt and forgotten. */
    inversions(now: number): Inversion[] {
      held.settle(now);
      if (memory.forget(now)) isDirty = true;
      if (isDirty && (memory.size <= MANY_HABITS || now - searchedAt >= SEARCH_EVERY_MS)) {
        found = findChains([...memory.all()]);
        isDirty = false;
        searchedAt = now;
      }
      return [...found.values()].map(inversionOf);
    },
    /** Orders by class, the last seen first. */
    orders: (): Order[] => ordersOf(memory.all()),
    /** What is kept, what lasts at the end, for {@link restore}. */
    habits: (): Iterable<Habit> => memory.all(),
    /** Takes over what an earlier one kept. */
    restore(habits: Iterable<Habit>): void {
      for (const habit of habits) memory.restore(habit);
      isDirty = true;
    },
    /** Grows with all that is learnt. */
    get version(): number {
      return version;
    },
    /** How many shapes were dropped for room. */
    get dropped(): number {
      return memory.dropped;
    },
    /** Classes that stand in an order, and whether they are more than an application can mean. */
    classes(): { count: number; isLeaking: boolean } {
      const names = new Set<string>();
      for (const { terms } of memory.all()) for (const term of terms) names.add(term.class);
      return { count: names.size, isLeaking: names.size > MOST_CLASSES };
    },
  };
}
