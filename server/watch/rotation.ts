import type { KeyRef } from './watch-contract';

/** Largest number of locks that are all re-read within one cycle; above it each waits its turn. */
const MAX_PER_CYCLE = 20_000;
/** 16 steps of 250 ms: every lock is seen within 4 s, so that a silent flush is noticed within 5 s. */
const STEPS_PER_CYCLE = 16;
/**
 * Few locks are not read more often than this: our own reads touch a key, so that in between it would not show
 * who else does.
 */
const LEAST_STEPS = 8;

/** Spreads the re-reading of all held locks over a cycle. */
export interface Rotation {
  /** What to read in this step. */
  next: () => readonly KeyRef[];
  /** Held locks as of this cycle; exact up to MAX_PER_CYCLE. */
  readonly held: number;
  /** Everything at once; begins a new cycle. */
  all: () => readonly KeyRef[];
}

const EVERYTHING = 1_000_000;

export function createRotation(source: (limit: number) => KeyRef[]): Rotation {
  let cycle: readonly KeyRef[] = [];
  let position = 0;
  let held = 0;
  let steps = LEAST_STEPS;
  return {
    next: () => {
      steps++;
      if (position >= cycle.length && steps > LEAST_STEPS) {
        steps = 1;
        cycle = source(MAX_PER_CYCLE);
        held = cycle.length;
        position = 0;
      }
      const step = Math.ceil(cycle.length / STEPS_PER_CYCLE);
      const refs = cycle.slice(position, position + step);
      position += step;
      return refs;
    },
    get held() {
      return held;
    },
    all: () => {
      const refs = source(EVERYTHING);
      cycle = [];
      position = 0;
      steps = LEAST_STEPS;
      held = Math.min(refs.length, MAX_PER_CYCLE);
      return refs;
    },
  };
}
