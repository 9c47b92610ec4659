import { canStandStill, type Link, type Step } from './lock-order-cycle';

/** Longer chains than this are not looked for. */
const LONGEST = 6;
/** What one search may cost: beyond, the longest chains are not looked for. */
const MOST_VISITS = 20_000;
/** Steps from one lock to another that are tried, those that hold the least first: they are the least guarded. */
const MOST_LINKS = 50;
const MOST_RINGS = 300;
/** Steps within one class that are tried together. */
const LONGEST_WITHIN = 3;

export interface RingSearch<S extends Step> {
  steps: readonly S[];
  /** What a step waits for, and what it holds, as names that are equal where one may be the other. */
  wants: (step: S) => string;
  holds: (step: S) => readonly string[];
  /** Whether such rings need not be looked for: the links are one way to go through its names. */
  isKnown: (links: readonly Link<S>[]) => boolean;
  /** Whether a ring that can stand still counts; left out = all do. */
  accepts?: (ring: readonly Link<S>[]) => boolean;
  /** Called with a ring that can stand still, the shorter ones first. */
  found: (ring: readonly Link<S>[]) => void;
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

/** From the name of what is held to the name of what is taken then. */
type Arcs<S extends Step> = Map<string, Map<string, Link<S>[]>>;

function arcsOf<S extends Step>(search: RingSearch<S>): Arcs<S> {
  const arcs: Arcs<S> = new Map();
  const steps = inCycles(search).toSorted((a, b) => a.terms.length - b.terms.length);
  for (const step of steps) {
    for (const [i, name] of search.holds(step).entries()) {
      const from = arcs.get(name) ?? new Map<string, Link<S>[]>();
      arcs.set(name, from);
      const wanted = search.wants(step);
      const links = from.get(wanted) ?? [];
      from.set(wanted, links);
      if (links.length < MOST_LINKS) links.push({ step, holds: i + 1 });
    }
  }
  return arcs;
}

/** One link of each list that together can stand still. */
function ringOf<S extends Step>(
  lists: readonly (readonly Link<S>[])[],
  accepts: (ring: readonly Link<S>[]) => boolean = () => true,
): Link<S>[] | null {
  let left = MOST_RINGS;
  const extend = (ring: Link<S>[]): Link<S>[] | null => {
    const links = lists[ring.length];
    if (!links) return left-- > 0 && canStandStill(ring) && accepts(ring) ? ring : null;
    for (const link of links) {
      if (left <= 0) return null;
      if (ring.some(({ step }) => step === link.step)) continue;
      const whole = extend([...ring, link]);
      if (whole) return whole;
    }
    return null;
  };
  return extend([]);
}

/**
 * Looks for chains of names that go round, each once, and for steps that can go them: the shorter first, so that a budget
 * that ends cuts off the long ones.
 */
export function searchRings<S extends Step>(search: RingSearch<S>): void {
  const arcs = arcsOf(search);
  const indexes = new Map([...arcs.keys()].map((name, index) => [name, index]));
  let left = MOST_VISITS;

  const go = (lists: readonly (readonly Link<S>[])[]): void => {
    if (search.isKnown(lists.flatMap((links) => links.slice(0, 1)))) return;
    const ring = ringOf(lists, search.accepts);
    if (ring) search.found(ring);
  };

  const walk = (path: readonly string[], lists: readonly Link<S>[][], length: number): void => {
    const [first, last] = [path[0], path.at(-1)];
    if (first === undefined || last === undefined) return;
    const start = indexes.get(first) ?? 0;
    for (const [name, links] of arcs.get(last) ?? []) {
      if (left-- <= 0) return;
      if (path.length === length) {
        if (name === first) go([...lists, links]);
      } else if ((indexes.get(name) ?? -1) > start && !path.includes(name)) {
        walk([...path, name], [...lists, links], length);
      }
    }
  };

  for (const [name, from] of arcs) {
    const within = from.get(name);
    for (let times = 2; within && times <= LONGEST_WITHIN; times++) {
      go(Array.from({ length: times }, () => within));
    }
  }
  for (let length = 2; length <= LONGEST; length++) {
    for (const name of arcs.keys()) walk([name], [], length);
  }
}
