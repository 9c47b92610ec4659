import { waitsAmongStuck, type Stuck, type StuckRequest, type WaitRequest } from './wait-graph';
import type { Incident } from './wait-incidents';

/** All that the release of a hold of an incident can let go on. */
export interface Region {
  /** The waits of its owners and of those behind them; who is stuck in these is who is stuck in all. */
  waits: WaitRequest[];
  /** Owners that are stuck because of it without being part of it. */
  behind: number;
}

/**
 * Finds the region of an incident among the stuck, in time that grows with that region alone: what leads out of it stays
 * stuck whatever is released inside, because nobody there waits for anybody in it.
 */
export function createRegions({ requests }: Stuck): (incident: Incident) => Region {
  const ownWaits = new Map<string, StuckRequest[]>();
  const waitingFor = new Map<string, string[]>();
  const push = <T>(lists: Map<string, T[]>, name: string, one: T): void => {
    const list = lists.get(name);
    if (list) list.push(one);
    else lists.set(name, [one]);
  };
  for (const one of requests) {
    push(ownWaits, one.request.owner, one);
    for (const holder of one.holders) push(waitingFor, holder, one.request.owner);
  }
  return ({ edges }) => {
    const inside = new Set(edges.map(({ owner }) => owner));
    const reached = new Set(inside);
    for (const owner of reached) {
      for (const behind of waitingFor.get(owner) ?? []) reached.add(behind);
    }
    const among = [...reached].flatMap((owner) => ownWaits.get(owner) ?? []);
    const outside = new Set(
      among.flatMap(({ holders }) => holders.filter((holder) => !reached.has(holder))),
    );
    return {
      waits: [...waitsAmongStuck({ requests: among }), ...[...outside].map(waitForItself)],
      behind: reached.size - inside.size,
    };
  };
}

/** Stands for whatever keeps an owner outside from going on. */
const waitForItself = (owner: string): WaitRequest => ({
  ...{ owner, lock: '', holders: [owner], needs: 1, via: 'hold' },
});
