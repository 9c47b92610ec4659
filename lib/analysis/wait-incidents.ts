import { stableHash } from './stable-hash';
import { componentsOf } from './wait-components';
import { stuckIn, type Stuck, type StuckRequest, type WaitRequest } from './wait-graph';

/** `owner` waits for `lock`, which `holder` holds or is before it in the queue for. */
export interface WaitEdge {
  owner: string;
  lock: string;
  holder: string;
  via: WaitRequest['via'];
  /** `or`: it would be enough if one of the owner's holders of this lock went on. */
  needs: 'and' | 'or';
}

/** Owners of which none can go on because of the others alone. */
export interface Incident {
  /** Depends on the set of edges alone: the same however often and in whatever order it is found. */
  id: string;
  /** Of a cycle, each edge's holder is the next one's owner; begins with the smallest edge's owner. */
  edges: WaitEdge[];
}

export interface Incidents {
  incidents: Incident[];
  /** Everything that cannot go on. */
  stuck: Stuck;
  /** False when there were more than `limit`. */
  complete: boolean;
}

type Named = Pick<WaitEdge, 'owner' | 'lock' | 'holder'>;

const edgeName = ({ owner, lock, holder }: Named): string => JSON.stringify([owner, lock, holder]);

/** A stuck request among numbered owners; `holders` are those of the same component. */
interface Tie {
  owner: number;
  holders: number[];
  atLeast: number;
  request: WaitRequest;
}

interface Graph {
  names: string[];
  /** By owner. */
  ties: Tie[][];
  /** For each owner the ties of others that lead to it. */
  toward: Tie[][];
  hasChoice: boolean;
}

/**
 * What of the stuck is deadlocked by itself: every smallest set of owners that block each other is strongly connected,
 * so whatever leads out of its component belongs to those behind, and a request that the owners of its component do
 * not block alone is none of theirs.
 */
function tiesOf(stuck: readonly StuckRequest[]): Graph {
  const numbers = new Map<string, number>();
  const numberOf = (name: string): number => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  };
  let ties: Tie[] = stuck.map(({ request, holders, atLeast }) => ({
    owner: numberOf(request.owner),
    holders: holders.map(numberOf),
    atLeast,
    request,
  }));
  for (let isSettled = false; !isSettled;) {
    const component = componentsOf(nextOf(ties, numbers.size));
    isSettled = true;
    const kept: Tie[] = [];
    for (const tie of ties) {
      const holders = tie.holders.filter((one) => component[one] === component[tie.owner]);
      if (holders.length >= tie.atLeast) kept.push({ ...tie, holders });
      else if (holders.length > 0) isSettled = false;
    }
    ties = kept;
  }
  return graphOf([...numbers.keys()], ties);
}

function nextOf(ties: readonly Tie[], size: number): number[][] {
  const next: number[][] = Array.from({ length: size }, () => []);
  for (const { owner, holders } of ties) next[owner]?.push(...holders);
  return next;
}

function graphOf(names: string[], ties: readonly Tie[]): Graph {
  const graph: Graph = {
    names,
    ties: names.map(() => []),
    toward: names.map(() => []),
    hasChoice: ties.some(({ atLeast }) => atLeast > 1),
  };
  for (const tie of ties) {
    graph.ties[tie.owner]?.push(tie);
    for (const holder of tie.holders) graph.toward[holder]?.push(tie);
  }
  return graph;
}

interface Way {
  steps: number;
  tie: Tie;
}

/** For each owner the first tie of its shortest way to `target`. Ends at `from` where nobody else's way matters. */
function waysTo(target: number, from: number, { toward, hasChoice }: Graph): Map<number, Way> {
  const ways = new Map<number, Way>();
  const reached = [target];
  for (let at = 0; at < reached.length; at++) {
    const holder = reached[at] ?? target;
    const steps = (ways.get(holder)?.steps ?? 0) + 1;
    for (const tie of toward[holder] ?? []) {
      if (tie.owner === target || ways.has(tie.owner)) continue;
      ways.set(tie.owner, { steps, tie });
      if (tie.owner === from && !hasChoice) return ways;
      reached.push(tie.owner);
    }
  }
  return ways;
}

interface Chosen {
  tie: Tie;
  holders: number[];
}

/**
 * A small set of owners that block each other and of which this edge is part: the shortest cycle through it where each
 * wait is for one holder; where it takes several, all that it takes, each with its own shortest way back.
 */
function incidentThrough(first: Tie, holder: number, graph: Graph): Chosen[] {
  const ways = waysTo(first.owner, holder, graph);
  const stepsFrom = (owner: number): number =>
    owner === first.owner ? 0 : (ways.get(owner)?.steps ?? Number.MAX_SAFE_INTEGER);
  const choose = (tie: Tie, must: number | null): Chosen => {
    if (tie.atLeast === tie.holders.length) return { tie, holders: tie.holders };
    const nearest = tie.holders
      .filter((one) => one !== must)
      .toSorted((a, b) => stepsFrom(a) - stepsFrom(b));
    const all = must === null ? nearest : [must, ...nearest];
    return { tie, holders: all.slice(0, tie.atLeast) };
  };
  const chosen = new Map([[first.owner, choose(first, holder)]]);
  for (const { holders } of chosen.values()) {
    for (const next of holders) {
      const way = ways.get(next);
      if (way && !chosen.has(next)) chosen.set(next, choose(way.tie, null));
    }
  }
  return [...chosen.values()];
}

function edgesOf(chosen: readonly Chosen[], { names }: Graph): WaitEdge[] {
  return chosen.flatMap(({ tie, holders }) =>
    holders.map((holder) => ({
      owner: tie.request.owner,
      lock: tie.request.lock,
      holder: names[holder] ?? '',
      via: tie.request.via,
      needs: holders.length > 1 ? ('or' as const) : ('and' as const),
    })),
  );
}

/** In the order of waiting, from the smallest edge's owner on; each owner's edges together. */
function canonical(edges: readonly WaitEdge[]): Incident {
  const named = edges
    .map((edge) => ({ edge, name: edgeName(edge) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const byOwner = Map.groupBy(named, ({ edge }) => edge.owner);
  const order = new Set(named.slice(0, 1).map(({ edge }) => edge.owner));
  // Every owner of it can be reached from every other.
  for (const owner of order) {
    for (const { edge } of byOwner.get(owner) ?? []) order.add(edge.holder);
  }
  return {
    id: stableHash(named.map(({ name }) => name).join('\n')),
    edges: [...order].flatMap((owner) => (byOwner.get(owner) ?? []).map(({ edge }) => edge)),
  };
}

const requestName = ({ owner, lock, via }: Pick<WaitEdge, 'owner' | 'lock' | 'via'>): string =>
  JSON.stringify([owner, lock, via]);

/** Whether its owners still block each other by the same edges, whatever else there is. */
function stands({ edges }: Incident, stuck: ReadonlyMap<string, StuckRequest>): boolean {
  const owners = new Set(edges.map(({ owner }) => owner));
  return [...Map.groupBy(edges, requestName)].every(([name, own]) => {
    const request = stuck.get(name);
    return (
      request !== undefined &&
      own.length >= request.atLeast &&
      own.every(({ holder }) => owners.has(holder) && request.holders.includes(holder))
    );
  });
}

/**
 * The deadlocks among these waits. A tangle of n owners can hold exponentially many, so this returns one through each
 * edge that is part of any, as short as can be: every wait that cannot end is in one of them or behind one, and each is
 * there once. Those in `known` that still stand stay as they are and come first.
 */
export function findIncidents(
  requests: readonly WaitRequest[],
  { limit = 1000, known = [] }: { limit?: number; known?: Iterable<Incident> } = {},
): Incidents {
  const stuck = stuckIn(requests);
  const found = new Map<string, Incident>();
  const covered = new Set<string>();
  const add = (incident: Incident): void => {
    found.set(incident.id, incident);
    for (const edge of incident.edges) covered.add(edgeName(edge));
  };
  const byName = new Map(stuck.requests.map((one) => [requestName(one.request), one]));
  for (const incident of known) if (stands(incident, byName)) add(incident);
  // Sorted, so that a tangle is taken apart in the same way whatever the order of its waits.
  const graph = tiesOf(
    [...byName]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, { holders, ...one }]) => ({ ...one, holders: holders.toSorted() })),
  );
  for (const tie of graph.ties.flat()) {
    for (const holder of tie.holders) {
      const { owner, lock } = tie.request;
      if (covered.has(edgeName({ owner, lock, holder: graph.names[holder] ?? '' }))) continue;
      if (found.size >= limit) return { incidents: [...found.values()], stuck, complete: false };
      add(canonical(edgesOf(incidentThrough(tie, holder, graph), graph)));
    }
  }
  return { incidents: [...found.values()], stuck, complete: true };
}
