import type { PastWait } from '@/lib/protocol/measures';

/** One hold as far as it lies within a wait. */
export interface HeldPart {
  owner: string | null;
  /** 0…1 of the wait. */
  left: number;
  width: number;
}

/** What one holder held of the lock while somebody waited. */
export interface HolderShare {
  /** Null = a holder that was not seen. */
  owner: string | null;
  heldMs: number;
  /** 0…1 of the wait. */
  share: number;
  /** A moment at which it held the lock within the wait; epoch ms. */
  at: number;
}

export interface WaitHolders {
  parts: HeldPart[];
  /** The longest first. */
  holders: HolderShare[];
  /** How long nobody was seen to hold the lock; null where holds are left out. */
  freeMs: number | null;
}

/**
 * Who held the lock during a wait. Holds may overlap, of a semaphore for example: then their shares add up to more
 * than the whole.
 */
export function waitHolders({ start, end, heldBy, heldByMore }: PastWait): WaitHolders {
  const length = Math.max(1, end - start);
  const holders = new Map<string | null, HolderShare>();
  const parts: HeldPart[] = [];
  let coveredTo = start;
  let freeMs = 0;
  for (const hold of heldBy.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(start, hold.start);
    const to = Math.min(end, hold.end ?? end);
    if (to < from) continue;
    parts.push({
      owner: hold.owner,
      left: (from - start) / length,
      width: (to - from) / length,
    });
    freeMs += Math.max(0, from - coveredTo);
    coveredTo = Math.max(coveredTo, to);
    const before = holders.get(hold.owner);
    const heldMs = (before?.heldMs ?? 0) + to - from;
    holders.set(hold.owner, {
      owner: hold.owner,
      heldMs,
      share: heldMs / length,
      at: before?.at ?? from,
    });
  }
  return {
    parts,
    holders: [...holders.values()].toSorted((a, b) => b.heldMs - a.heldMs),
    freeMs: heldByMore > 0 ? null : freeMs + Math.max(0, end - coveredTo),
  };
}
