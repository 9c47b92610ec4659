/**
 * An owner that waits for a lock until `needs` of those in its way have let go: all of them where each excludes the
 * owner (the holder of a mutex, the readers before a writer), one where any permit will do, a majority for a quorum.
 * Names are the caller's; equal text is the same thing. An owner may wait for several locks and needs them all.
 */
export interface WaitRequest {
  owner: string;
  lock: string;
  /** Each once. */
  holders: readonly string[];
  needs: number;
  /** Whether they hold the lock, or stand before the owner in its queue. */
  via: 'hold' | 'queue';
}

/** A request that nothing can meet, reduced to what keeps it so. */
export interface StuckRequest {
  request: WaitRequest;
  /** Of its holders those that are stuck, without the owner itself. */
  holders: string[];
  /** While so many of them are stuck it cannot be met. */
  atLeast: number;
  /** The owner waits for what it holds itself: it needs nobody else to be stuck. */
  waitsForItself: boolean;
}

export interface Stuck {
  /** Owners that can never go on, whatever the others do. */
  owners: Set<string>;
  requests: StuckRequest[];
}

/** A hold that is taken away. */
export interface TakenHold {
  lock: string;
  holder: string;
}

/** Requests by the holders that they wait for, and how much of each is missing. */
interface Ledger {
  missing: number[];
  open: Map<string, number>;
  asked: Map<string, number[]>;
}

const isTaken = (taken: readonly TakenHold[], { lock, via }: WaitRequest, holder: string) =>
  via === 'hold' && taken.some((one) => one.lock === lock && one.holder === holder);

function openLedger(requests: readonly WaitRequest[], taken: readonly TakenHold[]): Ledger {
  const missing: number[] = [];
  const open = new Map<string, number>();
  const asked = new Map<string, number[]>();
  requests.forEach((request, i) => {
    const { owner, holders, needs } = request;
    let left = Math.min(needs, holders.length);
    for (const holder of holders) {
      if (taken.length > 0 && isTaken(taken, request, holder)) left--;
      else if (holder !== owner) {
        const list = asked.get(holder);
        if (list) list.push(i);
        else asked.set(holder, [i]);
      }
    }
    missing.push(left);
    if (left > 0) open.set(owner, (open.get(owner) ?? 0) + 1);
  });
  return { missing, open, asked };
}

/** Lets everybody finish who can, and with each those that waited for no more than that. */
function settle(requests: readonly WaitRequest[], { missing, open, asked }: Ledger): void {
  const ready = [...asked.keys()].filter((holder) => !open.has(holder));
  for (let holder = ready.pop(); holder !== undefined; holder = ready.pop()) {
    for (const i of asked.get(holder) ?? []) {
      const left = (missing[i] ?? 0) - 1;
      missing[i] = left;
      const owner = requests[i]?.owner;
      if (left !== 0 || owner === undefined) continue;
      const waits = (open.get(owner) ?? 0) - 1;
      if (waits > 0) open.set(owner, waits);
      else {
        open.delete(owner);
        if (asked.has(owner)) ready.push(owner);
      }
    }
  }
}

/**
 * What is left when everything that can still finish is taken away, which is exactly what is deadlocked or stuck
 * behind a deadlock: the least fixed point of "an owner goes on once each of its requests is met by owners that go
 * on". This is the reduction of the general request model (AND, OR and m of n: Bracha and Toueg, Distributed deadlock
 * detection, 1987; Kshemkalyani and Singhal, Invariant-based verification, 1991), done in one place and so in time
 * linear in the number of waits. With `taken`, as if these holds were gone.
 */
export function stuckIn(requests: readonly WaitRequest[], taken: readonly TakenHold[] = []): Stuck {
  const ledger = openLedger(requests, taken);
  const { missing, open } = ledger;
  settle(requests, ledger);
  const left: StuckRequest[] = [];
  requests.forEach((request, i) => {
    const needed = missing[i] ?? 0;
    if (needed <= 0 || !open.has(request.owner)) return;
    const holders = request.holders.filter(
      (holder) => holder !== request.owner && open.has(holder) && !isTaken(taken, request, holder),
    );
    // Of n holders m must let go, so n - m + 1 that do not are too many; the owner itself may be one of them.
    const others = holders.length - needed + 1;
    left.push({ request, holders, atLeast: Math.max(1, others), waitsForItself: others <= 0 });
  });
  return { owners: new Set(open.keys()), requests: left };
}

/** The stuck among themselves: who is stuck in these waits is who is stuck in all of them. */
export const waitsAmongStuck = ({ requests }: Pick<Stuck, 'requests'>): WaitRequest[] =>
  requests.map(({ request, holders, atLeast, waitsForItself }) => ({
    ...request,
    holders: waitsForItself ? [...holders, request.owner] : holders,
    needs: waitsForItself ? holders.length + 1 : holders.length - atLeast + 1,
  }));

/** How many of those that are stuck in these waits could go on if the holds were taken away. */
export const freedBy = (requests: readonly WaitRequest[], taken: readonly TakenHold[]): number =>
  stuckIn(requests).owners.size - stuckIn(requests, taken).owners.size;
