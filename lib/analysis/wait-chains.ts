import type { WaitRequest } from './wait-graph';

/** One owner that waits, directly or through others, for the root. */
export interface ChainLink {
  owner: string;
  lock: string;
  via: WaitRequest['via'];
  /** Index of the link of the owner that it waits for; null = the root. */
  behind: number | null;
  /** 1 = waits for the root. */
  depth: number;
}

/** A tree of waits below an owner that waits for nobody. */
export interface Chain {
  root: string;
  /** Of the root, those that are waited for. */
  locks: string[];
  /** Each owner once, parents before children. */
  links: ChainLink[];
  depth: number;
}

/** Trees overlap where a lock has several holders: no more steps than this are walked in all. */
const MOST_STEPS = 100_000;

/** Only who needs every holder to let go is blocked by each of them: of permits any may come back first. */
const isBlockedByEach = ({ holders, needs }: WaitRequest): boolean => needs >= holders.length;

/** The trees of waits, those with most owners first. An owner in a deadlock is in none: it has no root. */
export function chainsOf(requests: readonly WaitRequest[]): Chain[] {
  const waiting = new Set(requests.map(({ owner }) => owner));
  const behind = new Map<string, WaitRequest[]>();
  for (const request of requests.filter(isBlockedByEach)) {
    for (const holder of request.holders) {
      const known = behind.get(holder);
      if (known) known.push(request);
      else behind.set(holder, [request]);
    }
  }
  const chains: Chain[] = [];
  let steps = 0;
  for (const root of behind.keys()) {
    if (waiting.has(root)) continue;
    if (steps > MOST_STEPS) break;
    const chain = chainBelow(root, behind);
    steps += chain.links.length;
    chains.push(chain);
  }
  return chains.toSorted((a, b) => b.links.length - a.links.length || (a.root < b.root ? -1 : 1));
}

function chainBelow(root: string, behind: ReadonlyMap<string, WaitRequest[]>): Chain {
  const links: ChainLink[] = [];
  const reached = new Set([root]);
  const add = (holder: string, index: number | null, depth: number): void => {
    for (const { owner, lock, via } of behind.get(holder) ?? []) {
      if (reached.has(owner)) continue;
      reached.add(owner);
      links.push({ owner, lock, via, behind: index, depth });
    }
  };
  add(root, null, 1);
  for (let at = 0; at < links.length; at++) {
    const link = links[at];
    if (link) add(link.owner, at, link.depth + 1);
  }
  const direct = links.filter((link) => link.behind === null).map(({ lock }) => lock);
  return { root, locks: [...new Set(direct)], links, depth: links.at(-1)?.depth ?? 0 };
}
