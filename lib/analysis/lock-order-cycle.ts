import type { Relation, Term } from './lock-order-shape';

/** Something that owners do: wait for the lock of the first term while they hold those of the others. */
export interface Step {
  terms: readonly Term[];
  relations: readonly Relation[];
  /**
   * The locks by name, a term each. Null = any locks of which equal variables are equal and whose order is as in
   * `relations`.
   */
  locks: readonly string[] | null;
  /** Who was seen to do it, the first few. */
  owners: readonly string[];
  /** More did it than are listed. */
  isByMany: boolean;
}

/** A step and which of the locks that it holds the step before waits for. */
export interface Link<S extends Step = Step> {
  step: S;
  holds: number;
}

const excludes = (a: Term, b: Term): boolean => a.mode === 'write' || b.mode === 'write';

/** Names of variables that must have the same value, by links alone: sets of them are small. */
function createEqualities() {
  const parents = new Map<string, string>();
  const root = (name: string): string => {
    let at = name;
    for (let parent = parents.get(at); parent !== undefined; parent = parents.get(at)) at = parent;
    return at;
  };
  return {
    root,
    unite: (a: string, b: string): void => {
      const [left, right] = [root(a), root(b)];
      if (left !== right) parents.set(left, right);
    },
  };
}

/** Each step gets an owner of its own: nobody deadlocks with himself. */
function haveOwners(steps: readonly Step[], taken: ReadonlySet<string> = new Set()): boolean {
  const [first, ...rest] = steps;
  if (!first) return true;
  if (first.isByMany) return haveOwners(rest, taken);
  return first.owners.some(
    (owner) => !taken.has(owner) && haveOwners(rest, new Set([...taken, owner])),
  );
}

function isAcyclic(arcs: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const done = new Set<string>();
  const open = new Set<string>();
  const visit = (node: string): boolean => {
    if (done.has(node)) return true;
    if (open.has(node)) return false;
    open.add(node);
    for (const next of arcs.get(node) ?? []) if (!visit(next)) return false;
    open.delete(node);
    done.add(node);
    return true;
  };
  return [...arcs.keys()].every(visit);
}

/** There are ids that are in the order in which every step was seen to have them, as numbers and as text. */
function canBeOrdered(steps: readonly Step[], names: readonly (readonly string[])[]): boolean {
  for (const kind of ['number', 'text'] as const) {
    const arcs = new Map<string, Set<string>>();
    for (const [i, { relations }] of steps.entries()) {
      for (const { by, lower, higher } of relations) {
        const [from, to] = [names[i]?.[lower], names[i]?.[higher]];
        if (by !== kind || from === undefined || to === undefined) continue;
        const known = arcs.get(from);
        if (known) known.add(to);
        else arcs.set(from, new Set([to]));
      }
    }
    if (!isAcyclic(arcs)) return false;
  }
  return true;
}

/** No two steps hold a lock that only one can hold: a common lock around both lets only one of them run. */
function canHoldAtOnce(steps: readonly Step[], names: readonly (readonly string[])[]): boolean {
  const holders = new Map<string, { step: number; term: Term }[]>();
  for (const [step, { terms }] of steps.entries()) {
    for (const [i, term] of terms.entries()) {
      const name = names[step]?.[i];
      if (i === 0 || name === undefined) continue;
      const others = holders.get(name) ?? [];
      if (others.some((other) => other.step !== step && excludes(other.term, term))) return false;
      holders.set(name, [...others, { step, term }]);
    }
  }
  return true;
}

const sameLock = (waits: Step, { step, holds }: Link): boolean =>
  waits.locks === null || step.locks === null || waits.locks[0] === step.locks[holds];

const variableOf = (step: number, variable: number): string => `${step}#${variable}`;

/** A name for every lock of the ring, equal where the links make two of them one lock. Null = they do not fit. */
function nameLocks(ring: readonly Link[]): (readonly string[])[] | null {
  const { root, unite } = createEqualities();
  for (const [i, { step, holds }] of ring.entries()) {
    const before = (i + ring.length - 1) % ring.length;
    const wanted = ring[before]?.step.terms[0]?.variables;
    const held = step.terms[holds]?.variables;
    if (wanted?.length !== held?.length) return null;
    for (const [place, variable] of (wanted ?? []).entries()) {
      unite(variableOf(before, variable), variableOf(i, held?.[place] ?? 0));
    }
  }
  return ring.map(
    ({ step }, i) =>
      step.locks ??
      step.terms.map((term) =>
        [term.class, ...term.variables.map((each) => root(variableOf(i, each)))].join('\n'),
      ),
  );
}

/** Whether who stands at `waits` waits for one who stands at `link`. */
function blocks(waits: Step, link: Link): boolean {
  const [wanted, held] = [waits.terms[0], link.step.terms[link.holds]];
  if (!wanted || !held || wanted.class !== held.class) return false;
  return excludes(wanted, held) && sameLock(waits, link);
}

/**
 * Whether the steps of a ring, each holding what the one before waits for, can all stand there at once: the valid cycle
 * of GoodLock (Havelund, SPIN 2000; Joshi et al., PLDI 2009). Every step needs an owner of its own, two that read do not
 * wait for each other, no two may hold the same lock, and the ids must fit together. The steps are all with locks, or
 * all without.
 */
export function canStandStill(ring: readonly Link[]): boolean {
  const steps = ring.map(({ step }) => step);
  for (const [i, link] of ring.entries()) {
    const waits = steps.at(i - 1);
    if (!waits || !blocks(waits, link)) return false;
  }
  if (!haveOwners(steps)) return false;
  const names = nameLocks(ring);
  // One owner holds each lock once, and does not wait for one that it holds.
  if (!names || names.some((each) => new Set(each).size < each.length)) return false;
  return canHoldAtOnce(steps, names) && canBeOrdered(steps, names);
}
