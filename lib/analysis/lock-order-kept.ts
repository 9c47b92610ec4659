import type { Habit } from './lock-order-memory';
import { dropOldest } from './drop-oldest';
import { stableHash } from './stable-hash';

/** Shapes that are kept. */
const MOST_SHAPES = 4000;
/** Of these, as many may be new: a habit of tomorrow begins as one. */
const LEAST_NEW = 500;
/** What is done again so long after the first time is no passing thing, ms. */
const LASTS_MS = 60_000;
/** Shapes that were dropped of which it is remembered when they were first seen. */
const MOST_DROPPED = 50_000;

/**
 * A bounded number of habits. What lasts is kept before what is new, each the last seen first: else locks whose names
 * are never the same twice would drive out, within seconds, all that a program does again and again. Of what was dropped
 * it is remembered that it was there, so that what comes seldom among many is known to last when it comes again.
 */
export function createKeptHabits() {
  // The last seen ones stand at the end of each.
  const fresh = new Map<string, Habit>();
  const lasting = new Map<string, Habit>();
  const firstSeen = new Map<string, number>();
  let dropped = 0;

  const drop = (from: Map<string, Habit>): void => {
    const [oldest] = from.values();
    if (!oldest) return;
    from.delete(oldest.key);
    dropped += 1;
    if (from === lasting) return;
    firstSeen.set(stableHash(oldest.key), oldest.firstAt);
    dropOldest(firstSeen, MOST_DROPPED);
  };

  const put = (habit: Habit): void => {
    const lasts = habit.lastAt - habit.firstAt >= LASTS_MS;
    fresh.delete(habit.key);
    lasting.delete(habit.key);
    (lasts ? lasting : fresh).set(habit.key, habit);
    if (fresh.size + lasting.size <= MOST_SHAPES) return;
    drop(fresh.size > LEAST_NEW || lasting.size === 0 ? fresh : lasting);
  };

  return {
    get: (key: string): Habit | undefined => fresh.get(key) ?? lasting.get(key),
    /** Has it as the last seen one; what comes back is known since it was first there. */
    put(habit: Habit): void {
      if (habit.times === 0 && firstSeen.size > 0) {
        const hash = stableHash(habit.key);
        habit.firstAt = Math.min(habit.firstAt, firstSeen.get(hash) ?? habit.firstAt);
        firstSeen.delete(hash);
      }
      put(habit);
    },
    delete(key: string): void {
      fresh.delete(key);
      lasting.delete(key);
    },
    /** Forgets those that were last seen before then. */
    forgetBefore(at: number): void {
      for (const habits of [fresh, lasting]) {
        for (const [key, { lastAt }] of habits) {
          if (lastAt >= at) break;
          habits.delete(key);
        }
      }
    },
    /** Those that last at the end. */
    all: (): Habit[] => [...fresh.values(), ...lasting.values()],
    get size(): number {
      return fresh.size + lasting.size;
    },
    /** How many were dropped for room. */
    get dropped(): number {
      return dropped;
    },
  };
}
