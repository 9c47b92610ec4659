import { createLockOrder, type Inversion } from '@/lib/analysis/lock-order';
import type { Change } from '@/server/state/change';
import type { HoldRecord, LockRecord } from '@/server/state/lock-record';
import { stillWaits } from '@/server/state/waiting';
import type { Analyser } from './analyser';
import type { IntendedOrder, LearntOrders } from './analysis-contract';
import { followedOwner, followedWaiter, tellsLate } from './order-inversion-owner';
import { readOrders, saveOrders } from './order-inversion-saved';
import { findingOf, predictedOf } from './order-inversion-words';

export interface OrderInversionAnalyser extends Analyser {
  learnt: LearntOrders;
}

/** The hold of a lock that is held. */
interface Followed {
  hold: HoldRecord;
  /** Among the holds that began at the same millisecond. */
  order: number;
  /** Under which name it was told to the learner; null = not yet. */
  owner: string | null;
}

/** Locks that one takes in one order and another in another: they can wait for each other, though none may have yet. */
export function createOrderInversion(): OrderInversionAnalyser {
  const learner = createLockOrder();
  let intended = new Map<string, IntendedOrder>();
  const follows = new Map<LockRecord, Followed>();
  /** Holds that were over before anybody knew whose they were. */
  const unnamed = new WeakMap<HoldRecord, Followed>();
  let begun = 0;
  let inversions: Inversion[] = [];
  let targetId = '';

  const follow = (lock: LockRecord, hold: HoldRecord): Followed => {
    const known = follows.get(lock);
    if (known?.hold === hold) return known;
    const followed = { hold, order: ++begun, owner: null };
    follows.set(lock, followed);
    return followed;
  };

  const name = (lock: LockRecord, followed: Followed): void => {
    const { hold, order } = followed;
    const by = followed.owner === null ? followedOwner(lock, hold) : null;
    if (!by) return;
    followed.owner = by.owner;
    const { owner, mode, sharing, isTry } = by;
    const app = hold.owner?.app ?? null;
    learner.acquire({ owner, app, lock, mode, sharing, isTry, at: hold.since, order });
  };

  const end = (lock: LockRecord, followed: Followed, at: number): void => {
    name(lock, followed);
    if (followed.owner === null) {
      if (tellsLate(lock.format.id)) unnamed.set(followed.hold, followed);
    } else learner.release(followed.owner, lock, followed.hold.end ?? at);
  };

  const observe = (change: Change): void => {
    switch (change.kind) {
      case 'hold-started':
      case 'hold-updated':
        name(change.lock, follow(change.lock, change.hold));
        break;
      case 'hold-ended':
        end(change.lock, follow(change.lock, change.hold), change.at);
        follows.delete(change.lock);
        break;
      case 'hold-revised': {
        const followed = unnamed.get(change.hold);
        if (followed?.owner === null) end(change.lock, followed, change.at);
        break;
      }
    }
  };

  return {
    needs: 'nothing',
    observe: (changes) => {
      for (const change of changes) observe(change);
    },
    awaited: (lock, { now }) => {
      for (const waiter of lock.queue) {
        const by = stillWaits(waiter, now) ? followedWaiter(lock, waiter) : null;
        if (by) learner.attempt({ ...by, app: waiter.by.app, lock, at: waiter.since ?? now });
      }
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
      intendOnly: (orders) => void (intended = new Map(orders)),
      intended: (id) => intended.get(id) ?? null,
      save: () => saveOrders(learner.habits()),
      get version() {
        return learner.version;
      },
      restore: (saved) => learner.restore(readOrders(saved)),
    },
  };
}
