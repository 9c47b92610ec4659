import { segmentOfId } from '@/lib/analysis/advice-split';
import { createSeededRandom } from '@/lib/analysis/replay-random';
import type { LockClient } from '@/lib/lock/index';
import type { Advice } from '@/lib/protocol/measures';
import { pause } from '@/test/support/pause';

/** Somebody who comes `atMs` after the start and works for `workMs` under the lock. */
export interface Visit {
  atMs: number;
  workMs: number;
  /** What it works on. */
  id: string;
  /** 0…1, the same in every run: stands for chance. */
  chance: number;
}

/** A way to lock that leaves something to be advised. */
export interface Workload {
  name: string;
  /** What the console is expected to advise. */
  kind: Advice['kind'];
  visitsIn: (durationMs: number) => Visit[];
  /** Locks as it was built first (null), or as the console advised. */
  visit: (locks: LockClient, visit: Visit, advice: Advice | null) => Promise<void>;
}

interface Stream {
  perSecond: number;
  seed: number;
  workMs: (random: () => number) => number;
  id: (random: () => number) => string;
}

/** Visits without memory of each other. */
function arrivals({ perSecond, seed, workMs, id }: Stream, durationMs: number): Visit[] {
  const random = createSeededRandom(seed);
  const visits: Visit[] = [];
  for (let atMs = 0; ;) {
    atMs -= (Math.log(1 - random()) / perSecond) * 1000;
    if (atMs >= durationMs) return visits;
    visits.push({ atMs, workMs: workMs(random), id: id(random), chance: random() });
  }
}

const between = (least: number, most: number) => (random: () => number) =>
  least + random() * (most - least);

const STOCK = 'stock:sku-4711';
/** One counter that every sale takes; any part of it would do. */
const stock: Workload = {
  name: 'stock',
  kind: 'split',
  visitsIn: (durationMs) =>
    arrivals({ perSecond: 22, seed: 11, workMs: between(20, 52), id: () => '' }, durationMs),
  visit: async (locks, { workMs, chance }, advice) => {
    const part = advice ? `:${Math.floor(chance * (advice.segments ?? 1))}` : '';
    await locks.using(`${STOCK}${part}`, () => pause(workMs));
  },
};

const ENTITIES = 60;
/** One lock for the synchronisation of many customers who have nothing to do with each other; some come often. */
const coarse: Workload = {
  name: 'coarse',
  kind: 'split',
  visitsIn: (durationMs) =>
    arrivals(
      {
        perSecond: 18,
        seed: 23,
        workMs: between(20, 60),
        id: (random) => `customer-${Math.floor(random() ** 2 * ENTITIES)}`,
      },
      durationMs,
    ),
  visit: async (locks, { workMs, id }, advice) => {
    const part = advice ? `customers:${segmentOfId(id, advice.segments ?? 1)}` : 'all';
    await locks.using(`sync:${part}`, { businessId: id }, () => pause(workMs));
  },
};

const ORDER = 'order';
const RECONCILE = 'reconcile';
/**
 * Orders take the account and, at once, the ledger; a reconciliation takes the ledger alone and works long. An order that
 * waits for the ledger keeps all others from queueing for it, and later reconciliations pass them by.
 */
const nested: Workload = {
  name: 'nested',
  kind: 'group',
  visitsIn: (durationMs) =>
    [
      { perSecond: 15, seed: 50, workMs: between(4, 6), id: () => ORDER },
      { perSecond: 3, seed: 150, workMs: between(200, 270), id: () => RECONCILE },
    ].flatMap((stream) => arrivals(stream, durationMs)),
  visit: async (locks, { workMs, id }, advice) => {
    const work = (): Promise<void> => pause(workMs);
    if (advice) await locks.using('account-and-ledger', work);
    else if (id === RECONCILE) await locks.using('ledger:main', work);
    else await locks.using('account:settlement', () => locks.using('ledger:main', work));
  },
};

export const WORKLOADS: readonly Workload[] = [stock, coarse, nested];
