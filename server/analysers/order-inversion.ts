import { createLockOrder, type Inversion } from '@/lib/analysis/lock-order';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import type { Analyser } from './analyser';
import type { IntendedOrder, LearntOrders } from './analysis-contract';
import { followedOwner } from './order-inversion-owner';
import { readOrders, saveOrders } from './order-inversion-saved';
import { findingOf, predictedOf } from './order-inversion-words';

export interface OrderInversionAnalyser extends Analyser {
  learnt: LearntOrders;
}

interface Followed {
  /** Among the holds that began at the same millisecond. */
  order: number;
  /** Under which name it was told to the learner; null = not yet. */
  owner: string | null;
}

/** Locks that one takes in one order and another in another: they can wait for each other, though none may have yet. */
export function createOrderInversion(): OrderInversionAnalyser {
  const learner = createLockOrder();
  const intended = new Map<string, IntendedOrder>();
  const follows = new WeakMap<HoldRecord, Followed>();
  let begun = 0;
  let inversions: Inversion[] = [];
  let targetId = '';

  const acquire = (lock: LockRecord, hold: HoldRecord): Followed => {
    const followed = follows.get(hold) ?? { order: ++begun, owner: null };
    follows.set(hold, followed);
    if (followed.owner !== null) return followed;
    const by = followedOwner(lock, hold);
    if (!by) return followed;
    followed.owner = by.owner;
    const app = hold.owner?.app ?? null;
    learner.acquire({ ...by, app, lock, at: hold.since, order: followed.order });
    return followed;
  };

  const observe = (change: Change): void => {
    switch (change.kind) {
      case 'hold-started':
      case 'hold-updated':
        acquire(change.lock, change.hold);
        break;
      case 'hold-ended':
      case 'hold-revised': {
        const { owner } = acquire(change.lock, change.hold);
        if (owner !== null) learner.release(owner, change.lock, change.hold.end ?? change.at);
        break;
      }
    }
  };

  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) observe(change);
    },
    findings: ({ now, target }) => {
      inversions = learner.inversions(now);
      targetId = target.id;
      return inversions.filter(({ id }) => !intended.has(id)).map(findingOf);
    },
    learnt: {
      predicted: () =>
        inversions.map((each) => predictedOf(each, targetId, intended.get(each.id) ?? null)),
      orders: learner.orders,
      get dropped() {
        return learner.dropped;
      },
      get leakingClasses() {
        const { count, isLeaking } = learner.classes();
        return isLeaking ? count : null;
      },
      intend: (id, by) => void intended.set(id, by),
      unintend: (id) => void intended.delete(id),
      intended: (id) => intended.get(id) ?? null,
      save: () => saveOrders(learner.habits()),
      get version() {
        return learner.version;
      },
      restore: (saved) => learner.restore(readOrders(saved)),
    },
  };
}
