import { stableHash } from './stable-hash';

/** `owner` waits for `lock`, which `holder` holds. Names are the caller's; equal text is the same thing. */
export interface WaitEdge {
  owner: string;
  lock: string;
  holder: string;
}

export interface WaitCycle {
  /** Depends on the set of edges alone: the same however often and in whatever order it is found. */
  id: string;
  /** Each edge's holder is the next edge's owner; begins at the smallest edge. */
  edges: WaitEdge[];
}

export interface WaitCycles {
  cycles: WaitCycle[];
  /** Owners that wait for a lock they hold themselves. */
  selfWaits: WaitEdge[];
  /** False when there were more than `limit` cycles. */
  complete: boolean;
}

/** Joins waits with what is held: one edge for each holder of a lock that is waited for. */
export function waitEdges(
  waits: Iterable<{ owner: string; lock: string }>,
  heldBy: ReadonlyMap<string, readonly string[]>,
): WaitEdge[] {
  const edges: WaitEdge[] = [];
  for (const { owner, lock } of waits) {
    for (const holder of heldBy.get(lock) ?? []) edges.push({ owner, lock, holder });
  }
  return edges;
}

const edgeName = (edge: WaitEdge): string => JSON.stringify([edge.owner, edge.lock, edge.holder]);

type Graph = Map<string, WaitEdge[]>;

/** Who waits and holds nothing awaited, or is awaited and waits for nothing, is in no cycle: most are. */
function withoutEnds(edges: readonly WaitEdge[]): WaitEdge[] {
  const owners = new Set<string>();
  const holders = new Set<string>();
  for (const { owner, holder } of edges) {
    owners.add(owner);
    holders.add(holder);
  }
  return edges.filter(({ owner, holder }) => holders.has(owner) && owners.has(holder));
}

function graphOf(edges: readonly WaitEdge[]): { graph: Graph; selfWaits: WaitEdge[] } {
  const graph: Graph = new Map();
  const selfWaits: WaitEdge[] = [];
  const seen = new Set<string>();
  for (const edge of edges) {
    const name = edgeName(edge);
    if (seen.has(name)) continue;
    seen.add(name);
    if (edge.owner === edge.holder) {
      selfWaits.push(edge);
      continue;
    }
    const from = graph.get(edge.owner);
    if (from) from.push(edge);
    else graph.set(edge.owner, [edge]);
  }
  return { graph, selfWaits };
}

interface Visit {
  owner: string;
  next: number;
}

/**
 * Tarjan's strongly connected components (SIAM J. Comput. 1972), with the recursion unrolled because a
 * chain of waits can be deeper than the stack. Returns the component of each owner.
 */
function componentsOf(graph: Graph): Map<string, number> {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const component = new Map<string, number>();
  const open: string[] = [];
  let components = 0;
  const lower = (owner: string, to: number): void => {
    low.set(owner, Math.min(low.get(owner) ?? to, to));
  };
  const enter = (owner: string, path: Visit[]): void => {
    low.set(owner, index.size);
    index.set(owner, index.size);
    open.push(owner);
    path.push({ owner, next: 0 });
  };
  const leave = (owner: string): void => {
    if (low.get(owner) !== index.get(owner)) return;
    for (let member = open.pop(); member !== undefined; member = open.pop()) {
      component.set(member, components);
      if (member === owner) break;
    }
    components += 1;
  };
  for (const root of graph.keys()) {
    if (index.has(root)) continue;
    const path: Visit[] = [];
    enter(root, path);
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const edge = graph.get(top.owner)?.[top.next];
      if (edge) {
        top.next += 1;
        const known = index.get(edge.holder);
        if (known === undefined) enter(edge.holder, path);
        else if (!component.has(edge.holder)) lower(top.owner, known);
        continue;
      }
      leave(top.owner);
      path.pop();
      const parent = path.at(-1);
      const found = low.get(top.owner);
      if (parent && found !== undefined) lower(parent.owner, found);
    }
  }
  return component;
}

/** The shortest way from the edge's holder back to its owner, the edge itself first. */
function shortestCycle(edge: WaitEdge, graph: Graph): WaitEdge[] | null {
  const cameBy = new Map<string, WaitEdge>();
  const waiting = [edge.holder];
  for (let at = 0; at < waiting.length; at++) {
    const owner = waiting[at];
    for (const step of (owner !== undefined && graph.get(owner)) || []) {
      if (cameBy.has(step.holder)) continue;
      cameBy.set(step.holder, step);
      if (step.holder === edge.owner) return walkBack(edge, cameBy);
      waiting.push(step.holder);
    }
  }
  return null;
}

function walkBack(edge: WaitEdge, cameBy: ReadonlyMap<string, WaitEdge>): WaitEdge[] {
  const back: WaitEdge[] = [];
  let step = cameBy.get(edge.owner);
  while (step) {
    back.push(step);
    step = step.owner === edge.holder ? undefined : cameBy.get(step.owner);
  }
  return [edge, ...back.toReversed()];
}

function canonical(edges: readonly WaitEdge[]): WaitCycle {
  const names = edges.map(edgeName);
  const start = names.indexOf(names.reduce((least, name) => (name < least ? name : least)));
  return {
    id: stableHash(names.toSorted().join('\n')),
    edges: [...edges.slice(start), ...edges.slice(0, start)],
  };
}

/**
 * The cycles of waiting. A tangle of n owners can hold exponentially many, so this returns the shortest
 * cycle through each edge that is part of any: every wait that cannot end is in one of them, and each
 * cycle is there once. An owner stuck behind a cycle without being in it is in none. A cycle through a
 * lock with several holders says only that this holder does not release; others might.
 */
export function findCycles(edges: readonly WaitEdge[], limit = 1000): WaitCycles {
  const { graph, selfWaits } = graphOf(withoutEnds(edges));
  const component = componentsOf(graph);
  const inside: Graph = new Map();
  for (const [owner, out] of graph) {
    const kept = out.filter((edge) => component.get(edge.holder) === component.get(owner));
    if (kept.length > 0) inside.set(owner, kept);
  }
  const covered = new Set<WaitEdge>();
  const cycles = new Map<string, WaitCycle>();
  for (const edge of [...inside.values()].flat()) {
    if (covered.has(edge)) continue;
    if (cycles.size >= limit) return { cycles: [...cycles.values()], selfWaits, complete: false };
    const found = shortestCycle(edge, inside);
    if (!found) continue;
    for (const step of found) covered.add(step);
    const cycle = canonical(found);
    cycles.set(cycle.id, cycle);
  }
  return { cycles: [...cycles.values()], selfWaits, complete: true };
}
