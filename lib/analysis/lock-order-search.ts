import { canStandStill, type Link, type Step } from './lock-order-cycle';

/** Longer cycles than this are not looked for. */
const LONGEST = 6;

/** What one search may cost: beyond, the rest is found when something else has changed. */
const MOST_STEPS = 50_000;

export interface RingSearch<S extends Step> {
  steps: readonly S[];
  /** What a step waits for, and what it holds, as names that are equal where one may be the other. */
  wants: (step: S) => string;
  holds: (step: S) => readonly string[];
  /** Called with each ring that can stand still, the shorter first; a cycle may come more than once. */
  found: (ring: readonly Link<S>[]) => void;
}

interface Holding<S> {
  step: S;
  holds: number;
  index: number;
}

/** Steps that wait for what nobody holds, or hold what nobody waits for, are in no cycle: most are. */
function inCycles<S extends Step>({ steps, wants, holds }: RingSearch<S>): S[] {
  let left = [...steps];
  for (;;) {
    const wanted = new Set(left.map(wants));
    const held = new Set(left.flatMap(holds));
    const next = left.filter(
      (step) => held.has(wants(step)) && holds(step).some((name) => wanted.has(name)),
    );
    if (next.length === left.length) return next;
    left = next;
  }
}

function holdersOf<S extends Step>(steps: readonly S[], holds: (step: S) => readonly string[]) {
  const holders = new Map<string, Holding<S>[]>();
  for (const [index, step] of steps.entries()) {
    for (const [i, name] of holds(step).entries()) {
      const holding = { step, holds: i + 1, index };
      const known = holders.get(name);
      if (known) known.push(holding);
      else holders.set(name, [holding]);
    }
  }
  return holders;
}

/**
 * Looks for rings of steps by increasing length, so that a budget that ends cuts off the long ones. Each begins at its
 * first step in the order given, and has a step once.
 */
export function searchRings<S extends Step>(search: RingSearch<S>): void {
  const { wants, found } = search;
  const steps = inCycles(search);
  const holders = holdersOf(steps, search.holds);
  let left = MOST_STEPS;

  const extend = (path: Link<S>[], first: number, length: number): void => {
    const last = path.at(-1);
    if (!last) return;
    for (const { step, holds, index } of holders.get(wants(last.step)) ?? []) {
      if (left-- <= 0) return;
      if (path.length === length) {
        const [begin, ...rest] = path;
        if (index !== first || !begin) continue;
        const ring = [{ step: begin.step, holds }, ...rest];
        if (canStandStill(ring)) found(ring);
      } else if (index > first && !path.some((link) => link.step === step)) {
        extend([...path, { step, holds }], first, length);
      }
    }
  };
  for (let length = 2; length <= Math.min(LONGEST, steps.length); length++) {
    for (const [index, step] of steps.entries()) extend([{ step, holds: 0 }], index, length);
  }
}
