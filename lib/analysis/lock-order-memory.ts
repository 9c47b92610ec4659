import type { Step } from './lock-order-cycle';
import { createKeptHabits } from './lock-order-kept';
import { nameOf, placesOf, shapeOf, type Place, type Taking } from './lock-order-shape';

/** Locks of one shape that are told apart: where they are more, any may come. */
const MOST_VARIANTS = 16;
const MOST_OWNERS = 4;
/** An example is replaced once it is as old as this, ms. */
const EXAMPLE_LASTS_MS = 600_000;
/** What nobody has done for so long is no habit any more. */
export const FORGOTTEN_AFTER_MS = 7 * 86_400_000;

/** From so many takings on, those that came but once tell how often something new comes (Good and Turing). */
const LEAST_TAKINGS = 10;
const MOST_NEW_SHARE = 0.1;

/** The same shape with the same locks. */
export interface Variant extends Step {
  locks: readonly string[];
  owners: string[];
  times: number;
  example: Taking;
  of: Habit;
}

/** What takings of one shape have in common. Read only outside this file. */
export interface Habit extends Step {
  key: string;
  owners: string[];
  times: number;
  firstAt: number;
  lastAt: number;
  /** A taking of it, and its locks in the order of the terms. */
  example: Taking;
  places: readonly Place[];
  /** Null where there are more than are told apart. */
  variants: Map<string, Variant> | null;
}

/** Whether all the locks it is done with were seen, as far as that can be told. */
export function isSettled({ variants, times }: Habit): boolean {
  if (!variants || times < LEAST_TAKINGS) return false;
  const seenOnce = [...variants.values()].filter((variant) => variant.times === 1).length;
  return seenOnce / times <= MOST_NEW_SHARE;
}

/** Returns whether that is news. */
function addOwner(step: { owners: string[]; isByMany: boolean }, owner: string): boolean {
  if (step.isByMany || step.owners.includes(owner)) return false;
  if (step.owners.length >= MOST_OWNERS) step.isByMany = true;
  else step.owners.push(owner);
  return true;
}

/** A habit of which nothing has been counted yet. */
export function newHabit(taking: Taking): Habit {
  const places = placesOf(taking);
  const { key, terms, relations } = shapeOf(places);
  return {
    ...{ key, terms, relations, places },
    locks: null,
    owners: [],
    isByMany: false,
    times: 0,
    firstAt: taking.at,
    lastAt: taking.at,
    example: taking,
    variants: new Map(),
  };
}

function addVariant(habit: Habit, places: readonly Place[], taking: Taking): boolean {
  if (!habit.variants) return false;
  const locks = places.map(({ lock }) => nameOf(lock));
  const name = locks.join('\n');
  const known = habit.variants.get(name);
  if (known) {
    known.times += 1;
    return addOwner(known, taking.owner);
  }
  if (habit.variants.size >= MOST_VARIANTS) {
    habit.variants = null;
    return true;
  }
  const { terms, relations } = habit;
  const owners = [taking.owner];
  const variant = { terms, relations, locks, owners, isByMany: false, times: 1 };
  habit.variants.set(name, { ...variant, example: taking, of: habit });
  return true;
}

/** The takings that were learnt, by shape; a bounded number. */
export function createOrderMemory() {
  const habits = createKeptHabits();
  return {
    /** Returns whether a cycle may come or go by it. */
    add(taking: Taking): boolean {
      const fresh = newHabit(taking);
      const habit = habits.get(fresh.key) ?? fresh;
      const wasSettled = isSettled(habit);
      habit.lastAt = Math.max(habit.lastAt, taking.at);
      habits.put(habit);
      habit.times += 1;
      if (taking.at - habit.example.at >= EXAMPLE_LASTS_MS) {
        habit.example = taking;
        habit.places = fresh.places;
      }
      const isOwnerNew = addOwner(habit, taking.owner);
      const isVariantNew = addVariant(habit, fresh.places, taking);
      return isOwnerNew || isVariantNew || wasSettled !== isSettled(habit);
    },
    /** Takes over what an earlier memory kept. */
    restore: (habit: Habit): void => habits.put(habit),
    /** Returns whether something went. */
    forget(now: number): boolean {
      const before = habits.size;
      habits.forgetBefore(now - FORGOTTEN_AFTER_MS);
      return habits.size < before;
    },
    /** Drops what only this owner has done. Returns whether something went. */
    forgetOwner(owner: string): boolean {
      const before = habits.size;
      for (const { key, owners, isByMany } of habits.all()) {
        if (!isByMany && owners.every((each) => each === owner)) habits.delete(key);
      }
      return habits.size < before;
    },
    all: (): Iterable<Habit> => habits.all(),
    get size(): number {
      return habits.size;
    },
    /** How many were dropped for room. */
    get dropped(): number {
      return habits.dropped;
    },
  };
}
